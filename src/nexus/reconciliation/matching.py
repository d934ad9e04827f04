"""Answer a reconciliation query with what Nexus resolves; facts rank and exclude, never decide."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import msgspec

from kit.errors import NotFound as EntityMissing
from kit.trace import Call
from nexus.contract import (
    Ambiguous,
    Candidate,
    Entity,
    EntityType,
    GetEntity,
    Grade,
    Language,
    ListRelations,
    NotFound,
    Resolve,
    Resolved,
)
from nexus.reconciliation.properties import (
    NAMES,
    Value,
    comparable_of,
    external_texts,
    is_external,
    is_relation,
    property_of,
    values_of,
)
from nexus.reconciliation.question import (
    MOST_CANDIDATES,
    Condition,
    Feature,
    Found,
    NamedType,
    Question,
)
from nexus.service import Nexus

_ONLY_RELATED = 0.5
"""Confidence in an entity of which nothing is known but that it has the relation asked for."""


@dataclass(frozen=True, slots=True)
class _Lead:
    """An entity that a condition points at."""

    entity_id: str
    type: str
    label: str
    confidence: float
    grade: Grade | None
    distinguished_by: str = ""


@dataclass(slots=True)
class _Clue:
    """What one value of a condition points at, and which entity it means if that is certain."""

    leads: dict[str, _Lead] = field(default_factory=dict[str, _Lead])
    resolved: set[str] = field(default_factory=set[str])


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What one condition says of one lead."""

    condition: Condition
    holds: bool
    contradicts: bool


class Matcher:
    """Finds the entities that queries describe."""

    def __init__(self, nexus: Nexus) -> None:
        self._nexus = nexus

    async def find(self, question: Question, call: Call) -> list[Found]:
        """Candidates, the likeliest first; at most one is a match.

        An entity is a match if Nexus resolved a name or an id to it alone, every other name and
        id could mean it as well, and no property of it speaks against it.
        """
        types = [each for each in question.types if _is_type(each)]
        if question.types and not types:
            return []
        search = _Search(self._nexus, call, types, question.language)
        gathered = [await search.clues_of(condition) for condition in question.conditions]
        if not any(gathered):
            gathered = [await search.clues_without_a_name(each) for each in question.conditions]
        pointing = _pointing(question.conditions, gathered)
        leads = _strongest(pointing)
        if question.is_of_all_types:
            leads = [lead for lead in leads if all(_is_of_type(lead.type, t) for t in types)]
        sure = _agreed(pointing)
        found: list[Found] = []
        for lead in leads:
            verdicts = [
                await search.judge(lead, condition, clues)
                for condition, clues in zip(question.conditions, gathered, strict=True)
            ]
            if all(each.holds or not each.condition.is_required for each in verdicts):
                found.append(_found(lead, verdicts, sure, question.language))
        found.sort(key=lambda each: (not each.match, -each.score))
        return _falling(found)[: min(question.limit, MOST_CANDIDATES)]


class _Search:
    """The questions one query asks of Nexus; each entity is read once."""

    def __init__(
        self, nexus: Nexus, call: Call, types: Sequence[str], language: Language | None
    ) -> None:
        self._nexus = nexus
        self._call = call
        self._types = types
        self._language: Language | None = language
        self._entities: dict[str, Entity | None] = {}

    async def clues_of(self, condition: Condition) -> list[_Clue]:
        """What names and ids point at; nothing for other facts."""
        if condition.kind == "name":
            return [await self._named(value) for value in condition.values]
        if condition.kind == "id":
            return [await self._identified(value) for value in condition.values]
        if is_external(condition.property_id) and condition.quantifier != "none":
            clues = [
                await self._external(condition.property_id, value) for value in condition.values
            ]
            return clues if any(clue.leads for clue in clues) else []
        return []

    async def clues_without_a_name(self, condition: Condition) -> list[_Clue]:
        """What further names and relations point at, where nothing else does."""
        if condition.quantifier == "none":
            return []
        if condition.property_id in NAMES:
            return [await self._named(value) for value in condition.values]
        if is_relation(condition.property_id):
            return [await self._related(condition.property_id, value) for value in condition.values]
        return []

    async def judge(self, lead: _Lead, condition: Condition, clues: Sequence[_Clue]) -> _Verdict:
        """Whether a condition holds of a lead."""
        if condition.kind != "property":
            truths = [lead.entity_id in clue.leads for clue in clues]
            return _Verdict(condition, _holds(condition, truths), contradicts=False)
        entity = await self._entity(lead.entity_id)
        has = comparable_of(entity, condition.property_id) if entity else []
        truths = [any(_is_same(wanted, value) for value in has) for wanted in condition.values]
        holds = _holds(condition, truths)
        return _Verdict(condition, holds, contradicts=bool(has) and not holds)

    async def _named(self, text: str) -> _Clue:
        """What a text means; one that cannot be a name means nothing."""
        await asyncio.sleep(0)  # a batch is long: others get their turn
        try:
            question = msgspec.convert(
                {"text": text.strip(), "types": self._types, "language": self._language}, Resolve
            )
        except msgspec.ValidationError:
            return _Clue()
        match await self._nexus.resolve(question, self._call):
            case Resolved() as resolved:
                return _clue([_lead(resolved)], {resolved.entity_id})
            case Ambiguous(candidates=candidates):
                return _clue(map(_lead, candidates))
            case NotFound(suggestions=suggestions):
                return _clue(map(_lead, suggestions))

    async def _identified(self, entity_id: str) -> _Clue:
        entity = await self._entity(entity_id)
        if entity is None or not self._is_wanted(entity.type):
            return _Clue()
        return _clue([self._lead_to(entity, 1.0, "id")], {entity.entity_id})

    async def _external(self, property_id: str, value: str) -> _Clue:
        """The entity that a system calls so; it has to say so itself."""
        for text in external_texts(property_id, value):
            clue = await self._named(text)
            for lead in clue.leads.values():
                entity = await self._entity(lead.entity_id)
                if entity is not None and value in values_of(entity, property_id):
                    return _clue([self._lead_to(entity, 1.0, "external")], {entity.entity_id})
        return _Clue()

    async def _related(self, predicate: str, value: str) -> _Clue:
        """The entities that stand so to an entity, given by its id."""
        if await self._entity(value) is None:
            return _Clue()
        arrows = (
            await self._nexus.list_relations(ListRelations(entity_id=value), self._call)
        ).relations
        subjects = [
            each.subject for each in arrows if (each.predicate, each.object) == (predicate, value)
        ]
        entities = [await self._entity(each) for each in subjects[:MOST_CANDIDATES]]
        return _clue(
            self._lead_to(entity, _ONLY_RELATED, None)
            for entity in entities
            if entity is not None and entity.status == "active" and self._is_wanted(entity.type)
        )

    async def _entity(self, entity_id: str) -> Entity | None:
        if entity_id not in self._entities:
            try:
                request = msgspec.convert({"entity_id": entity_id}, GetEntity)
                self._entities[entity_id] = await self._nexus.get_entity(request, self._call)
            except (msgspec.ValidationError, EntityMissing):
                self._entities[entity_id] = None
        return self._entities[entity_id]

    def _is_wanted(self, entity_type: str) -> bool:
        return not self._types or any(_is_of_type(entity_type, each) for each in self._types)

    def _lead_to(self, entity: Entity, confidence: float, grade: Grade | None) -> _Lead:
        label = label_of(entity.names, self._language)
        return _Lead(entity.entity_id, entity.type, label, confidence, grade)


def label_of(names: dict[str, str], language: Language | None) -> str:
    """The name in a language, or else in the other."""
    return names.get(language or "en") or next(iter(names.values()))


def _lead(candidate: Candidate | Resolved) -> _Lead:
    return _Lead(
        candidate.entity_id,
        candidate.type,
        candidate.label,
        candidate.confidence,
        candidate.grade,
        candidate.distinguished_by if isinstance(candidate, Candidate) else "",
    )


def _clue(leads: Iterable[_Lead], resolved: set[str] | None = None) -> _Clue:
    return _Clue({lead.entity_id: lead for lead in leads}, resolved or set())


def _pointing(
    conditions: Sequence[Condition], gathered: Sequence[list[_Clue]]
) -> list[list[_Clue]]:
    """The clues of each condition that points at something."""
    return [
        clues
        for condition, clues in zip(conditions, gathered, strict=True)
        if clues and condition.quantifier != "none"
    ]


def _strongest(pointing: Sequence[list[_Clue]]) -> list[_Lead]:
    """Each entity once, by the clue that is surest of it."""
    strongest: dict[str, _Lead] = {}
    for clues in pointing:
        for lead in (each for clue in clues for each in clue.leads.values()):
            known = strongest.get(lead.entity_id)
            if known is None or lead.confidence > known.confidence:
                strongest[lead.entity_id] = lead
    return list(strongest.values())


def _agreed(pointing: Sequence[list[_Clue]]) -> str | None:
    """The one entity that was resolved, if every condition that points at something allows it."""
    resolved = {each for clues in pointing for clue in clues for each in clue.resolved}
    if len(resolved) != 1:
        return None
    (only,) = resolved
    allowed = all(any(only in clue.leads for clue in clues) for clues in pointing)
    return only if allowed else None


def _holds(condition: Condition, truths: Sequence[bool]) -> bool:
    if condition.quantifier == "all":
        return all(truths)
    return any(truths) == (condition.quantifier == "any")


def _found(
    lead: _Lead, verdicts: Sequence[_Verdict], sure: str | None, language: Language | None
) -> Found:
    facts = [each for each in verdicts if each.condition.kind == "property"]
    weight = (1 + sum(each.holds for each in facts)) / (1 + len(facts))
    refused = any(each.contradicts or not each.holds for each in verdicts if _decides(each))
    features = {"confidence": Feature("confidence", _CONFIDENCE[language], lead.confidence)}
    if lead.grade is not None:
        features[lead.grade] = Feature(lead.grade, f"{_GRADE[language]}: {lead.grade}", value=True)
    for each in facts:
        name = property_of(each.condition.property_id).name(language)
        key = f"property.{each.condition.property_id}"
        held = each.holds and (key not in features or bool(features[key].value))
        features[key] = Feature(key, name, value=held)
    return Found(
        id=lead.entity_id,
        name=lead.label,
        type=[NamedType(lead.type, lead.type)],
        score=round(100 * lead.confidence * weight, 4),
        match=lead.entity_id == sure and not refused,
        features=list(features.values()),
        description=lead.distinguished_by,
    )


def _decides(verdict: _Verdict) -> bool:
    """Whether not holding keeps an entity from being a match: not where nothing is known of it."""
    return verdict.contradicts or verdict.condition.kind != "property"


def _falling(found: list[Found]) -> list[Found]:
    """Nothing behind a match scores higher."""
    if not found or not found[0].match:
        return found
    highest = found[0].score
    return [msgspec.structs.replace(each, score=min(each.score, highest)) for each in found]


def _is_same(wanted: str, value: Value) -> bool:
    if isinstance(value, str):
        return _plain(wanted) == _plain(value)
    return wanted == value.entity_id or _plain(wanted) in map(_plain, value.names.values())


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _is_type(text: str) -> bool:
    try:
        msgspec.convert(text, EntityType)
    except msgspec.ValidationError:
        return False
    return True


def _is_of_type(entity_type: str, wanted: str) -> bool:
    return entity_type == wanted or entity_type.startswith(f"{wanted}.")


_CONFIDENCE: dict[Language | None, str] = {
    None: "confidence",
    "en": "confidence",
    "ru": "уверенность",
}
_GRADE: dict[Language | None, str] = {None: "matched by", "en": "matched by", "ru": "совпадение"}

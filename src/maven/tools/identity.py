"""Which thing is meant: Nexus decides, the conversation remembers, and nothing is guessed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kit.errors import InvalidArgument, NotFound, ServiceError
from maven.domain.closed import ordinal, same_word
from maven.domain.dialogue import CHOICE_LIVES, Known, Option, PendingChoice, Told
from maven.domain.outcome import (
    Description,
    Missing,
    NamesUnread,
    NoReference,
    NoSuch,
    Outcome,
    Talk,
    WhichOne,
)
from maven.domain.route import Reference, Route
from maven.domain.turn import Turn, made
from maven.domain.utterance import fold, hear
from maven.ports import Ports, ask, missing
from nexus.contract import (
    Ambiguous,
    Candidate,
    Entity,
    GetEntity,
    Resolve,
    Resolved,
)
from nexus.contract import (
    NotFound as NothingFound,
)

_MOST_OPTIONS = 7
_WORTH_ASKING = 0.2
"""How likely a suggestion of Nexus is, at least, for "did you mean …?"."""


async def find_target(turn: Turn, ports: Ports) -> Turn:
    """Turn the reference of a route into an entity, or into the question or refusal it needs."""
    route = turn.route
    if route is None or route.reference is None:
        return turn
    found = await _find(route, route.reference, turn, ports)
    if isinstance(found, Known):
        dialogue = turn.dialogue.about(found)
        if route.kind == "read":
            dialogue = dialogue.asked(route.intent)
        return replace(turn, target=found, dialogue=dialogue)
    dialogue = turn.dialogue
    if isinstance(found, WhichOne):
        dialogue = dialogue.asking(found.choice)
    return replace(turn, outcome=found, dialogue=dialogue)


async def _find(route: Route, reference: Reference, turn: Turn, ports: Ports) -> Known | Outcome:
    if reference.entity_id:
        return await _verified(reference.entity_id, route, turn, ports)
    if reference.text:
        told = _numbered(reference.text, turn.dialogue.surfaced)
        if told is None:
            return await _resolved(reference.text, route, turn, ports)
        if not told.entity_id:
            return NoReference(route.intent)
        return await _verified(told.entity_id, route, turn, ports)
    focus = turn.dialogue.focus
    if not focus:
        return NoReference(route.intent)
    if len(focus) > 1:
        options = [Option(each.entity_id, each.names) for each in focus[:_MOST_OPTIONS]]
        return WhichOne(_choice(route, options, turn, is_suggestion=False), "")
    return await _verified(focus[0].entity_id, route, turn, ports)


async def _resolved(text: str, route: Route, turn: Turn, ports: Ports) -> Known | Outcome:
    asked = Resolve(
        text=text[:500],
        language=turn.language,
        purpose=route.purpose,
        focus=[each.entity_id for each in turn.dialogue.focus],
    )
    try:
        answer = await ask("nexus", ports.nexus.resolve(asked))
    except InvalidArgument:
        return _no_such(text, route)
    match answer:
        case Missing():
            remembered = _remembered(text, turn.dialogue.focus)
            if remembered and route.purpose == "read":
                return remembered
            return NamesUnread(text, answer, _wanted(route))
        case Resolved():
            return ports.known.note(Known(answer.entity_id, answer.names, answer.type))
        case Ambiguous():
            options = _options(answer.candidates)
            return WhichOne(_choice(route, options, turn, is_suggestion=False), text)
        case NothingFound():
            likely = [each for each in answer.suggestions if each.confidence >= _WORTH_ASKING]
            options = _options(likely)
            if not options:
                is_guess = route.reference is not None and route.reference.is_guess
                return Talk("unknown") if is_guess else _no_such(text, route)
            return WhichOne(_choice(route, options, turn, is_suggestion=True), text)


async def _verified(entity_id: str, route: Route, turn: Turn, ports: Ports) -> Known | Outcome:
    """An entity by its id, as Nexus knows it now; a read may do with what was verified before."""
    before = turn.dialogue.known(entity_id) or ports.known.get(entity_id)
    try:
        entity = await ports.nexus.get_entity(GetEntity(entity_id=entity_id))
    except NotFound:
        return _no_such(before.name(turn.language) if before else entity_id, route)
    except ServiceError as error:
        if before and route.purpose == "read":
            return before
        said = before.name(turn.language) if before else ""
        return NamesUnread(said, missing("nexus", error), _wanted(route))
    if entity.status == "archived" and route.purpose == "mutate":
        return _no_such(entity.names.get(turn.language) or entity_id, route)
    return ports.known.note(_known(entity))


async def names_of(entity_ids: Iterable[str | None], ports: Ports) -> dict[str, Known]:
    """Display names for presentation; without Nexus, as they were last told, if ever."""
    wanted = list(dict.fromkeys(each for each in entity_ids if each))
    for entity_id in wanted:
        if ports.known.fresh(entity_id):
            continue
        try:
            entity = await ports.nexus.get_entity(GetEntity(entity_id=entity_id))
        except NotFound:
            continue
        except ServiceError:
            break
        ports.known.note(_known(entity))
    return {each: known for each in wanted if (known := ports.known.get(each))}


async def describe(turn: Turn, ports: Ports) -> Turn:
    """Who or what the target is."""
    target = made(turn.target)
    asked = GetEntity(entity_id=target.entity_id)
    entity = await ask("nexus", ports.nexus.get_entity(asked))
    if isinstance(entity, Missing):
        return replace(turn, outcome=Description(target, None, entity))
    return replace(turn, outcome=Description(target, entity))


def _no_such(said: str, route: Route) -> NoSuch:
    return NoSuch(said, was_order=route.purpose == "mutate")


def _numbered(text: str, told: list[Told]) -> Told | None:
    """The one of several items just told that a number means."""
    number = ordinal(hear(text).words, len(told)) if len(told) > 1 else None
    return None if number is None else told[number]


def _known(entity: Entity) -> Known:
    return Known(entity.entity_id, entity.names, entity.type)


def _options(candidates: list[Candidate]) -> list[Option]:
    return [
        Option(each.entity_id, each.names, each.distinguished_by, [each.label, each.evidence])
        for each in candidates[:_MOST_OPTIONS]
    ]


def _choice(
    route: Route, options: list[Option], turn: Turn, *, is_suggestion: bool
) -> PendingChoice:
    return PendingChoice(
        intent=route.intent,
        options=options,
        expires_at=turn.at + CHOICE_LIVES,
        is_suggestion=is_suggestion,
    )


def _remembered(text: str, focus: list[Known]) -> Known | None:
    """The one entity of this conversation that has such a name."""
    words = fold(text).split()
    fitting = [
        known
        for known in focus
        if any(
            len(name.split()) == len(words)
            and all(
                same_word(one, other) for one, other in zip(words, fold(name).split(), strict=True)
            )
            for name in known.names.values()
        )
    ]
    return fitting[0] if len(fitting) == 1 else None


def _wanted(route: Route) -> str | None:
    return route.action if route.purpose == "mutate" else None

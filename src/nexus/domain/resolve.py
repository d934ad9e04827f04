"""The decision: one thing, several, or none. A wrong "resolved" is the worst it could say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nexus.contract import (
    Ambiguous,
    Candidate,
    Grade,
    Language,
    NotFound,
    Purpose,
    Resolution,
    Resolved,
)
from nexus.domain.distinguish import distinguish
from nexus.domain.match import Match, Tier, best
from nexus.domain.names import script_of

_CONFIDENCE: dict[Grade, float] = {
    "id": 1.0,
    "external": 1.0,
    "exact": 0.99,
    "inflected": 0.97,
    "transliterated": 0.95,
    "reordered": 0.93,
    "partial": 0.6,
    "typo": 0.4,
}
"""By rule, not yet by measurement."""
MOST_CANDIDATES = 20
_MOST_SUGGESTIONS = 5


def language_of(text: str, language: Language | None) -> Language:
    """The language to answer in: the one asked for, or that of the letters."""
    return language or ("ru" if script_of(text) in {"cyrillic", "mixed"} else "en")


def decide(
    matches: Sequence[Match],
    purpose: Purpose,
    language: Language,
    focus: Sequence[str] = (),
    places: Mapping[str, str] | None = None,
) -> Resolution:
    """Say which entity is meant, that it is ambiguous, or that there is none.

    Args:
        matches: what the index found.
        purpose: what the answer is for.
        language: the language of the labels.
        focus: entities the conversation is about; they come first among equals, no more.
        places: where an entity is or runs, to tell namesakes apart.
    """
    ranked = sorted(
        best(matches),
        key=lambda match: (
            match.tier,
            _place_of(match.entity.entity_id, focus),
            match.entity.label(language),
            match.entity.entity_id,
        ),
    )
    if not ranked:
        return NotFound()
    top = [match for match in ranked if match.tier == ranked[0].tier]
    if len(top) == 1 and top[0].may_resolve(purpose):
        return _resolved(top[0], language)
    if len(top) > 1 and top[0].tier < Tier.LOOSE:
        return Ambiguous(candidates=_candidates(top[:MOST_CANDIDATES], language, places or {}))
    return NotFound(suggestions=_candidates(ranked[:_MOST_SUGGESTIONS], language, places or {}))


def _place_of(entity_id: str, focus: Sequence[str]) -> int:
    return focus.index(entity_id) if entity_id in focus else len(focus)


def _resolved(match: Match, language: Language) -> Resolved:
    entity = match.entity
    return Resolved(
        entity_id=entity.entity_id,
        type=entity.type,
        names=dict(entity.names),
        label=entity.label(language),
        grade=match.grade,
        evidence=match.evidence,
        confidence=_CONFIDENCE[match.grade],
        revision=entity.revision,
    )


def _candidates(
    matches: Sequence[Match], language: Language, places: Mapping[str, str]
) -> list[Candidate]:
    marks = distinguish(
        labels=[match.entity.label(language) for match in matches],
        types=[match.entity.type for match in matches],
        places=[places.get(match.entity.entity_id, "") for match in matches],
        ids=[match.entity.entity_id for match in matches],
    )
    return [
        Candidate(
            entity_id=match.entity.entity_id,
            type=match.entity.type,
            names=dict(match.entity.names),
            label=match.entity.label(language),
            grade=match.grade,
            evidence=match.evidence,
            confidence=_CONFIDENCE[match.grade],
            distinguished_by=mark,
        )
        for match, mark in zip(matches, marks, strict=True)
    ]

"""The decision: one thing, several, or none. A wrong "resolved" is the worst it could say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

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
from nexus.domain.likelihood import CERTAIN, CERTAIN_OF_A_PART, CONTENDER, UNLIKELY, probabilities
from nexus.domain.match import Known, Match, Tier
from nexus.domain.names import script_of

_CONFIDENCE: dict[Grade, float] = {
    "id": 1.0,
    "external": 1.0,
    "confirmed": 0.999,
    "exact": 0.998,
    "inflected": 0.995,
    "transliterated": 0.995,
    "reordered": 0.995,
    "focus": 0.9,
}
"""For firm matches, at least as often right on labelled questions."""
MOST_CANDIDATES = 20
MOST_SUGGESTIONS = 10


class Ranked(msgspec.Struct, frozen=True):
    """A match, how likely it is the one meant, and what is known of its entity."""

    match: Match
    confidence: float
    entity: Known


def language_of(text: str, language: Language | None) -> Language:
    """The language to answer in: the one asked for, or that of the letters."""
    return language or ("ru" if script_of(text) in {"cyrillic", "mixed"} else "en")


def rank(
    matches: Sequence[Match],
    known: Mapping[str, Known],
    language: Language,
    focus: Sequence[str] = (),
) -> list[Ranked]:
    """The matches, the nearest and likeliest first; among equals what the talk is about."""
    near = [match for match in matches if not match.is_firm]
    odds = probabilities([match.likelihood for match in near])
    likely = {match.entity_id: share for match, share in zip(near, odds, strict=True)}
    ranked = [
        Ranked(
            match,
            likely.get(match.entity_id, _CONFIDENCE.get(match.grade, 0.99)),
            known[match.entity_id],
        )
        for match in matches
        if match.entity_id in known
    ]

    def nearness(each: Ranked) -> tuple[int, bool, float, int, str, str]:
        match = each.match
        return (
            match.tier,
            not match.is_confirmed,
            -round(match.likelihood, 6),
            focus.index(match.entity_id) if match.entity_id in focus else len(focus),
            each.entity.label(language),
            match.entity_id,
        )

    return sorted(ranked, key=nearness)


def decide(
    ranked: Sequence[Ranked],
    purpose: Purpose,
    language: Language,
    places: Mapping[str, str] | None = None,
) -> Resolution:
    """Say which entity is meant, that it is ambiguous, or that there is none.

    Args:
        ranked: what was found, the nearest first.
        purpose: what the answer is for.
        language: the language of the labels.
        places: where an entity is or runs, to tell namesakes apart.
    """
    if not ranked:
        return NotFound()
    equals = _equals(ranked)
    if len(equals) == 1 and _may_resolve(equals[0], purpose):
        return _resolved(equals[0], language)
    if len(equals) > 1:
        return Ambiguous(candidates=candidates(equals[:MOST_CANDIDATES], language, places))
    return NotFound(suggestions=candidates(ranked[:MOST_SUGGESTIONS], language, places))


def candidates(
    ranked: Sequence[Ranked], language: Language, places: Mapping[str, str] | None = None
) -> list[Candidate]:
    """What may be meant, each with what tells it from the others."""
    marks = distinguish(
        labels=[each.entity.label(language) for each in ranked],
        types=[each.entity.type for each in ranked],
        places=[(places or {}).get(each.entity.entity_id, "") for each in ranked],
        ids=[each.entity.entity_id for each in ranked],
    )
    return [
        Candidate(
            entity_id=each.entity.entity_id,
            type=each.entity.type,
            names=dict(each.entity.names),
            label=each.entity.label(language),
            grade=each.match.grade,
            evidence=each.match.evidence,
            confidence=each.confidence,
            distinguished_by=mark,
        )
        for each, mark in zip(ranked, marks, strict=True)
    ]


def _equals(ranked: Sequence[Ranked]) -> list[Ranked]:
    """Those between which nothing decides; one where it is plain which is meant."""
    first = ranked[0]
    if first.match.is_firm:
        tied = [each for each in ranked if each.match.tier == first.match.tier]
        confirmed = [each for each in tied if each.match.is_confirmed]
        return confirmed or tied
    if sum(each.confidence for each in ranked) < UNLIKELY:
        return [first]
    return [
        each
        for each in ranked
        if each.confidence >= first.confidence * CONTENDER
        or (each.match.is_clean and first.match.is_clean and each.confidence >= 0.002)
    ]


def _may_resolve(each: Ranked, purpose: Purpose) -> bool:
    """Whether this match, with nothing beside it, is an answer."""
    if each.match.is_firm:
        return purpose == "read" or (each.match.is_active and not _is_read_into(each.match))
    is_part = each.match.is_clean and not each.match.is_begun
    certain = CERTAIN_OF_A_PART if is_part else CERTAIN
    return purpose == "read" and each.confidence >= certain


def _is_read_into(match: Match) -> bool:
    """Whether Latin letters were taken for a case form of a Russian name: `marine`, «Марине»."""
    is_bent = match.tier in {Tier.BENT, Tier.REORDERED} and match.is_respelt
    return is_bent and script_of(match.evidence) == "cyrillic"


def _resolved(each: Ranked, language: Language) -> Resolved:
    return Resolved(
        entity_id=each.entity.entity_id,
        type=each.entity.type,
        names=dict(each.entity.names),
        label=each.entity.label(language),
        grade=each.match.grade,
        evidence=each.match.evidence,
        confidence=each.confidence,
        revision=each.entity.revision,
    )

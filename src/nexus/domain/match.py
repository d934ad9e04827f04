"""How a name matched: what had to be done to it, and how near that leaves it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from nexus.contract import Grade, Language, Purpose


class Tier(IntEnum):
    """Nearness, the nearest first; two entities on the best tier are a tie."""

    ID = 0
    EXTERNAL = 1
    NAME = 2
    """As registered, in either alphabet: a namesake in the other alphabet is a namesake."""
    BENT = 3
    REORDERED = 4
    PART = 5
    SLIP = 6
    LOOSE = 7
    """Something in the question stayed unexplained, or nobody vouches for the name."""


class Manner(NamedTuple):
    """What had to be done to a name to meet the question."""

    slipped: bool = False
    part: bool = False
    reordered: bool = False
    bent: bool = False
    """Put into a case of Russian."""
    crossed: bool = False
    """Written in the other alphabet, or in the other language where it is a word for a kind."""

    def also(self, other: Manner) -> Manner:
        """What had to be done to two words together."""
        return Manner(*(one or more for one, more in zip(self, other, strict=True)))

    @property
    def grade(self) -> Grade:
        """The rule to name, the farthest of those that were needed."""
        if self.slipped:
            return "typo"
        if self.part:
            return "partial"
        if self.reordered:
            return "reordered"
        if self.crossed:
            return "transliterated"
        return "inflected" if self.bent else "exact"

    @property
    def tier(self) -> Tier:
        """How near it leaves the name; the alphabet makes no difference."""
        rules = {
            Tier.SLIP: self.slipped,
            Tier.PART: self.part,
            Tier.REORDERED: self.reordered,
            Tier.BENT: self.bent,
        }
        return next((tier for tier, is_needed in rules.items() if is_needed), Tier.NAME)


_PLAINEST: tuple[Grade, ...] = (
    "id",
    "exact",
    "inflected",
    "transliterated",
    "external",
    "reordered",
    "partial",
    "typo",
)


@dataclass(frozen=True, slots=True)
class Known:
    """What resolution needs to know of an entity."""

    entity_id: str
    type: str
    names: Mapping[str, str]
    revision: int
    active: bool

    def label(self, language: Language) -> str:
        """The display name in this language, or in the other."""
        return self.names.get(language) or next(iter(self.names.values()))


@dataclass(frozen=True, slots=True)
class Match:
    """A way in which a question names an entity."""

    entity: Known
    grade: Grade
    tier: Tier
    evidence: str

    def is_firm(self) -> bool:
        """Whether the whole question was a name somebody vouches for."""
        return self.tier < Tier.PART

    def may_resolve(self, purpose: Purpose) -> bool:
        """Whether this match, alone on its tier, is an answer."""
        if purpose == "read":
            return self.tier <= Tier.PART
        return self.is_firm() and self.entity.active


def best(matches: Iterable[Match]) -> list[Match]:
    """The nearest match of each entity, the nearest entity first."""

    def nearness(match: Match) -> tuple[int, int, str]:
        # Slips of one entity's names are all alike: the order the names came in must not decide.
        told = match.evidence if match.grade == "typo" else ""
        return match.tier, _PLAINEST.index(match.grade), told

    nearest: dict[str, Match] = {}
    for match in sorted(matches, key=nearness):
        nearest.setdefault(match.entity.entity_id, match)
    return list(nearest.values())

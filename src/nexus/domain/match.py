"""How a name matched: what had to be done to it, and how near that leaves it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple

import msgspec

from nexus.contract import Grade, Language


class Tier(IntEnum):
    """Nearness, the nearest first; two entities on the best tier are a tie."""

    ID = 0
    EXTERNAL = 1
    NAME = 2
    """As registered, in either alphabet: a namesake in the other alphabet is a namesake."""
    BENT = 3
    REORDERED = 4
    NEAR = 5
    """Part of a name, a slip, or something left unexplained: likely, never certain."""


class Manner(NamedTuple):
    """What had to be done to a word or a name to meet the question, short of changing letters."""

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
        if self.reordered:
            return "reordered"
        if self.crossed:
            return "transliterated"
        return "inflected" if self.bent else "exact"

    @property
    def tier(self) -> Tier:
        """How near it leaves the name; the alphabet makes no difference."""
        if self.reordered:
            return Tier.REORDERED
        return Tier.BENT if self.bent else Tier.NAME


_PLAINEST: tuple[Grade, ...] = (
    "id",
    "confirmed",
    "exact",
    "inflected",
    "transliterated",
    "external",
    "reordered",
    "focus",
    "partial",
    "acronym",
    "layout",
    "sound",
    "typo",
)


class Known(msgspec.Struct, frozen=True):
    """What an answer says of an entity."""

    entity_id: str
    type: str
    names: dict[str, str]
    revision: int
    active: bool

    def label(self, language: Language) -> str:
        """The display name in this language, or in the other."""
        return self.names.get(language) or next(iter(self.names.values()))


class Match(msgspec.Struct, frozen=True):
    """A way in which a question names an entity."""

    entity_id: str
    type: str
    grade: Grade
    tier: Tier
    evidence: str
    is_confirmed: bool = False
    """A person said that this is its name."""
    is_active: bool = True
    is_respelt: bool = False
    """A firm match by another alphabet, or by the other language's word for a kind."""
    likelihood: float = 0.0
    """For a near match, its log-odds against something nobody registered."""
    is_clean: bool = False
    """For a near match, that every word asked is a word of the name, as it is or bent."""
    is_begun: bool = False
    """For a near match, that a word asked is only the beginning of a word of the name."""
    is_whole: bool = False
    """For a near match, that nothing asked and nothing of the name is left over."""

    @property
    def is_firm(self) -> bool:
        """Whether the whole question was a name somebody vouches for."""
        return self.tier < Tier.NEAR


def best(matches: Iterable[Match]) -> list[Match]:
    """The nearest match of each entity, the nearest entity first."""

    def nearness(match: Match) -> tuple[int, bool, float, int]:
        return (
            match.tier,
            not match.is_confirmed,
            -match.likelihood,
            _PLAINEST.index(match.grade),
        )

    nearest: dict[str, Match] = {}
    for match in sorted(matches, key=nearness):
        nearest.setdefault(match.entity_id, match)
    return list(nearest.values())

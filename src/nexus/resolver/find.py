"""Every entity a text may name, each by its nearest match."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from nexus.domain.match import Match, Tier, best
from nexus.domain.query import understand
from nexus.resolver.asked import Asked
from nexus.resolver.firm import verbatim, whole_names
from nexus.resolver.near import near_names
from nexus.store.finding import NameReader

_AS_A_WORD = 4.0
"""Log-odds of an external id whose system is not named and which is a word of names as well."""
_OF_ANOTHER = 9.0
"""Log-odds that a near name loses where the text is the name of something archived."""
_RIVAL = 1.0
"""Log-odds from which on a near name stands beside one that is only spelt in another alphabet."""


def find(
    reader: NameReader, text: str, types: Sequence[str] = (), *, strictly: bool = False
) -> list[Match]:
    """The entities, the nearest first.

    Args:
        reader: the names.
        text: the question.
        types: only entities of these types or below them; empty means any.
        strictly: also look for others that may bear, undeclared, the name found.
    """
    spoken = text.strip()
    by_id = verbatim(reader, spoken, types)
    if any(match.tier <= Tier.EXTERNAL for match in by_id):
        return best(by_id)
    understood = understand(spoken)
    asked = Asked(reader)
    whole = best(whole_names(reader, asked, understood, types))
    named = [match for match in whole if match.is_active]
    if strictly and _is_only_respelt(named):
        named += _rivals(named[0], near_names(reader, asked, spoken, types))
    if named:
        return best([*by_id, *named])
    near = near_names(reader, asked, spoken, types)
    if whole:
        near = [_unlike(match) for match in near]
    elif any(match.is_clean for match in near):
        by_id = [_as_a_word(match) for match in by_id]
    return best([*by_id, *near])


def _is_only_respelt(found: Sequence[Match]) -> bool:
    return len(found) == 1 and found[0].is_respelt


def _rivals(crossed: Match, near: Sequence[Match]) -> list[Match]:
    """Others that may be called so in the alphabet asked in, where nobody declared the name."""
    return [
        replace(match, tier=crossed.tier)
        for match in near
        if match.entity_id != crossed.entity_id
        if match.is_whole and match.likelihood >= _RIVAL
    ]


def _unlike(match: Match) -> Match:
    """A near match of a text that is, to the letter, the name of something archived."""
    return replace(match, likelihood=match.likelihood - _OF_ANOTHER, is_clean=False)


def _as_a_word(match: Match) -> Match:
    return replace(match, tier=Tier.NEAR, likelihood=_AS_A_WORD, is_clean=True)

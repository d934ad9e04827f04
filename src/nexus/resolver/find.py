"""Every entity a text may name, each by its nearest match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nexus.domain.match import Match, Tier, best
from nexus.domain.query import understand
from nexus.resolver.asked import Asked
from nexus.resolver.firm import verbatim, whole_names
from nexus.resolver.near import near_names
from nexus.store.finding import NameReader

_AS_A_WORD = 4.0
"""Log-odds of an external id whose system is not named and which is a word of names as well."""


def find(reader: NameReader, text: str, types: Sequence[str] = ()) -> list[Match]:
    """The entities, the nearest first.

    Args:
        reader: the names.
        text: the question.
        types: only entities of these types or below them; empty means any.
    """
    spoken = text.strip()
    by_id = verbatim(reader, spoken, types)
    if any(match.tier <= Tier.EXTERNAL for match in by_id):
        return best(by_id)
    understood = understand(spoken)
    asked = Asked(reader)
    found = [*by_id, *whole_names(reader, asked, understood, types)]
    if len(found) == len(by_id):
        near = near_names(reader, asked, spoken, types)
        if any(match.is_clean for match in near):
            found = [_as_a_word(match) for match in found]
        found += near
    return best(found)


def _as_a_word(match: Match) -> Match:
    return replace(match, tier=Tier.NEAR, likelihood=_AS_A_WORD, is_clean=True)

"""What a text points at without naming it, among what the conversation is about."""

from __future__ import annotations

from collections.abc import Sequence

from nexus.domain.focus import pointing_at
from nexus.domain.lexicon import is_of_type
from nexus.domain.match import Match, Tier
from nexus.store.finding import NameReader

_LIKELY = 4.0
"""Log-odds of the only thing in focus that fits."""


def in_focus(
    reader: NameReader, text: str, types: Sequence[str], focus: Sequence[str]
) -> list[Match] | None:
    """The entities in focus that the text may point at; None where it does not just point."""
    kinds = pointing_at(text)
    if kinds is None:
        return None
    return [
        Match(entity_id, kind, "focus", Tier.NEAR, text.strip(), likelihood=_LIKELY, is_clean=True)
        for each in dict.fromkeys(focus)
        for entity_id, kind, is_active in reader.by_id(each)
        if is_active and all(concept.agrees_with(kind) for concept in kinds)
        if not types or is_of_type(kind, types)
    ]

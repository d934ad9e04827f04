"""What is wrong with a thing, read from the facts of an item rather than from its words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from praxis.contract import Item, SourceState

Ailment = Literal["silent", "slow", "degraded", "failing", "ill"]
"""Does not answer, not in time, answers but not fully, answers with failures, or not well."""
_OF_REASON: dict[str, Ailment] = {
    "unreachable": "silent",
    "unavailable": "silent",
    "connection_lost": "silent",
    "timeout": "slow",
    "deadline_exceeded": "slow",
    "degraded": "degraded",
    "internal": "failing",
    "contract_broken": "failing",
}


def ailment(item: Item) -> Ailment:
    """How a health item is ill, by the newest evidence against it."""
    details = _newest(item)
    return _OF_REASON.get(details.get("reason", ""), "ill")


def ill_since(item: Item, sources: Sequence[SourceState]) -> datetime:
    """Since when: the change of its source's state, else when the item was first seen."""
    source = next((each for each in sources if each.source == item.source), None)
    return (source and source.last_change_at) or item.first_seen


def silent_source(item: Item) -> str:
    """Which source an item of a silent source is about."""
    return _newest(item).get("source") or item.key.removeprefix("source:")


def silent_since(item: Item) -> datetime:
    """When a silent source was last heard, as far as the item tells."""
    told = _newest(item).get("last_observed_at")
    try:
        return datetime.fromisoformat(told) if told else item.first_seen
    except ValueError:
        return item.first_seen


def source_name(source: str) -> str:
    """What a source itself calls the thing it reports on: `vecna` for `health:vecna`."""
    return source.partition(":")[2] or source


def bare_name(item: Item) -> str:
    """What to call an item when no name of its entity is known; nothing is made up."""
    if item.kind == "recovery":
        return item.entity_id or item.key
    return source_name(silent_source(item) if item.kind == "source" else item.source)


def _newest(item: Item) -> dict[str, str]:
    against = [each.details for each in item.evidence if each.state != "ok"]
    return against[-1] if against else {}

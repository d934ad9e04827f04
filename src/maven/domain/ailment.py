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
    """Since when: the change of its source's state, else when this episode began."""
    source = next((each for each in sources if each.source == item.source), None)
    return (source and source.last_change_at) or item.active_since or item.first_seen


def of_health(sources: Sequence[SourceState]) -> SourceState | None:
    """The source that tells how a thing is: one of its health, or else who spoke of it last."""
    health = next((each for each in sources if each.kind == "health"), None)
    heard = [(each.last_observed_at, each) for each in sources if each.last_observed_at]
    latest = max(heard, key=lambda each: each[0], default=None)
    return health or (latest[1] if latest else next(iter(sources), None))


def silent_source(item: Item) -> str:
    """Which source an item of a silent source is about."""
    return _newest(item).get("source") or item.key.removeprefix("source:")


def silent_since(item: Item) -> datetime:
    """When a silent source was last heard, as far as the item tells."""
    told = _newest(item).get("last_observed_at")
    try:
        return datetime.fromisoformat(told) if told else began(item)
    except ValueError:
        return began(item)


def began(item: Item) -> datetime:
    """When the present episode began."""
    return item.active_since or item.first_seen


def bare_name(item: Item) -> str:
    """What to call an item when no name of its entity is known; nothing is made up."""
    if item.kind == "recovery":
        return item.entity_id or item.key
    return silent_source(item) if item.kind == "source" else item.source


def acted_at(item: Item) -> datetime:
    """When something was last done about it."""
    latest = max((each.at for each in item.executions), default=None)
    return latest or item.active_since or item.first_seen


def acted_by(item: Item) -> str:
    """What was last done about it; empty when that is not known."""
    latest = max(item.executions, key=lambda each: each.at, default=None)
    return latest.action if latest else ""


def is_awaited(item: Item, now: datetime) -> bool:
    """Whether all there is to do is to wait for it to be seen healthy, and it still has time."""
    return item.awaiting_recovery and item.recover_by is not None and now < item.recover_by


def _newest(item: Item) -> dict[str, str]:
    against = [each.details for each in item.evidence if each.state != "ok"]
    return against[-1] if against else {}

"""What Maven keeps an eye on after an execution, and when there is something to tell about it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

import msgspec

from hexis.contract.execution import FINAL, Execution
from maven.domain.dialogue import Known
from maven.domain.utterance import Language
from praxis.contract import Change, SourceState


class Watch(msgspec.Struct, frozen=True, kw_only=True):
    """One execution whose end or effect is not known yet."""

    execution_id: str
    requester: str
    conversation_id: str
    turn_id: str
    correlation_id: str
    language: Language
    action: str
    target: Known
    expects_recovery: bool
    created_at: datetime
    give_up_at: datetime
    told: str | None = None
    """The state of the execution the person has heard of."""
    ended_at: datetime | None = None
    """When it came to that state."""


class News(msgspec.Struct, frozen=True):
    """Something to tell about a watched execution."""

    watch: Watch
    kind: Literal["recovered", "not_recovered", "execution_finished"]
    at: datetime
    """When it came to be so."""
    state: str
    """How the execution itself ended, as far as is known."""
    item_ids: list[str] = []
    is_last: bool = True
    """Nothing more is to be expected of this watch."""
    process_started_at: datetime | None = None
    """When the process now running started, where that settles what nobody saw."""


def from_change(watch: Watch, change: Change) -> News | None:
    """What a step of Praxis's feed means for a watch."""
    if change.execution_id != watch.execution_id:
        return None
    items = [change.item_id] if change.item_id else []
    match change.what:
        case "item_recovered":
            told = change.details.get("recovered_at")
            at = datetime.fromisoformat(told) if told else change.at
            return News(watch, "recovered", at, "succeeded", items)
        case "item_not_recovered":
            return News(watch, "not_recovered", change.at, "succeeded", items, is_last=False)
        case _:
            return None


def from_changes(watch: Watch, changes: Iterable[Change]) -> list[News]:
    """Everything a page of the feed means for a watch, up to the last word on it."""
    told: list[News] = []
    for change in changes:
        news = from_change(watch, change)
        if news is not None:
            told.append(news)
            if news.is_last:
                break
    return told


def from_execution(watch: Watch, execution: Execution) -> News | None:
    """What the end of an execution means for a watch whose person has not heard of it."""
    if execution.state not in FINAL or watch.told == execution.state:
        return None
    awaits = execution.state == "succeeded" and watch.expects_recovery
    at = execution.finished_at or execution.created_at
    return News(watch, "execution_finished", at, execution.state, is_last=not awaits)


def from_instance(watch: Watch, sources: Iterable[SourceState]) -> News | None:
    """What a new process says of an execution whose own end nobody saw."""
    for source in sources:
        started = source.instance_started_at
        if started is not None and started > watch.created_at and source.last_state == "ok":
            return News(watch, "execution_finished", started, "unknown", process_started_at=started)
    return None


def from_health(watch: Watch, sources: Iterable[SourceState]) -> News | None:
    """That the thing was seen healthy after the end, whether or not an item had waited for it.

    No item waits, and no change tells of recovery, when health was seen before Praxis heard of the
    end.
    """
    if watch.told != "succeeded" or watch.ended_at is None:
        return None
    for source in sources:
        seen, changed = source.last_observed_at, source.last_change_at
        is_well = source.kind == "health" and source.last_state == "ok"
        if is_well and source.freshness == "fresh" and seen and seen > watch.ended_at:
            at = changed if changed and changed > watch.ended_at else seen
            return News(watch, "recovered", at, "succeeded")
    return None


def given_up(watch: Watch, now: datetime) -> News | None:
    """That nothing was heard for too long."""
    if now < watch.give_up_at:
        return None
    return News(watch, "not_recovered", now, watch.told or "unknown")

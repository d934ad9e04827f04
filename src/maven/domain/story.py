"""The story of one execution, joined from what Hexis did and what Praxis then saw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from hexis.contract.execution import FINAL, Execution
from maven.domain.dialogue import Known
from praxis.contract import Change, SourceState

_CONFIRMED = frozenset({"protected", "critical"})
"""Risks that nothing is done at without a yes; with it, it begins at once."""


@dataclass(frozen=True, slots=True)
class Story:
    """What is known, with its times; None means it is not known to have happened."""

    execution_id: str
    action: str
    target: Known | None
    requester: str
    state: str
    asked_at: datetime | None = None
    confirmed_at: datetime | None = None
    """When the yes to it was taken, or passed on; none where none was needed."""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    process_started_at: datetime | None = None
    healthy_at: datetime | None = None
    not_recovered_at: datetime | None = None
    is_watched: bool = False
    """Praxis could be asked, so a missing `healthy_at` means not yet."""


def of_execution(
    execution: Execution, changes: Sequence[Change] | None, sources: Sequence[SourceState] | None
) -> Story:
    """The story of an execution Hexis knows; without Praxis, what came after is left open."""
    target = Known(execution.target.entity_id, execution.target.names, execution.target.type)
    ended = execution.finished_at if execution.state in FINAL else None
    since = execution.started_at or execution.created_at
    seen = [
        change
        for change in changes or ()
        if change.entity_id == target.entity_id and change.at >= since
    ]
    started = _process_start(seen, sources or (), since)
    return Story(
        execution_id=execution.execution_id,
        action=execution.action,
        target=target,
        requester=execution.requester,
        state=execution.state,
        asked_at=execution.created_at,
        confirmed_at=execution.started_at if execution.risk in _CONFIRMED else None,
        started_at=execution.started_at,
        ended_at=ended,
        process_started_at=started,
        healthy_at=_healthy(
            seen, execution.execution_id, sources or (), _after(ended, started), execution.state
        ),
        not_recovered_at=_last(seen, "item_not_recovered"),
        is_watched=changes is not None,
    )


def of_changes(changes: Sequence[Change], action: str, names: Known | None) -> Story | None:
    """The story as Praxis alone can tell it: the newest execution it heard of."""
    reported = [
        change
        for change in changes
        if change.what == "execution_reported" and change.details.get("action", action) == action
    ]
    if not reported:
        return None
    last = reported[-1]
    of_it = [change for change in reported if change.execution_id == last.execution_id]
    ended = next((_at(each) for each in of_it if each.details.get("state") in FINAL), None)
    after = [
        each for each in changes if each.entity_id == last.entity_id and each.at >= of_it[0].at
    ]
    state = last.details.get("state", "unknown")
    started = _process_start(after, (), _at(of_it[0]))
    return Story(
        execution_id=last.execution_id or "",
        action=action,
        target=names,
        requester=last.details.get("requester", last.actor),
        state=state,
        started_at=_at(of_it[0]),
        ended_at=ended,
        process_started_at=started,
        healthy_at=_healthy(after, last.execution_id or "", (), _after(ended, started), state),
        not_recovered_at=_last(after, "item_not_recovered"),
        is_watched=True,
    )


def _at(change: Change) -> datetime:
    """When it happened, which may be before Praxis heard of it."""
    told = change.details.get("at")
    return datetime.fromisoformat(told) if told else change.at


def _after(ended: datetime | None, started: datetime | None) -> datetime | None:
    """Before which nothing seen says anything of what was done."""
    return max(ended, started) if ended and started else ended


def _healthy(
    changes: Sequence[Change],
    execution_id: str,
    sources: Sequence[SourceState],
    ended: datetime | None,
    state: str,
) -> datetime | None:
    """When it was first seen healthy after the end; a command's success is not that."""
    if ended is None:
        return None
    for change in changes:
        of_this = change.execution_id in (None, execution_id)
        if change.what == "item_recovered" and of_this and change.details.get("kind") != "source":
            told = change.details.get("recovered_at")
            times = [datetime.fromisoformat(told)] if told else []
            seen = next((at for at in [*times, change.at] if at >= ended), None)
            if seen:
                return seen
    if state != "succeeded":
        return None
    for source in sources:
        observed = source.last_observed_at
        is_health = source.kind == "health" and source.last_state == "ok"
        if is_health and source.freshness == "fresh" and observed and observed > ended:
            changed = source.last_change_at
            return changed if changed and changed > ended else observed
    return None


def _process_start(
    changes: Sequence[Change], sources: Sequence[SourceState], since: datetime
) -> datetime | None:
    for change in reversed(changes):
        if change.what == "instance_changed" and "started_at" in change.details:
            started = datetime.fromisoformat(change.details["started_at"])
            if started >= since:
                return started
    starts = [source.instance_started_at for source in sources if source.instance_started_at]
    return max((start for start in starts if start >= since), default=None)


def _last(changes: Sequence[Change], what: str) -> datetime | None:
    return next((change.at for change in reversed(changes) if change.what == what), None)

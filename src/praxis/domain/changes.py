"""What happened to an item between two states of it, as steps of the change feed."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from praxis.contract import What
from praxis.domain.item import Facts
from praxis.domain.observation import gravity


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of the feed, before it has a cursor."""

    what: What
    actor: str
    item_id: str | None = None
    entity_id: str | None = None
    source: str | None = None
    execution_id: str | None = None
    details: dict[str, str] = field(default_factory=dict[str, str])


def between(
    before: Facts,
    after: Facts,
    newly_awaited: frozenset[str],
    observed_at: datetime,
    *,
    told_again: bool = False,
) -> list[tuple[What, str | None, dict[str, str]]]:
    """The steps from one state to the next: what, after which execution, and its details.

    Args:
        before: the facts as they were last told.
        after: the facts as they are now.
        newly_awaited: remedies this item was not known to wait for.
        observed_at: when the cause was observed, for the reader of the feed.
        told_again: it has just come back although a person had called it resolved.
    """
    told = {
        "kind": after.kind,
        "severity": after.shown_severity,
        "observed_at": observed_at.isoformat(),
    }
    steps: list[tuple[What, str | None, dict[str, str]]] = []
    if before.episodes and not before.is_active and not after.is_active:
        return steps  # a late report told of an episode that is over
    how = {**told, "state": after.state, "title": after.title[:200]}
    if after.episodes > before.episodes and not before.is_active:
        steps.append(("item_reopened" if before.episodes else "item_opened", None, how))
    elif after.is_active:
        if gravity(after.severity) > gravity(before.severity):
            steps.append(("item_worsened", None, {**told, "was": before.shown_severity}))
        if told_again:
            steps.append(("item_reopened", None, {**how, "reason": "reported_again"}))
    if after.is_flapping and not before.is_flapping:
        steps.append(("item_flapping", None, told))
    return steps + _waits(before, after, newly_awaited, told)


def _waits(
    before: Facts, after: Facts, newly_awaited: frozenset[str], told: dict[str, str]
) -> list[tuple[What, str | None, dict[str, str]]]:
    """How waiting for a recovery began, and how it ended."""
    steps: list[tuple[What, str | None, dict[str, str]]] = []
    for name in sorted(newly_awaited):
        deadline = {"recover_by": after.recover_by.isoformat()} if after.recover_by else {}
        steps.append(("item_awaiting_recovery", name, {**told, **deadline}))
    if after.lapsed_at is not None and after.lapsed_at != before.lapsed_at:
        steps.append(("item_not_recovered", after.awaiting, told))
    if after.recovered_at is not None:
        recovered = {**told, "recovered_at": after.recovered_at.isoformat()}
        if before.is_flapping:
            recovered["flaps"] = str(before.flaps)
        steps.append(("item_recovered", after.recovered_after, recovered))
    return steps

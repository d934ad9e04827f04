"""Tell Praxis: observations, one or many, and how far executions have come."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from kit.contract import Id, Reply, Request, Short, Text, Time
from praxis.contract.state import ExecutionState, Key, Kind, ObservedState, Severity, SourceName

Subject = Annotated[str, Meta(max_length=200)]
Group = Annotated[str, Meta(max_length=200)]
Link = Annotated[str, Meta(max_length=500)]
"""An address; text that is shown and never followed."""


class Observe(Request):
    """A source reports one fact."""

    source: SourceName
    kind: Kind
    state: ObservedState
    summary: Text
    event_id: Key | None = None
    """The source's own id of this report: the same id twice is one observation, so sending again
    is safe. Absent: every sending is a report of its own."""
    key: Key | None = None
    """Which item of the source this is about. Absent: the one that bears the source's own name."""
    observed_at: Time | None = None
    """Absent: now."""
    severity: Severity = "warning"
    entity_id: Id | None = None
    """Absent: the entity of the source, whatever that is now."""
    subject: Subject = ""
    """What it is about in the words of the source, such as `instance=nas:9100`; Nexus is asked."""
    group: Group = ""
    """What items of one cause have in common."""
    link: Link = ""
    details: Annotated[dict[Short, Short], Meta(max_length=32)] = {}


class Observed(Reply):
    """What became of an observation."""

    observation_id: Id
    duplicate: bool
    item_id: Id | None


class ObserveBatch(Request):
    """Sources report many facts; all are taken, or none."""

    observations: Annotated[list[Observe], Meta(min_length=1, max_length=1000)]


class ObservedBatch(Reply):
    """What became of each, in their order."""

    observed: list[Observed]


class ReportExecution(Request):
    """Hexis tells how far an execution has come; the same state of the same one counts once."""

    execution_id: Id
    state: ExecutionState
    capability_id: Short
    action: Short
    entity_id: Id
    requester: Short
    at: Time
    expects_recovery: bool = False
    """After success the entity must be seen healthy again."""
    recover_within_s: Annotated[float, Meta(gt=0, le=86400)] = 30.0


class ExecutionReported(Reply):
    """The items the execution was linked to."""

    item_ids: list[Id]
    duplicate: bool

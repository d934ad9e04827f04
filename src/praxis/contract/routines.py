"""Routines: what is expected to happen by a certain time; that it did not is an item."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from kit.contract import Id, Reply, Request, Short, Time
from praxis.contract.state import Key, Severity, SourceName

RoutineName = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9_.-]*$(?!\n)", max_length=60)]
"""Which routine, such as `nightly-backup`."""
RoutineStanding = Literal["new", "up", "started", "grace", "late", "failed"]
"""Not run yet; in time; under way; due and not late yet; not completed; its last run failed."""
Expression = Annotated[str, Meta(min_length=1, max_length=200)]


class PutRoutine(Request):
    """Expect something by a time, or change what is expected."""

    routine: RoutineName
    source: SourceName = "routines"
    """Who reports that it was done; none means `praxis ping` and `praxis job`."""
    key: Key | None = None
    """And by which key; none takes the routine's own name."""
    title: Short | None = None
    """How people call it; none takes the routine's name."""
    every_s: Annotated[float, Meta(ge=1, le=366 * 86400)] | None = None
    """Exactly one of `every_s`, `cron` and `calendar` says when it is due."""
    cron: Expression | None = None
    """A cron line, such as `30 3 * * *`."""
    calendar: Expression | None = None
    """A calendar expression of systemd, such as `Mon..Fri 10:00`."""
    zone: Annotated[str, Meta(max_length=60)] = "UTC"
    """Where `cron` and `calendar` are read, such as `Europe/Berlin`."""
    grace_s: Annotated[float, Meta(ge=0, le=31 * 86400)] = 300.0
    """How much later than due is still in time; also how long one run may take."""
    severity: Severity = "warning"
    entity_id: Id | None = None


class RoutineState(Reply):
    """A routine and how it stands."""

    routine: str
    title: str
    source: str
    key: str
    standing: RoutineStanding
    zone: str
    grace_s: float
    every_s: float | None
    cron: str | None
    calendar: str | None
    due_at: Time | None
    """When it is due next, or has been since; none where the schedule never comes again."""
    last_done_at: Time | None
    started_at: Time | None
    """When the run under way began."""
    entity_id: Id | None


class ListRoutines(Request):
    """What is expected, and how does it stand?"""

    entity_ids: Annotated[list[Id], Meta(max_length=50)] = []


class RoutineList(Reply):
    """Routines by name."""

    routines: list[RoutineState]

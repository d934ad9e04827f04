"""When a routine is due, and how it stands; schedules are read in their own time zone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from cronsim import CronSim, CronSimError
from oncalendar import OnCalendar, OnCalendarError

from kit.zones import zone_of
from praxis.contract import RoutineStanding, Severity

_EARLY = 0.1
"""Share of the time between two runs by which a run may come early and still count for the next."""
_EARLIEST = timedelta(minutes=30)
"""But no more than this."""


class Unreadable(Exception):
    """A schedule that cannot be read, with the field that holds it."""

    def __init__(self, why: str, field: str) -> None:
        super().__init__(why)
        self.why = why
        self.field = field


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """When something is due: exactly one of the three."""

    every: timedelta | None = None
    cron: str | None = None
    calendar: str | None = None
    zone: str = "UTC"

    def after(self, moment: datetime) -> Iterator[datetime]:
        """When it is due, from a moment on, in UTC."""
        if self.every is not None:
            while True:
                moment += self.every
                yield moment
        local = moment.astimezone(zone_of(self.zone))
        runs = CronSim(self.cron, local) if self.cron else OnCalendar(self.calendar or "", local)
        for each in runs:
            yield each.astimezone(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Routine:
    """Something expected by a certain time."""

    routine: str
    source: str
    key: str
    title: str
    schedule: Schedule
    grace: timedelta
    severity: Severity
    entity_id: str | None
    registered_at: datetime
    is_late: bool = False
    """It has been judged not completed, and an item says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """What was reported of a routine."""

    done_at: datetime | None = None
    failed_at: datetime | None = None
    started_at: datetime | None = None

    @property
    def ran_at(self) -> datetime | None:
        """When it last ran to an end, good or bad."""
        return max((each for each in (self.done_at, self.failed_at) if each), default=None)

    @property
    def under_way(self) -> datetime | None:
        """When the run began that has not ended."""
        ran = self.ran_at
        is_over = self.started_at is None or (ran is not None and ran >= self.started_at)
        return None if is_over else self.started_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """How a routine stands at a moment."""

    standing: RoutineStanding
    due_at: datetime | None
    late_at: datetime | None
    """When it became late, or will."""


def read_schedule(
    every_s: float | None, cron: str | None, calendar: str | None, zone: str
) -> Schedule:
    """The schedule these say.

    Raises:
        Unreadable: Not exactly one is given, or it or the zone cannot be read.
    """
    given = [
        name
        for name, value in (("every_s", every_s), ("cron", cron), ("calendar", calendar))
        if value is not None
    ]
    if len(given) != 1:
        said = " and ".join(f"`{name}`" for name in given) or "none of them"
        raise Unreadable(
            "Exactly one of `every_s`, `cron` and `calendar` says when it is due;"
            f" {said} is given.",
            given[1] if given else "every_s",
        )
    try:
        zone_of(zone)
    except LookupError as error:
        raise Unreadable(str(error.args[0]), "zone") from error
    schedule = Schedule(
        every=None if every_s is None else timedelta(seconds=every_s),
        cron=cron,
        calendar=calendar,
        zone=zone,
    )
    try:
        next(schedule.after(datetime(2026, 1, 1, tzinfo=UTC)), None)
    except (CronSimError, OnCalendarError) as error:
        raise Unreadable(f"`{cron or calendar}` cannot be read: {error}.", given[0]) from error
    return schedule


def outlook(routine: Routine, runs: Runs, now: datetime) -> Outlook:
    """How it stands: in time, due, late, under way or failed."""
    due_at = _due(routine, runs)
    late_at = None if due_at is None else due_at + routine.grace
    under_way = runs.under_way
    if under_way is not None and (late_at is None or under_way <= late_at):
        late_at = under_way + routine.grace
    standing: RoutineStanding = "up"
    if late_at is not None and now > late_at:
        standing = "late"
    elif under_way is not None:
        standing = "started"
    elif due_at is not None and now > due_at:
        standing = "grace"
    elif runs.failed_at is not None and runs.failed_at == runs.ran_at:
        standing = "failed"
    elif runs.ran_at is None:
        standing = "new"
    return Outlook(standing=standing, due_at=due_at, late_at=late_at)


def _due(routine: Routine, runs: Runs) -> datetime | None:
    """The first time due that no run has answered.

    A run a little before its time counts for that time, whatever a clock nearby says.
    """
    ran = runs.ran_at
    if ran is None:
        return next(routine.schedule.after(routine.registered_at), None)
    times = routine.schedule.after(ran)
    first = next(times, None)
    if first is None or routine.schedule.every is not None:
        return first
    following = next(times, None)
    if following is None:
        return first
    is_early = first - ran <= min((following - first) * _EARLY, _EARLIEST)
    return following if is_early else first

"""Routines as they are kept, and what was reported of each."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta

from kit.clock import from_text, to_text
from kit.store import Store
from kit.zones import zone_of
from praxis.domain.routine import Routine, Runs, Schedule

_LAST = (
    "SELECT max(observed_at) FROM observation JOIN item USING (item_id)"
    " WHERE source = ? AND key = ? AND state = ?"
)


class Routines:
    """Every routine, in memory as well; few are ever kept."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known = {row["routine"]: _routine(row) for row in store.read("SELECT * FROM routine")}
        for routine in self._known.values():
            zone_of(routine.schedule.zone)

    def all(self) -> list[Routine]:
        """Every routine, by name."""
        return [self._known[name] for name in sorted(self._known)]

    def get(self, name: str) -> Routine | None:
        """One routine."""
        return self._known.get(name)

    def put(self, routine: Routine) -> None:
        """This is how it is now."""
        self._known[routine.routine] = routine

    def runs(self, routine: Routine) -> Runs:
        """What was reported of it."""
        return Runs(
            done_at=self._last(routine, "ok"),
            failed_at=self._last(routine, "problem"),
            started_at=self._last(routine, "progress"),
        )

    def _last(self, routine: Routine, state: str) -> datetime | None:
        at = self._store.read(_LAST, (routine.source, routine.key, state))[0][0]
        return None if at is None else from_text(at)


def save(connection: sqlite3.Connection, routine: Routine) -> None:
    """Write a routine as it is."""
    schedule = routine.schedule
    connection.execute(
        "INSERT OR REPLACE INTO routine VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            routine.routine,
            routine.source,
            routine.key,
            routine.title,
            None if schedule.every is None else schedule.every.total_seconds(),
            schedule.cron,
            schedule.calendar,
            schedule.zone,
            routine.grace.total_seconds(),
            routine.severity,
            routine.entity_id,
            to_text(routine.registered_at),
            routine.is_late,
        ),
    )


def _routine(row: sqlite3.Row) -> Routine:
    every_s = row["every_s"]
    return Routine(
        routine=row["routine"],
        source=row["source"],
        key=row["key"],
        title=row["title"],
        schedule=Schedule(
            every=None if every_s is None else timedelta(seconds=every_s),
            cron=row["cron"],
            calendar=row["calendar"],
            zone=row["zone"],
        ),
        grace=timedelta(seconds=row["grace_s"]),
        severity=row["severity"],
        entity_id=row["entity_id"],
        registered_at=from_text(row["registered_at"]),
        is_late=bool(row["is_late"]),
    )

"""Tell of the tasks of a list that are overdue, and of those that nobody has touched for long."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

from kit.clock import Clock
from kit.errors import InvalidArgument
from praxis.contract.looks import TaskLook
from praxis.domain import todo
from praxis.domain.todo import Task
from praxis.sources import Reading
from praxis.sources.caldav import TODO_QUERY, Collection
from praxis.sources.verdict import bad, good, line

_NAMED = 3
"""How many tasks a summary names."""


class TaskSource:
    """One list of tasks."""

    def __init__(self, look: TaskLook, clock: Clock, logins: Path | None) -> None:
        self._look = look
        self._clock = clock
        self._collection = Collection(look, logins)

    async def poll(self) -> list[Reading]:
        """Ask once.

        Raises:
            ServiceError: The server cannot be asked or does not tell.
        """
        at = self._clock.now()
        found = await self._collection.ask("REPORT", TODO_QUERY)
        texts = [each["calendar-data"] for each in found if "calendar-data" in each]
        tasks = await asyncio.to_thread(self._open, texts)
        before = at - timedelta(days=self._look.stale_days)
        return [
            _told("overdue", "overdue", todo.overdue(tasks, at), at),
            _told("stale", f"untouched since {before:%Y-%m-%d}", todo.stale(tasks, before), at),
        ]

    def close(self) -> None:
        """Nothing is held between looks."""

    def _open(self, texts: list[str]) -> list[Task]:
        zone = zone_of(self._look.zone)
        if zone is None:
            raise InvalidArgument(f"There is no zone {self._look.zone!r}.", field="zone")
        return [task for text in texts for task in todo.open_tasks(text, zone, zone_of)]


def zone_of(name: str) -> tzinfo | None:
    """The zone of a name, or None where there is no such."""
    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        return None


def _told(key: str, what: str, tasks: list[Task], at: datetime) -> Reading:
    kind = f"tasks.{key}"
    if not tasks:
        return good(at, f"no task is {what}", key=key, kind=kind)
    titles = ", ".join(line(task.title, 60) or "?" for task in tasks[:_NAMED])
    said = f"tasks {what}: {len(tasks)} ({titles})"
    return bad(at, key, said, "warning", {"tasks": str(len(tasks))}, key=key, kind=kind)

"""Tasks as iCalendar writes them, and which of them are overdue or forgotten."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

ZoneOf = Callable[[str], tzinfo | None]
"""The zone of a name, or None where there is no such."""
_FOLD = re.compile(r"\r?\n[ \t]")
_LINE = re.compile(r'([A-Za-z0-9-]+)((?:;[^:;"]*(?:"[^"]*"[^:;"]*)*)*):(.*)')
_TZID = re.compile(r';TZID="?([^":;]+)"?', re.IGNORECASE)
_MOMENT = re.compile(r"(\d{8})(?:T(\d{6})(Z?))?")
_ESCAPE = re.compile(r"\\(.)")
_LONGEST_LINE = 4000


@dataclass(frozen=True, slots=True)
class Task:
    """One open task."""

    title: str
    due: datetime | None
    changed_at: datetime | None


def open_tasks(calendar: str, zone: tzinfo, zone_of: ZoneOf) -> list[Task]:
    """The tasks in one calendar object that are neither done nor cancelled.

    Args:
        calendar: the text of the object.
        zone: of times that name none.
        zone_of: finds the zones that times name.
    """
    return [
        Task(
            title=_ESCAPE.sub(lambda found: " " if found[1] in "nN" else found[1], title),
            due=_instant(shown.get("DUE"), zone, zone_of),
            changed_at=_instant(shown.get("LAST-MODIFIED") or shown.get("DTSTAMP"), UTC, zone_of),
        )
        for shown in _tasks(calendar)
        if not _is_done(shown)
        for title in [shown.get("SUMMARY", ("", ""))[1]]
    ]


def overdue(tasks: list[Task], now: datetime) -> list[Task]:
    """Those that should have been done, the longest overdue first."""
    late = [(task.due, task) for task in tasks if task.due is not None and task.due < now]
    return [task for _, task in sorted(late, key=lambda each: each[0])]


def stale(tasks: list[Task], before: datetime) -> list[Task]:
    """Those that nobody has changed since, the longest forgotten first."""
    old = [
        (task.changed_at, task) for task in tasks if task.changed_at and task.changed_at < before
    ]
    return [task for _, task in sorted(old, key=lambda each: each[0])]


def _tasks(calendar: str) -> Iterator[dict[str, tuple[str, str]]]:
    """Parameters and value of each property of each VTODO; what lies in alarms is left out."""
    shown: dict[str, tuple[str, str]] | None = None
    depth = 0
    for raw in _FOLD.sub("", calendar).splitlines():
        found = _LINE.fullmatch(raw[:_LONGEST_LINE])
        if found is None:
            continue
        name, parameters, value = found[1].upper(), found[2], found[3]
        if name == "BEGIN" and shown is None:
            shown = {} if value.strip().upper() == "VTODO" else None
        elif name == "BEGIN":
            depth += 1
        elif name == "END" and depth:
            depth -= 1
        elif name == "END" and shown is not None:
            yield shown
            shown = None
        elif shown is not None and not depth:
            shown.setdefault(name, (parameters, value))


def _is_done(shown: dict[str, tuple[str, str]]) -> bool:
    status = shown.get("STATUS", ("", ""))[1].strip().upper()
    is_whole = shown.get("PERCENT-COMPLETE", ("", ""))[1].strip() == "100"
    return "COMPLETED" in shown or status in {"COMPLETED", "CANCELLED"} or is_whole


def _instant(written: tuple[str, str] | None, zone: tzinfo, zone_of: ZoneOf) -> datetime | None:
    """When it is; a day alone lasts until its end."""
    if written is None:
        return None
    parameters, value = written
    found = _MOMENT.fullmatch(value.strip())
    if found is None:
        return None
    named = _TZID.search(parameters)
    where = UTC if found[3] else (named and zone_of(named[1])) or zone
    try:
        day = datetime.fromisoformat(found[1]).replace(tzinfo=where)
        if not found[2]:
            return (day + timedelta(days=1)).astimezone(UTC)
        hour, minute, second = (int(found[2][at : at + 2]) for at in (0, 2, 4))
        return day.replace(hour=hour, minute=minute, second=min(second, 59)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None

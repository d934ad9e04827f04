"""Tasks as calendars write them: zones, days, folds, and text that is no calendar at all."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from praxis.domain.todo import Task, open_tasks, overdue, stale

MOSCOW = timezone(timedelta(hours=3))
ZONES = {"Europe/Moscow": MOSCOW}
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def read(*lines: str) -> list[Task]:
    text = "\r\n".join(("BEGIN:VCALENDAR", "BEGIN:VTODO", *lines, "END:VTODO", "END:VCALENDAR"))
    return open_tasks(text, MOSCOW, ZONES.get)


@pytest.mark.parametrize(
    ("line", "due"),
    [
        ("DUE:20261130T090000Z", datetime(2026, 11, 30, 9, tzinfo=UTC)),
        ("DUE:20261130T090000", datetime(2026, 11, 30, 6, tzinfo=UTC)),
        ("DUE;TZID=Europe/Moscow:20261130T090000", datetime(2026, 11, 30, 6, tzinfo=UTC)),
        ('DUE;TZID="Europe/Moscow":20261130T090000', datetime(2026, 11, 30, 6, tzinfo=UTC)),
        ("DUE;VALUE=DATE:20261130", datetime(2026, 11, 30, 21, tzinfo=UTC)),
        ("DUE:00010101T000000Z", datetime(1, 1, 1, tzinfo=UTC)),
        ("DUE:20261340T000000Z", None),
        ("DUE:99991231", None),
        ("DUE:soon", None),
    ],
)
def test_when_a_task_is_due(line: str, due: datetime | None) -> None:
    assert [task.due for task in read(line)] == [due]


@pytest.mark.parametrize(
    "line",
    ["STATUS:COMPLETED", "status:cancelled", "COMPLETED:20261130T090000Z", "PERCENT-COMPLETE:100"],
)
def test_what_is_done_or_cancelled_is_not_open(line: str) -> None:
    assert read(line) == []


def test_folds_and_escapes_are_undone_and_alarms_left_out() -> None:
    alarm = ("BEGIN:VALARM", "SUMMARY:звонок", "DUE:20200101T000000Z", "END:VALARM")

    (task,) = read(*alarm, "SUMMARY:Хлеб\\, мо", " локо\\nи чай", "STATUS:NEEDS-ACTION")

    assert (task.title, task.due) == ("Хлеб, молоко и чай", None)


def test_the_longest_overdue_and_the_longest_forgotten_come_first() -> None:
    times = [NOW - timedelta(days=days) for days in (1, 3, -1)]
    tasks = [Task(str(at.day), due=at, changed_at=at) for at in times] + [Task("", None, None)]

    assert [task.title for task in overdue(tasks, NOW)] == ["27", "29"]
    assert [task.title for task in stale(tasks, NOW - timedelta(days=2))] == ["27"]


@given(st.text())
def test_text_that_is_no_calendar_is_read_without_harm(text: str) -> None:
    open_tasks(text, UTC, ZONES.get)
    read(text)

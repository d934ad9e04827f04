"""The webhooks of Vikunja: tasks that are overdue, that remind, that are done or put off."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from praxis.contract import ObservedState, Severity
from praxis.dialects import Delivery, bounded
from praxis.dialects.decoding import Name, decoded, instant, required
from praxis.domain.told import Beat, Report, Told

_FROM_HIGH = 4
"""The priority that Vikunja calls urgent."""


class _Task(msgspec.Struct, frozen=True, kw_only=True):
    id: Name = None
    title: str | None = None
    done: bool | None = None
    due: str | None = msgspec.field(default=None, name="due_date")
    updated: str | None = None
    priority: int | None = None
    identifier: str | None = None
    project_id: Name = None


class _Project(msgspec.Struct, frozen=True, kw_only=True):
    title: str | None = None


class _Data(msgspec.Struct, frozen=True, kw_only=True):
    task: _Task | None = None
    tasks: list[_Task] | None = None
    project: _Project | None = None
    projects: dict[str, _Project] | None = None


class _Event(msgspec.Struct, frozen=True, kw_only=True):
    name: str | None = msgspec.field(default=None, name="event_name")
    time: str | None = None
    data: _Data | None = None


class Vikunja:
    """A task by its number, whoever touched it and whomever it is told."""

    name = "vikunja"

    def read(self, delivery: Delivery) -> Told:
        """Reports of the tasks; a beat where the event is of something else.

        Raises:
            Unfit: It is no event of Vikunja.
        """
        event = decoded(delivery.body, _Event)
        name = required(event.name, "event_name")
        if name != "tasks.overdue" and not name.startswith("task."):
            return [Beat()]
        data = required(event.data, "data")
        at = instant(event.time, "time", delivery.zone)
        if name == "tasks.overdue":
            told = [
                _report(name, f"data.tasks[{index}]", task, data, at)
                for index, task in enumerate(data.tasks or [])
            ]
        else:
            told = [_report(name, "data.task", required(data.task, "data.task"), data, at)]
        return [*told] or [Beat()]


def _report(name: str, field: str, task: _Task, data: _Data, at: datetime | None) -> Report:
    number = required(task.id, f"{field}.id")
    due = instant(task.due, f"{field}.due_date", UTC)
    at = at or instant(task.updated, f"{field}.updated", UTC)
    state = _state(name, task, due, at)
    project = data.project or (data.projects or {}).get(str(task.project_id))
    title = bounded.summary(task.title, task.identifier, f"task {number}")
    severity: Severity = "error" if (task.priority or 0) >= _FROM_HIGH else "warning"
    return Report(
        key=bounded.key(number),
        kind="task",
        state=state,
        severity=severity,
        summary=title,
        observed_at=at,
        event_id=bounded.key(number, "task.overdue" if _is_late(name) else name, at.isoformat())
        if at
        else None,
        subject=bounded.line(title, 200),
        group=bounded.line((project.title if project else None) or "", 200),
        details=bounded.details(
            {
                "event": name,
                "due": due.isoformat() if due else None,
                "project": project.title if project else None,
                "identifier": task.identifier,
                "priority": task.priority,
            }
        ),
    )


def _state(name: str, task: _Task, due: datetime | None, at: datetime | None) -> ObservedState:
    if task.done or name == "task.deleted":
        return "ok"
    if _is_late(name):
        return "problem"
    if name == "task.reminder.fired":
        return "waiting"
    is_put_off = name == "task.updated" and due is not None and at is not None and due > at
    return "ok" if is_put_off else "info"


def _is_late(name: str) -> bool:
    return name in {"task.overdue", "tasks.overdue"}

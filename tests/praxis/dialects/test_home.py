"""Uptime Kuma, Vikunja and pings: what watches and reminds at home."""

from typing import Any

import pytest

from praxis.dialects import Delivery, Unfit
from praxis.dialects.registry import DIALECTS
from praxis.domain.told import Report
from tests.praxis.dialects.telling import is_beat, items, report, tell

_UUID = "5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278"


def _beat(status: int, time: str = "2023-09-16 10:41:24.905") -> dict[str, Any]:
    return {
        "heartbeat": {
            "monitorID": 10,
            "status": status,
            "time": time,
            "msg": "connect ECONNREFUSED",
            "important": True,
            "duration": 60,
            "timezone": "America/Nassau",
            "timezoneOffset": "-04:00",
            "localDateTime": "2023-09-16 06:41:24",
        },
        "monitor": {
            "id": 10,
            "name": "камера",
            "type": "http",
            "url": "http://admin:hunter2@camera.lan/feed?token=s3cret",
            "hostname": None,
            "basic_auth_user": "admin",
            "basic_auth_pass": "hunter2",
            "headers": '{"Authorization": "Bearer abcdefgh"}',
            "pushToken": "s3cret",
        },
        "msg": "[камера] [🔴 Down] connect ECONNREFUSED",
    }


def _event(name: str, time: str = "2026-11-30T09:00:00+01:00", **task: Any) -> dict[str, Any]:
    whole = {"id": 5, "title": "Полить цветы", "done": False, "project_id": 1, **task}
    return {
        "event_name": name,
        "time": time,
        "data": {"task": whole, "doer": {"username": "anna"}, "project": {"title": "Дом"}},
    }


def _ping(path: str, body: bytes = b"", **query: str) -> Report:
    ping = Delivery(body=body, path=path, query=query, method="GET")
    (told,) = DIALECTS["healthchecks"].read(ping)
    assert isinstance(told, Report)
    return told


@pytest.mark.parametrize(
    ("status", "state"), [(0, "problem"), (1, "ok"), (2, "info"), (3, "info"), (9, "info")]
)
def test_a_monitor_is_down_up_or_neither(status: int, state: str) -> None:
    told = report("uptime_kuma", _beat(status))

    assert (told.key, told.state, told.subject) == ("10", state, "camera.lan")
    assert str(told.observed_at) == "2023-09-16 10:41:24.905000+00:00"


def test_what_a_monitor_logs_in_with_is_not_kept() -> None:
    kept = str(report("uptime_kuma", _beat(0)))

    assert not [word for word in ("hunter2", "s3cret", "abcdefgh", "admin") if word in kept]


def test_up_before_down_is_down_whatever_came_first() -> None:
    down = report("uptime_kuma", _beat(0, "2023-09-16 10:45:00"))
    up = report("uptime_kuma", _beat(1, "2023-09-16 10:44:00"))

    for told in ([up, down], [down, up, down]):
        (item,) = items(told).values()
        assert item.operational == "active"


def test_a_test_notification_is_a_beat() -> None:
    body = {"heartbeat": None, "monitor": None, "msg": "My webhook Testing"}

    assert is_beat(tell("uptime_kuma", body))


def test_a_certificate_that_expires_is_one_item_as_the_days_pass() -> None:
    words = "[камера][https://camera.lan] server certificate camera.lan will be expired in {} days"
    told = [
        report("uptime_kuma", {"heartbeat": None, "monitor": None, "msg": words.format(days)})
        for days in (14, 7)
    ]

    assert len(items(told)) == 1


@pytest.mark.parametrize(
    ("name", "task", "state"),
    [
        ("task.overdue", {"due_date": "2026-11-29T09:00:00Z"}, "problem"),
        ("task.reminder.fired", {"due_date": "0001-01-01T00:00:00Z"}, "waiting"),
        ("task.updated", {"done": True}, "ok"),
        ("task.updated", {"due_date": "2026-12-24T09:00:00Z"}, "ok"),
        ("task.updated", {"due_date": "0001-01-01T00:00:00Z"}, "info"),
        ("task.created", {}, "info"),
        ("task.deleted", {}, "ok"),
        ("task.a_thing_of_tomorrow", {}, "info"),
    ],
)
def test_a_task_is_overdue_reminds_or_is_done(name: str, task: dict[str, Any], state: str) -> None:
    told = report("vikunja", _event(name, **task))

    assert (told.key, told.state, told.summary) == ("5", state, "Полить цветы")
    assert str(told.observed_at) == "2026-11-30 08:00:00+00:00"
    assert "0001" not in str(told.details)


def test_a_batch_tells_of_each_task() -> None:
    body = {
        "event_name": "tasks.overdue",
        "time": "2026-11-30T09:00:00Z",
        "data": {
            "user": {"id": 1, "username": "anna"},
            "tasks": [{"id": 5, "title": "А", "project_id": 1}, {"id": 9, "title": "Б"}],
            "projects": {"1": {"id": 1, "title": "Дом"}},
        },
    }
    told = tell("vikunja", body)

    assert sorted(items(told)) == ["5", "9"]
    assert [each.group for each in told if isinstance(each, Report)] == ["Дом", ""]


@pytest.mark.parametrize("name", ["task.comment.edited", "project.updated", "tasks.overdue"])
def test_what_is_of_no_task_is_a_beat(name: str) -> None:
    body = {"event_name": name, "time": "2026-11-30T09:00:00Z", "data": {"tasks": None}}

    if name.startswith("task."):
        with pytest.raises(Unfit):
            tell("vikunja", body)
    else:
        assert is_beat(tell("vikunja", body))


@pytest.mark.parametrize("check", [_UUID, "fqOOd6-F4MMNuCEnzTU01w/database-backup"])
@pytest.mark.parametrize(
    ("signal", "state"),
    [
        ("", "ok"),
        ("/start", "progress"),
        ("/fail", "problem"),
        ("/log", "info"),
        ("/0", "ok"),
        ("/255", "problem"),
    ],
)
def test_a_ping_says_what_came_of_the_routine(check: str, signal: str, state: str) -> None:
    told = _ping(check + signal)

    assert (told.key, told.kind, told.state) == (check, "routine", state)


def test_a_ping_of_a_run_counts_once() -> None:
    run = "123e4567-e89b-12d3-a456-426614174000"

    assert _ping(f"{_UUID}/fail", rid=run).event_id == _ping(f"{_UUID}/fail", rid=run).event_id
    assert _ping(f"{_UUID}/fail").event_id is None


def test_what_a_ping_brings_is_kept_without_secrets() -> None:
    told = _ping(f"{_UUID}/1", b"tar: \xff\x00 password=hunter2 wrong " + b"x" * 9000)

    assert "hunter2" not in told.details["output"]
    assert len(told.details["output"]) <= 500


@pytest.mark.parametrize("path", ["", "x", f"{_UUID}/256", f"{_UUID}/stop", f"{_UUID}/1/2", "../"])
def test_a_path_that_names_nothing_is_refused(path: str) -> None:
    with pytest.raises(Unfit) as refusal:
        _ping(path)

    assert refusal.value.field == "path"

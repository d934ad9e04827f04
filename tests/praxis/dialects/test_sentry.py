"""Sentry: an issue by its number, whichever hook tells of it, and nothing of the people in it."""

from typing import Any

import pytest

from praxis.dialects import Unfit
from praxis.domain.told import Report
from tests.praxis.dialects.telling import is_beat, items, report, tell

_PRIVATE = {
    "user": {"email": "anna@example.org", "ip_address": "10.1.2.3", "username": "anna"},
    "request": {"cookies": [["session", "c00kie"]], "headers": [["Authorization", "Bearer x"]]},
    "contexts": {"geo": {"city": "Wien"}},
}
_EVENT = {
    "event_id": "e4874d664c3540c1a32eab185f12c5ab",
    "issue_id": "1170820242",
    "title": "ReferenceError: heck is not defined, says anna@example.org",
    "level": "error",
    "culprit": "?(runner)",
    "datetime": "2019-08-19T21:06:17.677000Z",
    "web_url": "https://sentry.io/organizations/test-org/issues/1170820242/events/e4874d66/",
    **_PRIVATE,
}


def _issue(action: str, at: int | None = None, **more: Any) -> Report:
    body = {
        "action": action,
        "actor": {"id": "1", "name": "Anna", "type": "user"},
        "installation": {"uuid": "a8e5d37a-696c-4c54-adb5-b3f28d64c7de"},
        "data": {
            "issue": {
                "id": "1170820242",
                "shortId": "HOME-1",
                "title": "ReferenceError: heck is not defined",
                "level": "fatal",
                "status": "unresolved",
                "statusDetails": {},
                "project": {"id": "1", "slug": "home"},
                "lastSeen": "2019-08-19T21:06:17Z",
                "count": "3",
                **more,
            }
        },
    }
    headers = {"sentry_hook_resource": "issue"}
    if at is not None:
        headers["sentry_hook_timestamp"] = str(at)
    return report("sentry", body, **headers)


def _alert(resource: str, **data: Any) -> Report:
    action = "created" if resource == "error" else "triggered"
    return report("sentry", {"action": action, "data": data}, sentry_hook_resource=resource)


@pytest.mark.parametrize(
    ("action", "state"),
    [
        ("created", "problem"),
        ("unresolved", "problem"),
        ("resolved", "ok"),
        ("ignored", "info"),
        ("archived", "info"),
        ("assigned", "info"),
    ],
)
def test_an_action_says_how_the_issue_is(action: str, state: str) -> None:
    told = _issue(action)

    assert (told.key, told.state, told.severity) == ("1170820242", state, "critical")


@pytest.mark.parametrize("resource", ["event_alert", "error"])
def test_an_event_tells_of_the_same_issue(resource: str) -> None:
    told = _alert(resource, **{resource.removesuffix("_alert"): _EVENT})

    assert (told.key, told.state) == ("1170820242", "problem")
    assert str(told.observed_at) == "2019-08-19 21:06:17.677000+00:00"


def test_the_number_of_the_issue_may_stand_in_an_address_alone() -> None:
    event = _EVENT | {
        "issue_id": None,
        "issue_url": "https://sentry.io/api/0/issues/1170820242/",
    }

    assert _alert("event_alert", event=event).key == "1170820242"


def test_the_plugin_tells_of_the_same_issue() -> None:
    body: dict[str, object] = {
        "id": "1170820242",
        "project": "home",
        "level": "error",
        "message": "boom",
        "url": "https://sentry.io/organizations/x/issues/1170820242/?referrer=webhooks_plugin",
        "triggering_rules": [],
        "event": {"event_id": "abc", "timestamp": 1566248777.677, "tags": [["a", "b"]], **_PRIVATE},
    }
    told = report("sentry", body)

    assert (told.key, told.summary) == ("1170820242", "boom")
    assert told.observed_at is not None


def test_nothing_of_people_is_kept() -> None:
    kept = str(_alert("error", error=_EVENT)) + str(_issue("created"))

    for private in ("anna", "10.1.2.3", "c00kie", "Bearer", "Wien"):
        assert private not in kept.lower() if private.islower() else private not in kept


def test_order_is_by_the_time_of_sending() -> None:
    first, over, again = (
        _issue("created", 1566248777),
        _issue("resolved", 1566248800),
        _issue("unresolved", 1566248900),
    )

    for told in ([first, over, again], [again, over, first], [first, first, again, over]):
        (item,) = items(told).values()
        assert (item.operational, item.episodes) == ("active", 2)


@pytest.mark.parametrize(
    ("action", "state", "severity"),
    [
        ("critical", "problem", "critical"),
        ("warning", "problem", "warning"),
        ("resolved", "ok", "warning"),
    ],
)
def test_a_metric_alert_is_known_by_its_rule(action: str, state: str, severity: str) -> None:
    alert = {
        "id": "4",
        "title": "Too many errors",
        "alert_rule": {"id": "7", "name": "Too many errors"},
        "date_detected": "2020-09-16T06:59:56Z",
        "date_closed": "2020-09-16T07:30:00Z" if action == "resolved" else None,
    }
    body = {
        "action": action,
        "data": {"description_title": "Resolved: Too many errors", "metric_alert": alert},
    }
    told = report("sentry", body, sentry_hook_resource="metric_alert")

    assert (told.key, told.state, told.severity) == ("metric:7", state, severity)


def test_an_installation_is_a_beat() -> None:
    body = {"action": "created", "data": {"installation": {"status": "installed"}}}

    assert is_beat(tell("sentry", body, sentry_hook_resource="installation"))


def test_a_hook_of_an_issue_without_one_is_refused() -> None:
    with pytest.raises(Unfit) as refusal:
        tell("sentry", {"action": "created", "data": {}}, sentry_hook_resource="issue")

    assert refusal.value.field == "data.issue"

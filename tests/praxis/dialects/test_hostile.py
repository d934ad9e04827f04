"""Whatever is delivered, a dialect tells within bounds or refuses and names the field."""

import json
import re
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from praxis.dialects import Delivery, Unfit
from praxis.dialects.recognise import recognise
from praxis.dialects.registry import DIALECTS
from praxis.domain.told import Report
from tests.praxis.dialects.telling import payload

_EVENTS = [
    "workflow_run",
    "workflow_job",
    "check_run",
    "check_suite",
    "status",
    "deployment_status",
    "dependabot_alert",
    "code_scanning_alert",
    "secret_scanning_alert",
    "repository_vulnerability_alert",
    "pull_request",
    "pull_request_review",
    "issues",
]
_AT = "2026-11-30T10:00:00Z"
_SEEDS: list[tuple[str, dict[str, str], Any]] = [
    ("alertmanager", {}, json.loads(payload("01"))),
    ("grafana", {}, json.loads(payload("03")) | {"orgId": 1}),
    ("grafana", {}, {"orgId": 1, "ruleId": 2, "state": "ok", "tags": {"a": "b"}}),
    ("github", {"x-github-event": "workflow_run"}, json.loads(payload("07"))),
    ("github", {"x-github-event": "workflow_job"}, json.loads(payload("08"))),
    ("github", {"x-github-event": "dependabot_alert"}, json.loads(payload("10"))),
    ("github", {"x-github-event": "deployment_status"}, json.loads(payload("14"))),
    *(
        (
            "github",
            {"x-github-event": event},
            {
                "action": "completed",
                "repository": {"full_name": "a/b", "default_branch": "main"},
                "state": "failure",
                "branches": [{"name": "main"}],
                "alert": {"number": 1, "state": "open", "rule": {"id": "r"}, "updated_at": _AT},
                "pull_request": {"number": 1, "title": "t", "updated_at": _AT},
                "review": {"state": "approved", "submitted_at": _AT},
                "issue": {"number": 1, "title": "t", "assignees": [{"login": "a"}]},
            }
            | {
                name: {"id": 1, "name": "n", "status": "completed", "conclusion": "failure"}
                for name in ("check_run", "check_suite")
            },
        )
        for event in _EVENTS[2:]
    ),
    ("journald", {}, json.loads(payload("21"))),
    ("cloudevents", {}, json.loads(payload("37"))),
    ("cloudevents", {"content-type": "application/json", "ce-id": "1"}, {"a": [1]}),
    ("ntfy", {}, {"event": "message", "id": "a", "time": 1, "topic": "t", "message": "m"}),
    ("plain", {}, {"summary": "x", "details": {"a": 1}, "observed_at": "2026-11-30T10:00:00Z"}),
    (
        "uptime_kuma",
        {},
        {
            "heartbeat": {"monitorID": 1, "status": 0, "time": "2026-11-30 10:00:00", "msg": "m"},
            "monitor": {"name": "n", "url": "http://x", "port": 1},
            "msg": "x",
        },
    ),
    (
        "vikunja",
        {},
        {
            "event_name": "task.overdue",
            "time": "2026-11-30T10:00:00Z",
            "data": {"task": {"id": 1, "title": "t", "due_date": "2026-11-30T10:00:00Z"}},
        },
    ),
    (
        "sentry",
        {"sentry-hook-timestamp": "1796063666", "sentry-hook-resource": "issue"},
        {"action": "created", "data": {"issue": {"id": "1", "title": "t", "project": {}}}},
    ),
    (
        "sentry",
        {},
        {"id": "1", "event": {"event_id": "a", "timestamp": 1.5, "title": "t"}, "url": "u"},
    ),
]
_WORST: list[Any] = [
    None,
    True,
    -1,
    0.5,
    1e308,
    -(10**30),
    10**400,
    "",
    " ",
    "\x00\x1b[31m\u202e\u200b",
    "\ud800",
    "ж" * 5000,
    "9999-12-31T23:59:59-23:59",
    "0001-01-01T00:00:00+14:00",
    "http://[::1",
    "http://user:password@host/" + "a" * 900,
    "token=abcdefgh",
    [],
    [None],
    {},
    {"a": {"a": {"a": {}}}},
    [[[[]]]],
]
_VALUES = st.one_of(
    st.sampled_from(_WORST), st.text(max_size=40), st.integers(), st.floats(allow_nan=False)
)


@st.composite
def _mutated(draw: st.DrawFn) -> tuple[str, dict[str, str], bytes]:
    """A delivery of which one to three parts were changed, and perhaps some of its bytes."""
    dialect, headers, seed = draw(st.sampled_from(_SEEDS))
    body = json.loads(json.dumps(seed))
    for _ in range(draw(st.integers(1, 3))):
        _spoil(draw, body)
    raw = json.dumps(body).encode()
    if draw(st.integers(0, 9)) == 0:
        at = draw(st.integers(0, len(raw)))
        raw = raw[:at] + draw(st.binary(max_size=4)) + raw[at + 1 :]
    return dialect, headers, raw


def _spoil(draw: st.DrawFn, body: Any) -> None:
    """Go down a random way and put something else, or nothing, at its end."""
    while True:
        is_object = isinstance(body, dict)
        names: list[Any] = sorted(body) if is_object else list(range(len(body)))
        if not names:
            return
        at = draw(st.sampled_from(names))
        inner = body[at]
        if isinstance(inner, dict | list) and inner and draw(st.integers(0, 3)):
            body = inner
            continue
        if is_object and draw(st.booleans()):
            del body[at]
        else:
            body[at] = deepcopy(draw(_VALUES))
        return


def _read(dialect: str, delivery: Delivery) -> None:
    try:
        told = DIALECTS[dialect].read(delivery)
    except Unfit as refusal:
        refused, told = refusal, []
    else:
        refused = Unfit("It was told.", "body")
    assert 0 < len(refused.why) <= 400
    assert 0 < len(refused.field) <= 400
    for each in told:
        if isinstance(each, Report):
            _is_bounded(each)


def _is_bounded(report: Report) -> None:
    texts = [report.key, report.summary, report.subject, report.group, report.link]
    texts += [report.event_id or "", *report.details, *report.details.values()]
    assert 1 <= len(report.key) <= 200
    assert 1 <= len(report.summary) <= 400
    assert report.event_id is None or 1 <= len(report.event_id) <= 200
    assert max(len(report.subject), len(report.group)) <= 200
    assert len(report.details) <= 32
    assert all(0 < len(name) <= 80 for name in report.details)
    assert all(len(text) <= 500 for text in texts)
    assert re.fullmatch(r"[a-z][a-z0-9_.]{0,59}", report.kind)
    assert report.observed_at is None or report.observed_at.tzinfo is not None
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]", "".join(texts))


@given(_mutated())
def test_a_spoilt_delivery_is_told_within_bounds_or_refused(
    spoilt: tuple[str, dict[str, str], bytes],
) -> None:
    dialect, headers, body = spoilt
    delivery = Delivery(body=body, headers=headers)

    _read(dialect, delivery)
    recognise(delivery)


@given(st.sampled_from(sorted(DIALECTS)), st.binary(max_size=60), st.sampled_from(_EVENTS))
def test_any_bytes_are_told_or_refused(dialect: str, body: bytes, event: str) -> None:
    _read(dialect, Delivery(body=body, headers={"x-github-event": event}))


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_path_and_headers_are_told_or_refused(path: str, text: str) -> None:
    headers = {"title": text, "priority": text, "kind": text, "state": text, "ce-id": text}

    for dialect in ("healthchecks", "ntfy", "plain", "cloudevents"):
        _read(dialect, Delivery(body=b"x", headers=headers, path=path, query={"rid": text}))


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"alerts": "\xff"}',
        b'{"summary": "\\ud800"}',
        b'{"time": 1' + b"0" * 5000 + b"}",
        b'{"priority": 1' + b"0" * 4000 + b"}",
    ],
)
def test_what_is_no_json_or_too_much_of_it_is_refused(dialect: str, body: bytes) -> None:
    headers = {"content-type": "application/json", "x-github-event": "issues"}

    _read(dialect, Delivery(body=body, headers=headers))


def test_a_long_key_ends_in_a_hash_so_that_no_two_become_one() -> None:
    def key(end: str) -> str:
        body = json.dumps({"summary": "x", "key": "k" * 300 + end}).encode()
        (told,) = DIALECTS["plain"].read(Delivery(body=body))
        assert isinstance(told, Report)
        return told.key

    assert len(key("a")) == 200
    assert key("a") != key("b")

"""CloudEvents, ntfy, plain posts and the journal: what is said in words and lines."""

import json
from typing import Any

import pytest

from praxis.dialects import Delivery, Unfit
from praxis.dialects.registry import DIALECTS
from praxis.domain.told import Beat, Report
from tests.praxis.dialects.telling import is_beat, items, report, tell

_EVENT = {
    "specversion": "1.0",
    "id": "a-1",
    "source": "/home/boiler",
    "type": "home.boiler.failed",
    "time": "2026-11-30T10:00:00Z",
    "subject": None,
    "data": {"message": "no water", "token": "hunter2", "severity": "critical"},
}
_HEADERS = {
    "ce_specversion": "1.0",
    "ce_id": "a-1",
    "ce_source": "/home/boiler",
    "ce_type": "home.boiler.failed",
    "ce_time": "2026-11-30T10:00:00Z",
    "content_type": "application/json; charset=utf-8",
}


def _entry(**more: Any) -> dict[str, Any]:
    return {
        "__CURSOR": "s=1;i=2",
        "__REALTIME_TIMESTAMP": "1796063666099719",
        "MESSAGE": "backup.service: Failed with result 'timeout'.",
        "MESSAGE_ID": "d9b373ed55a64feb8242e02dbe79a49c",
        "UNIT": "backup.service",
        "UNIT_RESULT": "timeout",
        **more,
    }


def test_structured_batched_and_binary_are_one_event() -> None:
    told = [
        report("cloudevents", _EVENT, content_type="application/cloudevents+json"),
        report("cloudevents", [_EVENT], content_type="application/cloudevents-batch+json"),
        report("cloudevents", _EVENT["data"], **_HEADERS),
    ]

    assert told[0] == told[1] == told[2]
    assert (told[0].state, told[0].severity, told[0].summary) == ("problem", "critical", "no water")
    assert "hunter2" not in str(told)


@pytest.mark.parametrize(
    ("kind", "state"),
    [
        ("home.boiler.failed", "problem"),
        ("com.example.AlertResolved", "ok"),
        ("build.completed", "ok"),
        ("build.completedWithErrors.error", "problem"),
        ("agent.waiting", "waiting"),
        ("job.started", "progress"),
        ("com.example.someevent", "problem"),
    ],
)
def test_the_words_of_a_type_say_the_state(kind: str, state: str) -> None:
    assert report("cloudevents", _EVENT | {"type": kind}).state == state


def test_headers_are_read_as_they_are_written() -> None:
    told = report("cloudevents", b"", **_HEADERS | {"ce_source": "/%D0%B4%D0%BE%D0%BC"})

    assert told.key == "/дом:a-1"


@pytest.mark.parametrize("name", ["id", "source", "type", "specversion"])
def test_an_event_needs_its_attributes(name: str) -> None:
    with pytest.raises(Unfit) as refusal:
        tell("cloudevents", [_EVENT | {name: None}])

    assert refusal.value.field == f"[0].{name}"


@pytest.mark.parametrize("event", ["open", "keepalive", "poll_request", "of_tomorrow"])
def test_what_keeps_the_line_open_is_a_beat(event: str) -> None:
    assert is_beat(tell("ntfy", {"id": "x", "time": 1796063666, "event": event, "topic": "home"}))


def test_a_message_is_known_by_its_id() -> None:
    body = {
        "id": "sPs71M8A2T",
        "time": 1643935928,
        "event": "message",
        "topic": "home",
        "title": "Дверь",
        "message": "открыта",
        "priority": 5,
        "tags": ["warning"],
        "click": "https://homecam.lan/",
    }
    told = report("ntfy", body)

    assert (told.key, told.event_id, told.severity) == ("sPs71M8A2T", "sPs71M8A2T", "critical")
    assert (told.summary, told.link) == ("Дверь: открыта", "https://homecam.lan/")


def test_a_stream_of_lines_is_read_whole() -> None:
    lines = [
        {"id": "1", "time": 1, "event": "open", "topic": "home"},
        {"id": "2", "time": 2, "event": "message", "topic": "home", "message": "a"},
    ]
    told = tell("ntfy", "\n".join(map(json.dumps, lines)).encode())

    assert [type(each) for each in told] == [Beat, Report]


def test_a_plain_post_has_its_title_priority_and_tags_in_headers() -> None:
    told = report("ntfy", b"disk is full", "nas", title="Disk", priority="high", tags="warning")
    over = report("ntfy", b"disk is free", "nas", x_title="Disk", tags="white_check_mark,disk")

    assert (told.state, told.severity, told.group) == ("problem", "error", "nas")
    assert (over.key, over.state) == (told.key, "ok")


def test_posts_without_a_title_are_one_item_of_their_topic() -> None:
    told = [report("ntfy", text, "nas") for text in (b"disk 91%", b"disk 92%")]

    assert [item.count for item in items(told).values()] == [2]


def test_a_quiet_post_is_no_item() -> None:
    assert report("ntfy", b"done", "nas", priority="min").state == "info"


def test_a_post_without_a_topic_is_refused() -> None:
    with pytest.raises(Unfit) as refusal:
        tell("ntfy", b"disk is full")

    assert refusal.value.field == "topic"


def test_a_text_is_a_problem_in_its_own_words() -> None:
    told = report("plain", "копии за ночь нет\nи за вчера".encode(), key="nas", kind="backup")

    assert (told.key, told.kind, told.state) == ("nas", "backup", "problem")
    assert told.summary == "копии за ночь нет"


def test_the_form_of_observe_is_taken_and_its_time_is_of_the_door() -> None:
    body = {"summary": "ok again", "state": "ok", "key": "nas", "observed_at": "2026-11-30T10:00"}
    told = report("plain", body, content_type="application/json")

    assert (told.state, str(told.observed_at)) == ("ok", "2026-11-30 10:00:00+00:00")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"summary": ""}, "summary"),
        ({"summary": "\u200b"}, "summary"),
        ({"summary": "x", "state": "bad"}, "state"),
        ({"summary": "x", "kind": "Bad Kind"}, "kind"),
        ({"summary": "x", "observed_at": "soon"}, "observed_at"),
        ([{"summary": "x"}, {}], "[1].summary"),
    ],
)
def test_words_that_do_not_fit_are_named(body: object, field: str) -> None:
    with pytest.raises(Unfit) as refusal:
        tell("plain", body)

    assert refusal.value.field == field


def test_a_unit_of_the_system_is_known_by_its_name() -> None:
    told = report("journald", _entry())

    assert (told.key, told.event_id) == ("backup.service", "s=1;i=2")
    assert told.details["result"] == "timeout"


def test_a_field_may_come_as_bytes_or_several_times() -> None:
    message = "сбой".encode()
    told = report("journald", _entry(MESSAGE=list(message), UNIT=["backup.service", "x.service"]))

    assert (told.summary, told.key) == ("сбой", "backup.service")


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({"MESSAGE_ID": "39f53479d3a045ac8e11786248231fbf", "MESSAGE": "Started x"}, "progress"),
        ({"MESSAGE_ID": "39f53479d3a045ac8e11786248231fbf", "MESSAGE": "Finished x"}, "ok"),
        ({"MESSAGE_ID": "7ad2d189f7e94e70a38c781354912448", "MESSAGE": "x: Succeeded."}, "ok"),
        ({"MESSAGE_ID": "be02cf6855d2428ba40df7e9d022f03d", "JOB_RESULT": "dependency"}, "problem"),
        ({"MESSAGE_ID": "fe6faa94e7774663a0da52717891d8ef"}, "problem"),
    ],
)
def test_the_manager_says_how_a_unit_is(fields: dict[str, str], state: str) -> None:
    assert report("journald", _entry(**fields)).state == state


def test_what_a_program_writes_is_nothing_but_a_sign_of_life() -> None:
    entry = _entry(MESSAGE_ID=None, UNIT=None, _SYSTEMD_UNIT="backup.service", MESSAGE="hello")

    assert is_beat(tell("journald", entry))


def test_a_list_and_a_sequence_are_read_as_lines_are() -> None:
    entries = [_entry(), _entry(__CURSOR="s=1;i=3")]
    sequence = b"".join(b"\x1e" + json.dumps(each).encode() + b"\n" for each in entries)

    for body in (entries, sequence):
        assert [item.count for item in items(tell("journald", body)).values()] == [2]


def test_what_is_no_entry_is_refused_by_its_line() -> None:
    lines = [json.dumps(_entry()), json.dumps(_entry(__REALTIME_TIMESTAMP="later"))]

    with pytest.raises(Unfit) as refusal:
        tell("journald", "\n".join(lines).encode())

    assert refusal.value.field == "[1].__REALTIME_TIMESTAMP"


def test_a_naive_time_is_of_the_zone_of_the_door() -> None:
    from zoneinfo import ZoneInfo

    body = json.dumps({"summary": "x", "observed_at": "2026-07-01T10:00"}).encode()
    (told,) = DIALECTS["plain"].read(Delivery(body=body, zone=ZoneInfo("Europe/Vienna")))

    assert isinstance(told, Report)
    assert str(told.observed_at) == "2026-07-01 08:00:00+00:00"

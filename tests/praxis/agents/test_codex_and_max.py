"""What Codex tells by its `notify` and its hooks, and MAX in words of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from praxis.dialects import Delivery, Unfit
from praxis.dialects.claude import Claude
from praxis.dialects.codex import Codex
from praxis.dialects.max_agent import Max
from praxis.domain.told import Beat, Report, Told

THREAD = "019f4774-6dbe-7f23-9dc4-698f58c2ebc2"
NOTICE = {
    "type": "agent-turn-complete",
    "thread-id": THREAD,
    "turn-id": "019f4774-a97a-7392-a6fb-86e16c953d79",
    "cwd": "/srv/shop",
    "client": "codex-tui",
    "input-messages": ["hi"],
    "last-assistant-message": "Hi. What would you like to work on?",
}
ASKS = {
    "hook_event_name": "PermissionRequest",
    "session_id": THREAD,
    "tool_name": "Bash",
    "tool_input": {"command": "npm install"},
}


def told(dialect: Claude | Max, body: Mapping[str, object]) -> Told:
    return dialect.read(Delivery(body=json.dumps(body).encode()))


def last(dialect: Claude | Max, body: Mapping[str, object]) -> Report:
    report = told(dialect, body)[-1]
    assert isinstance(report, Report)
    return report


def test_a_notice_says_that_the_turn_of_its_thread_has_ended_once() -> None:
    report = last(Codex(), NOTICE)

    assert (report.key, report.kind, report.state) == (THREAD, "agent.ready", "waiting")
    assert report.severity == "info"
    assert report.subject == "shop"
    assert report.event_id is not None
    assert report.event_id == last(Codex(), NOTICE).event_id


def test_a_notice_of_another_type_is_a_beat() -> None:
    assert told(Codex(), {**NOTICE, "type": "agent-tea-break"}) == [Beat()]


def test_a_notice_without_its_thread_is_unfit() -> None:
    with pytest.raises(Unfit) as unfit:
        told(Codex(), {"type": "agent-turn-complete"})

    assert unfit.value.field == "thread-id"


def test_a_request_that_may_be_answered_by_itself_weighs_less_than_the_end_of_a_turn() -> None:
    report = last(Codex(), ASKS)

    assert (report.key, report.state) == (THREAD, "waiting")
    assert report.details["command"] == "npm install"
    assert report.weight < last(Codex(), NOTICE).weight
    assert report.weight < last(Claude(), ASKS).weight


def test_a_request_takes_back_that_the_last_turn_has_ended() -> None:
    before, _ = told(Codex(), ASKS)

    assert isinstance(before, Report)
    assert (before.kind, before.state) == ("agent.ready", "progress")


def test_the_other_hooks_of_codex_are_told_as_those_of_claude() -> None:
    for event, kind in {"Stop": "agent.ready", "UserPromptSubmit": "agent.working"}.items():
        assert last(Codex(), {"hook_event_name": event, "session_id": THREAD}).kind == kind


@pytest.mark.parametrize(
    ("word", "kind", "state"),
    [
        ("started", "agent.working", "ok"),
        ("working", "agent.working", "ok"),
        ("waiting", "agent.waiting", "waiting"),
        ("ready", "agent.ready", "waiting"),
        ("failed", "agent.failed", "problem"),
        ("finished", "agent.ended", "ok"),
    ],
)
def test_max_says_how_its_session_is(word: str, kind: str, state: str) -> None:
    report = last(Max(), {"session": "m1", "state": word, "question": "Which?", "more": 1})

    assert (report.key, report.kind, report.state) == ("m1", kind, state)
    assert ("question" in report.details) == (word == "waiting")


def test_the_last_word_of_max_holds() -> None:
    weights = {
        last(Max(), {"session": "m1", "state": word}).weight
        for word in ("waiting", "ready", "failed")
    }

    assert len(weights) == 1


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"state": "ready"}, "session"),
        ({"session": "m1", "state": "asleep"}, "state"),
        ({"session": "m1", "state": "ready", "at": "noon"}, "at"),
    ],
)
def test_what_is_no_word_of_max_is_unfit(body: dict[str, object], field: str) -> None:
    with pytest.raises(Unfit) as unfit:
        told(Max(), body)

    assert unfit.value.field == field

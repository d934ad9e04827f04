"""What the hooks of Claude Code, Cursor and Copilot tell of a session."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from praxis.dialects import Delivery, Unfit
from praxis.dialects.claude import Claude
from praxis.dialects.codex import Codex
from praxis.dialects.max_agent import Max
from praxis.domain.told import Beat, Report, Told

SESSION = "abc123"
RISKY = "rm -rf node_modules"


def told(event: str, /, **fields: object) -> Told:
    body = {"session_id": SESSION, "cwd": "/home/anna/kitchen", "hook_event_name": event, **fields}
    return Claude().read(Delivery(body=json.dumps(body).encode()))


def reports(event: str, /, **fields: object) -> list[Report]:
    return [each for each in told(event, **fields) if isinstance(each, Report)]


def last(event: str, /, **fields: object) -> Report:
    return reports(event, **fields)[-1]


def test_a_request_for_permission_waits_with_the_tool_and_the_command_as_evidence() -> None:
    report = last("PermissionRequest", tool_name="Bash", tool_input={"command": RISKY})

    assert (report.key, report.kind, report.state) == (SESSION, "agent.waiting", "waiting")
    assert report.severity == "warning"
    assert report.summary == f"Claude Code asks for permission: Bash: {RISKY}"
    assert report.details["tool"] == "Bash"
    assert report.details["command"] == RISKY
    assert report.subject == "kitchen"
    assert report.observed_at is None


@pytest.mark.parametrize("event", ["PreToolUse", "PermissionRequest"])
def test_a_question_waits_with_its_exact_words(event: str) -> None:
    question = "Какую базу взять?"
    asked = {
        "questions": [{"question": question, "options": [{"label": "SQLite"}, {"label": "-"}]}]
    }

    report = last(event, tool_name="AskUserQuestion", tool_input=asked)

    assert report.state == "waiting"
    assert report.details["question"] == question
    assert report.details["options"] == "SQLite | -"
    assert question in report.summary


def test_a_plan_waits_for_its_approval() -> None:
    report = last("PreToolUse", tool_name="ExitPlanMode", tool_input={"plan": "1. Measure"})

    assert (report.state, report.details["question"]) == ("waiting", "1. Measure")


def test_an_elicitation_waits_with_the_words_of_the_server() -> None:
    report = last("Elicitation", mcp_server_name="calendar", message="Which calendar?")

    assert (report.state, report.details["question"]) == ("waiting", "Which calendar?")
    assert [each.state for each in reports("ElicitationResult")] == ["progress"]


@pytest.mark.parametrize(
    "kind", ["permission_prompt", "elicitation_dialog", "agent_needs_input", None]
)
def test_a_reminder_waits_and_does_not_outweigh_what_was_asked(kind: str | None) -> None:
    message = "Claude needs your permission to use Bash"

    report = last("Notification", message=message, notification_type=kind)

    assert (report.kind, report.state) == ("agent.waiting", "waiting")
    assert report.weight < last("PermissionRequest", tool_name="Bash").weight


def test_nobody_answering_is_ready_and_outweighs_neither_question_nor_failure() -> None:
    idle = last("Notification", notification_type="idle_prompt")

    assert (idle.kind, idle.state, idle.severity) == ("agent.ready", "waiting", "info")
    assert idle.weight < last("StopFailure", error="unknown").weight
    assert idle.weight < last("Stop", last_assistant_message="Shall I?").weight


def test_other_notifications_are_beats() -> None:
    assert told("Notification", notification_type="auth_success") == [Beat()]


def test_the_end_of_a_turn_takes_back_a_question_and_is_ready() -> None:
    before, after = reports("Stop", last_assistant_message="I've completed it. A summary...")

    assert (before.kind, before.state) == ("agent.waiting", "progress")
    assert (after.kind, after.state, after.severity) == ("agent.ready", "waiting", "info")


@pytest.mark.parametrize("words", ["Which one?", "Done.\n\n**Продолжать?**\n", "どちら？"])
def test_a_turn_that_ends_in_a_question_waits_for_the_answer(words: str) -> None:
    report = last("Stop", last_assistant_message=words)

    assert (report.kind, report.state) == ("agent.waiting", "waiting")
    assert report.details["question"]


@pytest.mark.parametrize("field", ["background_tasks", "session_crons"])
def test_a_turn_that_leaves_work_in_the_background_waits_for_nobody(field: str) -> None:
    assert [each.state for each in reports("Stop", **{field: [{"id": "b1"}]})] == ["progress"]
    assert last("Stop", **{field: list[object]()}).kind == "agent.ready"


def test_a_prompt_ends_whatever_was() -> None:
    report = last("UserPromptSubmit", prompt="My password is hunter22")

    assert (report.kind, report.state) == ("agent.working", "ok")
    assert "hunter22" not in repr(report)


def test_a_session_works_from_its_start_and_a_resumed_one_says_nothing() -> None:
    assert last("SessionStart", source="startup").kind == "agent.working"
    assert told("SessionStart", source="resume") == [Beat()]
    assert told("SessionStart", source="compact") == [Beat()]


@pytest.mark.parametrize("event", ["PreToolUse", "PostToolUse", "PostToolUseFailure"])
def test_a_tool_in_use_takes_back_a_question_and_nothing_else(event: str) -> None:
    (report,) = reports(event, tool_name="Bash", tool_input={"command": "ls"}, tool_response="x")

    assert (report.kind, report.state) == ("agent.waiting", "progress")


def test_a_tool_use_told_twice_is_one_report() -> None:
    once, again = (last("PostToolUse", tool_name="Bash", tool_use_id="t1") for _ in range(2))

    assert once.event_id is not None
    assert once.event_id == again.event_id
    assert once.event_id != last("PreToolUse", tool_name="Bash", tool_use_id="t1").event_id


def test_a_subagent_says_nothing_of_its_session_by_starting_tools_or_ending() -> None:
    assert told("PreToolUse", tool_name="Bash", agent_id="a1") == [Beat()]
    assert told("SubagentStop", agent_id="a1") == [Beat()]


@pytest.mark.parametrize("error", ["rate_limit", "authentication_failed", "never_heard_of"])
def test_a_failure_keeps_its_reason_whatever_it_is(error: str) -> None:
    report = last("StopFailure", error=error, error_details="429 Too Many Requests")

    assert (report.kind, report.state, report.severity) == ("agent.failed", "problem", "error")
    assert report.details["reason"] == error
    assert report.details["said"] == "429 Too Many Requests"


def test_a_failure_without_a_reason_is_still_one() -> None:
    assert last("StopFailure").details["reason"] == "unknown"


def test_the_end_of_a_session_closes_it_as_gone() -> None:
    report = last("SessionEnd", reason="prompt_input_exit")

    assert (report.kind, report.state) == ("agent.ended", "ok")
    assert report.details["ended"] == "prompt_input_exit"


@pytest.mark.parametrize("reason", ["clear", "resume"])
def test_a_session_that_goes_on_elsewhere_is_no_end_of_work(reason: str) -> None:
    assert [each.state for each in reports("SessionEnd", reason=reason)] == ["progress"]


def test_what_nobody_has_heard_of_is_a_beat() -> None:
    assert told("TeaBreak", steeping={"minutes": 4}) == [Beat()]


def test_signals_weigh_as_much_as_they_prove() -> None:
    weights = [
        last("PermissionRequest", tool_name="Bash").weight,
        last("StopFailure").weight,
        last("Stop").weight,
        last("Notification", notification_type="idle_prompt").weight,
    ]

    assert weights == sorted(weights, reverse=True)
    assert len(set(weights)) == len(weights)


def test_evidence_is_bounded_and_without_secrets() -> None:
    command = "curl -H 'Authorization: Bearer abcdefgh12345678' " + "x" * 5000
    secret = {"content": "the whole file", "command": command}

    report = last("PermissionRequest", tool_name="Bash", tool_input=secret)

    assert all(len(value) <= 500 for value in report.details.values())
    assert len(report.summary) <= 400
    assert "abcdefgh12345678" not in repr(report)
    assert "the whole file" not in repr(report)


def test_hooks_of_cursor_are_understood() -> None:
    spelt = {"conversation_id": "c1", "cursor_version": "3.7", "workspace_roots": ["/srv/shop"]}

    def of(event: str, **fields: object) -> Report:
        body = json.dumps({"hook_event_name": event, **spelt, **fields}).encode()
        report = Claude().read(Delivery(body=body))[-1]
        assert isinstance(report, Report)
        return report

    assert of("beforeSubmitPrompt").kind == "agent.working"
    assert of("stop", status="completed").kind == "agent.ready"
    assert of("stop", status="error").kind == "agent.failed"
    assert of("stop", status="aborted").summary == "Cursor has ended its turn"
    assert (of("stop").key, of("stop").subject) == ("c1", "shop")


def of_copilot(path: str = "", /, **fields: object) -> Report:
    body = {"sessionId": "s1", "timestamp": 1788000000000, "cwd": "/srv/shop", **fields}
    report = Claude().read(Delivery(body=json.dumps(body).encode(), path=path))[-1]
    assert isinstance(report, Report)
    return report


def test_hooks_of_copilot_are_understood_though_they_do_not_name_their_event() -> None:
    failed = of_copilot(error={"name": "RateLimit", "message": "slow down"}, recoverable=False)

    assert (failed.key, failed.kind) == ("s1", "agent.failed")
    assert failed.details["reason"] == "RateLimit"
    assert failed.observed_at == datetime.fromtimestamp(1788000000, UTC)
    assert of_copilot(prompt="Go").kind == "agent.working"
    assert of_copilot(stopReason="end_turn").kind == "agent.ready"
    assert of_copilot(toolName="bash", toolArgs='{"command": "ls"}').state == "progress"
    assert of_copilot(toolName="ask_user", toolArgs='{"question": "Which?"}').state == "waiting"
    assert of_copilot(reason="complete").kind == "agent.ended"
    assert of_copilot(reason="timeout").kind == "agent.failed"


def test_the_path_may_name_an_event() -> None:
    assert of_copilot("permissionRequest", toolName="bash").state == "waiting"
    assert of_copilot("preToolUse", toolName="bash").state == "progress"


def test_a_request_of_copilot_may_be_answered_by_its_rules() -> None:
    asks = of_copilot(hookName="permissionRequest", toolName="bash", toolInput={"command": "make"})

    assert asks.details["command"] == "make"
    assert asks.weight < last("Stop").weight


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (b"", "body"),
        (b"not json", "body"),
        (b"[]", "body"),
        (b"{}", "hook_event_name"),
        (b'{"hook_event_name": 7, "session_id": "s"}', "hook_event_name"),
        (b'{"hook_event_name": "Stop"}', "session_id"),
        (b'{"hook_event_name": "Stop", "session_id": {}}', "session_id"),
        (b'{"hook_event_name": "Stop", "session_id": "s", "timestamp": "noon"}', "timestamp"),
    ],
)
def test_what_is_no_hook_is_unfit_and_the_field_is_named(body: bytes, field: str) -> None:
    with pytest.raises(Unfit) as unfit:
        Claude().read(Delivery(body=body))

    assert unfit.value.field == field
    assert unfit.value.why


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
_EVENTS = ["PermissionRequest", "Stop", "StopFailure", "Notification", "PreToolUse", "SessionEnd"]
_FIELDS = [
    *("session_id", "thread-id", "session", "state", "type", "timestamp", "tool_name", "reason"),
    *("tool_input", "error", "background_tasks", "notification_type", "last_assistant_message"),
]


@given(
    st.sampled_from([Claude(), Codex(), Max()]),
    st.sampled_from(_EVENTS),
    st.dictionaries(st.sampled_from(_FIELDS), _JSON),
)
def test_any_shape_is_told_or_unfit_and_nothing_else(
    dialect: Claude | Max, event: str, fields: dict[str, object]
) -> None:
    body = {"hook_event_name": event, "session_id": SESSION, **fields}

    try:
        everything = dialect.read(Delivery(body=json.dumps(body).encode()))
    except Unfit as unfit:
        assert unfit.why  # noqa: PT017 - either outcome is right
    else:
        assert everything


@given(st.binary(max_size=200), st.text(max_size=20))
def test_any_bytes_are_told_or_unfit(body: bytes, path: str) -> None:
    for dialect in (Claude(), Codex(), Max()):
        try:
            dialect.read(Delivery(body=body, path=path))
        except Unfit as unfit:
            assert unfit.why  # noqa: PT017 - either outcome is right

"""What `praxis hook` sends: all that is told, and nothing that is not."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from praxis.commands.hook import delivery_of
from praxis.contract import LARGEST_DELIVERY
from praxis.dialects import Delivery, Unfit
from praxis.dialects.registry import DIALECTS
from praxis.domain.told import Report, Told

SECRET = "the whole of a file nobody else may read"
HOOKS: list[tuple[str, dict[str, object]]] = [
    ("claude", {"hook_event_name": "UserPromptSubmit", "prompt": SECRET}),
    ("claude", {"hook_event_name": "PostToolUse", "tool_name": "Read", "tool_response": SECRET}),
    (
        "claude",
        {
            "hook_event_name": "PermissionRequest",
            "tool_name": "Write",
            "tool_input": {"file_path": "/srv/a", "content": SECRET, "command": "make"},
        },
    ),
    (
        "claude",
        {
            "hook_event_name": "PreToolUse",
            "tool_name": "AskUserQuestion",
            "tool_input": {"questions": [{"question": "Red?", "options": [{"label": "Yes"}]}]},
        },
    ),
    (
        "claude",
        {"hook_event_name": "Stop", "background_tasks": [{"command": SECRET}], "more": SECRET},
    ),
    ("claude", {"hook_event_name": "Stop", "last_assistant_message": SECRET * 99 + "\nShall I?"}),
    ("claude", {"hook_event_name": "stop", "cursor_version": "3.7", "status": "error"}),
    (
        "claude",
        {
            "hook_event_name": "errorOccurred",
            "sessionId": "s1",
            "error": {"name": "RateLimit", "message": "slow down", "stack": SECRET},
        },
    ),
    ("codex", {"hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": "x"}),
    (
        "codex",
        {"type": "agent-turn-complete", "thread-id": "t1", "last-assistant-message": SECRET},
    ),
]


def told(dialect: str, body: bytes) -> Told | str:
    try:
        return DIALECTS[dialect].read(Delivery(body=body))
    except Unfit as unfit:
        return unfit.why


@pytest.mark.parametrize(("dialect", "hook"), HOOKS)
def test_what_is_sent_tells_the_same_and_no_more(dialect: str, hook: dict[str, object]) -> None:
    body = json.dumps({"session_id": "s1", "cwd": "/srv/shop", **hook}).encode()

    sent = delivery_of(dialect, body)

    assert told(dialect, sent.body) == told(dialect, body)
    assert any(isinstance(each, Report) for each in told(dialect, sent.body))
    assert (sent.source, sent.dialect) == (dialect, dialect)
    if hook.get("last_assistant_message") is None:
        assert SECRET.encode() not in sent.body


def test_codex_hands_its_words_over_as_the_last_argument() -> None:
    notice = json.dumps({"type": "agent-turn-complete", "thread-id": "t1", "turn-id": "u1"})

    sent = delivery_of("codex", b"never looked at", notice, source="codex:laptop")

    assert json.loads(sent.body)["thread-id"] == "t1"
    assert sent.source == "codex:laptop"


def test_the_result_of_a_tool_longer_than_a_delivery_is_still_told() -> None:
    hook = {"hook_event_name": "PostToolUse", "session_id": "s1", "tool_response": "x" * (2 << 20)}

    sent = delivery_of("claude", json.dumps(hook).encode())

    assert len(sent.body) < 1000
    assert isinstance(told("claude", sent.body), list)


def test_what_does_not_fit_is_sent_as_it_came_within_bounds() -> None:
    assert delivery_of("claude", b"no json").body == b"no json"
    assert delivery_of("max", b'{"session": "m1"}').body == b'{"session": "m1"}'
    assert len(delivery_of("claude", b"x" * (2 << 20)).body) == LARGEST_DELIVERY
    assert delivery_of("codex", b"", "\udcff").body == b"\xff"


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
_INPUT = st.dictionaries(st.sampled_from(["command", "question", "questions", "plan"]), _JSON)


@given(
    st.sampled_from(["claude", "codex"]),
    st.sampled_from(["PermissionRequest", "PreToolUse", "Stop", "StopFailure", "Notification"]),
    st.sampled_from(["Bash", "AskUserQuestion", "ExitPlanMode"]),
    _INPUT | _JSON,
    st.dictionaries(
        st.sampled_from(["error", "error_details", "message", "background_tasks", "status"]), _JSON
    ),
)
def test_any_hook_tells_the_same_once_trimmed(
    dialect: str, event: str, tool: str, tool_input: object, more: dict[str, object]
) -> None:
    hook = {"hook_event_name": event, "session_id": "s1", "tool_name": tool, **more}
    body = json.dumps({**hook, "tool_input": tool_input}).encode()

    assert told(dialect, delivery_of(dialect, body).body) == told(dialect, body)

"""The hooks of coding agents as they come: one struct for their spellings, and what they ask."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo
from typing import cast

import msgspec

from praxis.dialects import Delivery
from praxis.dialects.agents import Asked
from praxis.dialects.decoding import converted, decoded, instant, required, since_epoch

ASKING_TOOLS = frozenset({"askuserquestion", "askuser", "exitplanmode", "requestuserinput"})
"""Tools whose whole use is to ask the person."""
_BY_SHAPE = {
    "stopReason": "agentStop",
    "prompt": "userPromptSubmitted",
    "toolResult": "postToolUse",
    "toolName": "preToolUse",
    "error": "errorOccurred",
    "reason": "sessionEnd",
    "source": "sessionStart",
}
"""Copilot leaves it to whoever configured the hook to know its event: a field of it tells."""
_NOT_LETTERS = re.compile(r"[^a-z0-9]+")
_LONGEST = 500
_MOST_QUESTIONS = 8
_SPELLINGS = {
    "hookEventName": "hook_event_name",
    "hookName": "hook_event_name",
    "sessionId": "session_id",
    "conversation_id": "session_id",
    "conversationId": "session_id",
    "toolName": "tool_name",
    "toolArgs": "tool_input",
    "toolInput": "tool_input",
    "toolUseId": "tool_use_id",
    "notificationType": "notification_type",
    "errorMessage": "error_message",
    "lastAssistantMessage": "last_assistant_message",
    "agentId": "agent_id",
}
"""What Cursor, Copilot and VS Code call what Claude Code has named."""


class Hook(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The fields of any hook that are looked at; there are others, and more every week."""

    hook_event_name: str = ""
    spoken_by: str = ""
    """The agent, where its spelling tells."""
    session_id: str | None = None
    agent_id: str | None = None
    """A subagent is at work, within the session."""
    timestamp: float | str | None = None
    cwd: str | None = None
    workspace_roots: list[str] | None = None
    source: object = None
    reason: str | None = None
    notification_type: str | None = None
    message: str | None = None
    title: str | None = None
    tool_name: str | None = None
    tool_input: object = None
    tool_use_id: str | None = None
    mcp_server_name: str | None = None
    last_assistant_message: str | None = None
    background_tasks: list[object] | None = None
    session_crons: list[object] | None = None
    status: str | None = None
    error: object = None
    error_type: str | None = None
    error_details: object = None
    error_message: str | None = None
    recoverable: bool | None = None

    @property
    def event(self) -> str:
        """Its name without what spellings differ in."""
        return plain(self.hook_event_name)

    @property
    def folder(self) -> str:
        """Where the agent works."""
        return self.cwd or next(iter(self.workspace_roots or ()), "")

    @property
    def still_at_work(self) -> int:
        """How many things go on in the background after a turn."""
        return len(self.background_tasks or ()) + len(self.session_crons or ())

    @property
    def asked(self) -> Asked:
        """What a person is asked."""
        if self.mcp_server_name and self.message:
            return Asked(question=self.message[:_LONGEST], tool=self.mcp_server_name)
        if self.tool_name:
            return asked_of(self.tool_name, self.tool_input)
        return Asked(question=(self.message or self.title or "")[:_LONGEST])

    @property
    def failure(self) -> str:
        """Why it failed, in one word where the agent has one."""
        named = _member(self.error, "name") or _member(self.error, "type") or _text(self.error)
        return (named or self.error_type or self.status or self.reason or "unknown")[:_LONGEST]

    @property
    def failure_text(self) -> str:
        """What is said about the failure."""
        said = _text(self.error_details) or _member(self.error, "message") or self.error_message
        return (said or "")[:_LONGEST]

    def at(self, zone: tzinfo = UTC) -> datetime | None:
        """When it was, where it says so.

        Raises:
            Unfit: It names what is no time.
        """
        if isinstance(self.timestamp, str):
            return instant(self.timestamp, "timestamp", zone)
        return since_epoch(self.timestamp and self.timestamp / 1000, "timestamp")


def hook_of(delivery: Delivery) -> Hook:
    """The hook a delivery holds; where its body names no event, its path does, or its shape.

    Raises:
        Unfit: It is no hook.
    """
    hook, shape = _hook_in(delivery.body)
    named = hook.hook_event_name or delivery.path.strip("/").rpartition("/")[2] or shape
    return msgspec.structs.replace(hook, hook_event_name=required(named, "hook_event_name"))


def trimmed(body: bytes) -> bytes:
    """The hook with nothing but what is looked at, and told as it would be with all the rest.

    Raises:
        Unfit: It is no hook.
    """
    hook, shape = _hook_in(body)
    said = hook.last_assistant_message
    return msgspec.json.encode(
        msgspec.structs.replace(
            hook,
            hook_event_name=hook.hook_event_name or shape,
            tool_input=_told_of(hook.tool_input),
            background_tasks=[None] * len(hook.background_tasks or ()),
            session_crons=[None] * len(hook.session_crons or ()),
            last_assistant_message=said and said[-4 * _LONGEST :],
            error=hook.failure,
            error_details=hook.failure_text,
        )
    )


def _hook_in(body: bytes) -> tuple[Hook, str]:
    """The hook a body holds, and the event that its shape is of."""
    fields = decoded(body, dict[str, object])
    hook = converted({_SPELLINGS.get(name, name): fields[name] for name in fields}, Hook)
    if "sessionId" in fields:
        shape = next((event for name, event in _BY_SHAPE.items() if name in fields), "")
        return msgspec.structs.replace(hook, spoken_by="Copilot"), shape
    if "cursor_version" in fields:
        return msgspec.structs.replace(hook, spoken_by="Cursor"), ""
    return hook, ""


def asked_of(tool: str, tool_input: object) -> Asked:
    """What a person is asked who is to let a tool be used, or to answer it."""
    questions = list(_questions(tool_input))
    if questions:
        options = [label for each in questions for label in _labels(each)]
        return Asked(
            question=" ".join(filter(None, (_member(each, "question") for each in questions)))[
                :_LONGEST
            ],
            tool=tool,
            options=" | ".join(options)[:_LONGEST],
        )
    if plain(tool) in ASKING_TOOLS:
        question = _member(tool_input, "question") or _member(tool_input, "plan")
        return Asked(question=(question or "")[:_LONGEST], tool=tool)
    return Asked(tool=tool, command=_command(tool_input)[:_LONGEST])


def plain(name: str) -> str:
    """A name without case, dashes and dots: `pre_tool_use` and `PreToolUse` are one."""
    return _NOT_LETTERS.sub("", name.lower())


def _questions(tool_input: object) -> Iterable[object]:
    questions = _field(tool_input, "questions")
    if isinstance(questions, list):
        yield from (
            each
            for each in cast("list[object]", questions)[:_MOST_QUESTIONS]
            if _member(each, "question")
        )


def _labels(question: object) -> Iterable[str]:
    options = _field(question, "options")
    if isinstance(options, list):
        for each in cast("list[object]", options)[:_MOST_QUESTIONS]:
            label = _text(each) or _member(each, "label")
            if label:
                yield label


def _command(tool_input: object) -> str:
    command = _field(tool_input, "command")
    if isinstance(command, list):
        return " ".join(map(str, cast("list[object]", command)[:64]))
    return _text(command) or ""


def _told_of(tool_input: object) -> dict[str, object] | None:
    """What of a tool's input may be told: its command or its questions."""
    told: dict[str, object] = {
        name: text[:_LONGEST]
        for name, text in (
            ("command", _command(tool_input)),
            ("question", _member(tool_input, "question")),
            ("plan", _member(tool_input, "plan")),
        )
        if text
    }
    if questions := list(_questions(tool_input)):
        told["questions"] = [
            {"question": (_member(each, "question") or "")[:_LONGEST], "options": [*_labels(each)]}
            for each in questions
        ]
    return told or None


def _field(value: object, name: str) -> object:
    """A field of an object, which may have come as JSON in a text."""
    if isinstance(value, str) and value.lstrip()[:1] == "{":
        try:
            value = msgspec.json.decode(value.encode("utf-8", "replace"))
        except (ValueError, RecursionError):
            return None
    return cast("dict[str, object]", value).get(name) if isinstance(value, dict) else None


def _member(value: object, name: str) -> str | None:
    return _text(_field(value, name))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None

"""What the lines of an agent's transcript say of its session, one after the other."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any, Protocol, TypeVar, cast

import msgspec

from praxis.dialects.agents import WAITING, WORKING, WRITTEN, Asked, Session
from praxis.dialects.hooks import ASKING_TOOLS, asked_of, plain
from praxis.domain.told import Report

T = TypeVar("T")
_OVER = frozenset({"end_turn", "stop_sequence", "refusal"})
_TURN_SUMMARIES = frozenset({"turn_duration", "stop_hook_summary"})
_INTERRUPTED = "[Request interrupted by user"
_NO_PROMPT = ("<command-", "<local-command-", "<bash-", "Caveat: ")
"""How texts begin that the person's own commands leave behind."""
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
_APPROVALS = frozenset(
    {
        "exec_approval_request",
        "apply_patch_approval_request",
        "request_permissions",
        "request_user_input",
        "elicitation_request",
    }
)


class Transcript(Protocol):
    """One file, read line by line."""

    def take(self, line: bytes, place: str) -> Report | None:
        """What a line changes; None where it tells nothing new.

        Args:
            line: without its break.
            place: where it stands, which no other line shares but after the file was cut.
        """
        ...


class _Message(msgspec.Struct, frozen=True):
    content: object = None
    stop_reason: str | None = None


class _ClaudeLine(msgspec.Struct, frozen=True, rename="camel"):
    type: str = ""
    subtype: str | None = None
    timestamp: datetime | None = None
    session_id: str | None = None
    cwd: str | None = None
    is_sidechain: bool = False
    is_meta: bool = False
    is_api_error_message: bool = False
    error: object = None
    message: _Message | None = None


class _CodexLine(msgspec.Struct, frozen=True):
    type: str = ""
    timestamp: datetime | None = None
    payload: dict[str, Any] = {}


class ClaudeTranscript:
    """A transcript of Claude Code."""

    def __init__(self, stem: str) -> None:
        self._key = stem
        self._folder = ""
        self._last: Report | None = None

    def take(self, line: bytes, place: str) -> Report | None:
        """What a line changes; None where it tells nothing new, or of a subagent."""
        read = _read(line, _ClaudeLine)
        if read is None or read.is_sidechain:
            return None
        self._key, self._folder = read.session_id or self._key, read.cwd or self._folder
        session = Session(
            agent="Claude Code",
            key=self._key,
            signal=f"transcript:{read.type}",
            folder=self._folder,
            observed_at=read.timestamp,
            event_id=f"{place}@{read.timestamp}",
        )
        self._last, report = _news(self._last, self._told(read, session))
        return report

    def _told(self, line: _ClaudeLine, session: Session) -> Report | None:
        message = line.message or _Message()
        match line.type:
            case "user" if not line.is_meta:
                return self._prompted(message, session)
            case "assistant" if line.is_api_error_message:
                return _broken_off(line, message, session)
            case "assistant":
                return _answered(message, session)
            case "system" if line.subtype in _TURN_SUMMARIES and _is(self._last, WORKING):
                return session.ready(WRITTEN)
            case _:
                return None

    def _prompted(self, message: _Message, session: Session) -> Report | None:
        text = _text(message.content)
        if text.startswith(_INTERRUPTED):
            return session.ready(WRITTEN)
        if text and not text.startswith(_NO_PROMPT):
            return session.works()
        # The result of a tool: an answer to what was asked, but no new turn.
        has_result = any(each.get("type") == "tool_result" for each in _blocks(message.content))
        is_answer = self._last is None or _is(self._last, WAITING)
        return session.works() if has_result and is_answer else None


def _broken_off(line: _ClaudeLine, message: _Message, session: Session) -> Report:
    """An error the agent can name stands until something is done; another is over with the turn."""
    reason = line.error if isinstance(line.error, str) else ""
    said = _text(message.content)
    if reason and reason != "unknown":
        return session.failed(reason, WRITTEN, said)
    return session.ready(WRITTEN, "warning", said)


def _answered(message: _Message, session: Session) -> Report:
    for block in _blocks(message.content):
        if block.get("type") == "tool_use" and plain(str(block.get("name", ""))) in ASKING_TOOLS:
            return session.waits(asked_of(str(block["name"]), block.get("input")), WRITTEN)
    if message.stop_reason not in _OVER:
        return session.works()
    return cast("Report", session.turn_over(_text(message.content), WRITTEN)[-1])


class CodexTranscript:
    """A rollout of Codex."""

    def __init__(self, stem: str) -> None:
        found = _UUID.search(stem)
        self._key = found[0] if found else stem
        self._folder = ""
        self._is_subagent = False
        self._last: Report | None = None

    def take(self, line: bytes, place: str) -> Report | None:
        """What a line changes; None where it tells nothing new, or of a subagent."""
        read = _read(line, _CodexLine)
        if read is None:
            return None
        if read.type == "session_meta":
            self._key = str(read.payload.get("id") or self._key)
            self._is_subagent = "subagent" in (
                *_named(read.payload.get("source")),
                read.payload.get("thread_source"),
            )
        if read.type in {"session_meta", "turn_context"}:
            self._folder = str(read.payload.get("cwd") or self._folder)
        if self._is_subagent:
            return None
        session = Session(
            agent="Codex",
            key=self._key,
            signal=f"transcript:{read.payload.get('type', read.type)}",
            folder=self._folder,
            observed_at=read.timestamp,
            event_id=f"{place}@{read.timestamp}",
        )
        told = self._told(read.type, read.payload, session)
        self._last, report = _news(self._last, told)
        return report

    def _told(self, kind: str, payload: dict[str, Any], session: Session) -> Report | None:
        what = str(payload.get("type", ""))
        if kind == "response_item":
            if what.endswith("_call") and plain(str(payload.get("name", ""))) in ASKING_TOOLS:
                return session.waits(asked_of(payload["name"], payload.get("arguments")), WRITTEN)
            is_answer = what.endswith("_output") and _is(self._last, WAITING)
            return session.works() if is_answer else None
        if kind != "event_msg":
            return None
        if what in _APPROVALS:
            message = payload.get("message")
            asked = asked_of("shell" if payload.get("command") else what, payload)
            asked = Asked(question=message[:500]) if isinstance(message, str) else asked
            return session.waits(asked, WRITTEN)
        return self._turned(what, payload, session)

    def _turned(self, what: str, payload: dict[str, Any], session: Session) -> Report | None:
        match what:
            case "task_started" | "turn_started" | "user_message":
                return session.works()
            case "task_complete" | "turn_complete":
                words = payload.get("last_agent_message")
                if not words and self._last is not None and self._last.state == "problem":
                    return None
                return cast("Report", session.turn_over(str(words or ""), WRITTEN)[-1])
            case "turn_aborted" if payload.get("reason") != "replaced":
                return session.ready(WRITTEN)
            case "error":
                reason = next(iter(_named(payload.get("codex_error_info"))), "unknown")
                return session.failed(reason, WRITTEN, str(payload.get("message") or "")[:500])
            case _:
                return None


TRANSCRIPTS: dict[str, Callable[[str], Transcript]] = {
    "claude": ClaudeTranscript,
    "codex": CodexTranscript,
}
"""How to read a file, from its name without its ending, by whose it is."""


def _news(last: Report | None, told: Report | None) -> tuple[Report | None, Report | None]:
    """What holds from now on, and what of it is new."""
    if told is None:
        return last, None
    is_same = last is not None and (last.kind, last.summary) == (told.kind, told.summary)
    return told, None if is_same else told


def _is(report: Report | None, kind: str) -> bool:
    return report is not None and report.kind == kind


def _read(line: bytes, kind: type[T]) -> T | None:
    """The line; None where it is nothing that is known."""
    try:
        return msgspec.json.decode(line, type=kind)
    except (ValueError, RecursionError):
        return None


def _blocks(content: object) -> list[dict[str, object]]:
    blocks = cast("list[object]", content) if isinstance(content, list) else []
    return [cast("dict[str, object]", each) for each in blocks if isinstance(each, dict)]


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    texts = [each.get("text") for each in _blocks(content) if each.get("type") == "text"]
    return "\n".join(each for each in texts if isinstance(each, str))


def _named(value: object) -> list[str]:
    """The name that stands alone, or before its fields."""
    if isinstance(value, str):
        return [value]
    return list(cast("dict[str, object]", value)) if isinstance(value, dict) else []

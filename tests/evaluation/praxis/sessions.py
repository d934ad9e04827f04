"""Replay recorded sessions of coding agents as the hooks that the agents would have sent.

A recording holds what a daemon saw (`events.jsonl`) and the states that must follow one another
(`expected.jsonl`). Its events are of three sorts:

* `hook_received` is a hook, and is delivered as it is named.
* `state_transition` is what the daemon made of a transcript, at the moment a hook of the agent
  would have said so: a prompt was sent, a tool was let through, a turn ended or failed. It is
  delivered as that hook, unless the hook itself is recorded.
* `transcript_new`, `process_exited` and `process_died_midturn` are the start and the end of a
  session.

All others tell of the daemon's own work and are no deliveries. Neither are events of `proc-…`: it
stands for a process that has no session yet, and so no hooks.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, cast

from praxis.dialects import Delivery

Stand = Literal["ready", "working", "waiting", "failed"]
"""`ready` both before the first turn and after one."""
STANDS: dict[str, Stand] = {
    "agent.waiting": "waiting",
    "agent.ready": "ready",
    "agent.failed": "failed",
}
"""What the kind of an active item says of its session."""
_DIALECTS = {"codex": "codex"}
"""Of all others, the hooks are those of Claude Code in this spelling or that."""
_UNBORN = "proc-"
_AFTER_HOOK: dict[str, Stand] = {
    "SessionStart": "ready",
    "UserPromptSubmit": "working",
    "PermissionRequest": "waiting",
    "Elicitation": "waiting",
    "PostToolUse": "working",
    "PostToolUseFailure": "working",
    "Stop": "ready",
    "StopFailure": "failed",
}
_ERROR = {"error": "failed"}


@dataclass(frozen=True, slots=True)
class Hooked:
    """One hook of one session."""

    session: str
    dialect: str
    event: str
    at: datetime
    delivery: Delivery


@dataclass(frozen=True, slots=True)
class Phase:
    """A state that must be seen."""

    name: str
    stand: Stand
    is_dwelling: bool
    """It is the phase before it that must last."""


@dataclass(slots=True)
class _Known:
    dialect: str
    folder: str = ""
    stand: Stand | None = None
    was_asked: bool = False
    has_ended: bool = False


@dataclass(frozen=True, slots=True)
class Recording:
    """The folder of one session."""

    folder: Path

    def hooks(self) -> Iterator[Hooked]:
        """The hooks, in the order in which they would have come."""
        replay = _Replay(self.said())
        for event in _lines(self.folder / "events.jsonl"):
            session = str(event.get("session_id", ""))
            if session and not session.startswith(_UNBORN):
                yield from replay.play(event, session)

    def phases(self) -> list[Phase]:
        """The states that must follow one another, those of a session not yet born left out."""
        return [
            Phase(each["phase"], _stand(each["expected_state"]), "duration_at_least_ms" in each)
            for each in _lines(self.folder / "expected.jsonl")
            if "expected_state" in each and not each["phase"].startswith("presession")
        ]

    def transcript(self) -> list[bytes]:
        """The lines the agent wrote."""
        return (self.folder / "transcript.jsonl").read_bytes().splitlines(keepends=True)

    def said(self) -> list[tuple[datetime, str]]:
        """What the agent said in its transcript, and when."""
        said: list[tuple[datetime, str]] = []
        for each in _lines(self.folder / "transcript.jsonl"):
            message: dict[str, Any] = each.get("message") or each.get("payload") or {}
            content: object = message.get("content")
            if message.get("role") == "assistant" and isinstance(content, list):
                texts = [block.get("text", "") for block in cast("list[dict[str, str]]", content)]
                said.append((datetime.fromisoformat(each["timestamp"]), "\n".join(texts)))
        return said


@dataclass(slots=True)
class _Replay:
    """What is known of each session while its events are played."""

    said: list[tuple[datetime, str]]
    known: dict[str, _Known] = field(default_factory=dict[str, _Known])

    def play(self, event: dict[str, Any], session: str) -> Iterator[Hooked]:
        """The hooks that the agent would have sent at an event."""
        for name, fields in self._hooks_of(event, session):
            yield self._hooked(event, session, name, fields)

    def _hooks_of(
        self, event: dict[str, Any], session: str
    ) -> Iterable[tuple[str, dict[str, object]]]:
        known = self.known.setdefault(session, _Known("claude"))
        known.dialect = _DIALECTS.get(event.get("adapter", ""), known.dialect)
        known.folder = event.get("cwd") or known.folder
        match event["kind"]:
            case "transcript_new":
                return [("SessionStart", {"source": "startup"})]
            case "hook_received":
                return [(event["hook_name"], _data(event.get("hook_data", "")))]
            case "state_transition" if "prev_state" in event:
                stand = _stand(event["new_state"])
                return [] if stand == known.stand else [self._hook_for(stand, event, known)]
            case "process_died_midturn":
                return [("StopFailure", {"error": "process_died"})]
            case "process_exited" | "transcript_removed" if not known.has_ended:
                return [("SessionEnd", {"reason": "other"})]
            case _:
                return []

    def _hook_for(
        self, stand: Stand, event: dict[str, Any], known: _Known
    ) -> tuple[str, dict[str, object]]:
        inputs: dict[str, Any] = event.get("inputs") or {}
        match stand:
            case "working":
                return ("PostToolUse" if known.was_asked else "UserPromptSubmit", {})
            case "ready":
                return ("Stop", {})
            case "failed":
                return ("StopFailure", {"error": inputs.get("session_error_class", "unknown")})
            case "waiting":
                tools: list[str] = inputs.get("last_open_tool_names") or []
                if tools or inputs.get("permission_pending"):
                    return ("PermissionRequest", {"tool_name": tools[-1] if tools else "unknown"})
                at = datetime.fromisoformat(event["ts"])
                words = [text for said_at, text in self.said if said_at <= at]
                return ("Stop", {"last_assistant_message": "".join(words[-1:])})

    def _hooked(
        self, event: dict[str, Any], session: str, name: str, fields: dict[str, object]
    ) -> Hooked:
        known = self.known[session]
        if name in _AFTER_HOOK:
            known.stand = _AFTER_HOOK[name]
        if name == "Stop" and fields.get("last_assistant_message"):
            known.stand = "waiting"
        known.was_asked = name in {"PermissionRequest", "Elicitation"} or (
            known.was_asked and known.stand == "waiting"
        )
        known.has_ended = known.has_ended or name == "SessionEnd"
        body = {"session_id": session, "cwd": known.folder, "hook_event_name": name, **fields}
        return Hooked(
            session=session,
            dialect=known.dialect,
            event=name,
            at=datetime.fromisoformat(event["ts"]),
            delivery=Delivery(body=json.dumps(body).encode()),
        )


def recordings(folder: Path) -> list[Recording]:
    """Every recording below a folder."""
    return [Recording(each.parent) for each in sorted(folder.glob("*/events.jsonl"))]


def unseen(phases: Iterable[Phase], stands: Sequence[str]) -> list[str]:
    """The phases that do not follow one another in what was seen."""
    missing: list[str] = []
    at = 0
    for phase in phases:
        start = max(at - 1, 0) if phase.is_dwelling else at
        found = next((n for n in range(start, len(stands)) if stands[n] == phase.stand), None)
        if found is None:
            missing.append(phase.name)
        else:
            at = found + 1
    return missing


def _stand(state: str) -> Stand:
    return cast("Stand", _ERROR.get(state, state))


def _data(text: str) -> dict[str, object]:
    return cast("dict[str, object]", json.loads(text)) if text.startswith("{") else {}


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)

"""Hooks of Claude Code, and of Cursor, Copilot and VS Code, whose hooks are spelt otherwise."""

from __future__ import annotations

from collections.abc import Callable

from praxis.dialects import Delivery
from praxis.dialects.agents import (
    ASKED,
    BROKE_OFF,
    IDLE,
    MAY_BE_ANSWERED,
    REMINDED,
    TURN_ENDED,
    Session,
)
from praxis.dialects.decoding import required
from praxis.dialects.hooks import ASKING_TOOLS, Hook, hook_of, plain
from praxis.domain.told import Beat, Told

_REMINDERS = frozenset({"permissionprompt", "elicitationdialog", "agentneedsinput"})
_ANSWERED = frozenset({"elicitationcomplete", "elicitationresponse"})
_NO_END = frozenset({"clear", "resume"})
"""The session goes on under another id, or at another place."""
_BAD_ENDS = frozenset({"error", "timeout"})
_NEW = frozenset({"", "startup", "new"})


class Claude:
    """One session, one item."""

    name = "claude"
    agent = "Claude Code"
    asks_with = ASKED
    """How much a request for permission proves."""

    def read(self, delivery: Delivery) -> Told:
        """What a hook tells of its session; a beat where it is an event that tells nothing.

        Raises:
            Unfit: It is no hook, or lacks its session.
        """
        hook = hook_of(delivery)
        tell = self._permission if hook.event == "permissionrequest" else _BY_EVENT.get(hook.event)
        if tell is None:
            return [Beat()]
        session = Session(
            agent=hook.spoken_by or self.agent,
            key=required(hook.session_id, "session_id"),
            signal=hook.hook_event_name,
            folder=hook.folder,
            observed_at=hook.at(delivery.zone),
            event_id=f"{hook.event}:{hook.tool_use_id}" if hook.tool_use_id else None,
        )
        return tell(hook, session) or [Beat()]

    def _permission(self, hook: Hook, session: Session) -> Told:
        # Copilot asks its hooks before its own rules, which may answer.
        asks_with = MAY_BE_ANSWERED if hook.spoken_by == "Copilot" else self.asks_with
        asks = session.waits(hook.asked, asks_with)
        # It is a sign that a turn goes on, even where it does not outweigh the end of the last.
        return [asks] if asks_with > TURN_ENDED else [session.has_begun(), asks]


def _elicitation(hook: Hook, session: Session) -> Told:
    return [session.waits(hook.asked, ASKED)]


def _notification(hook: Hook, session: Session) -> Told:
    what = plain(hook.notification_type or "") or _meant(hook.message or "")
    if what in _REMINDERS:
        return [session.waits(hook.asked, REMINDED)]
    if what == "idleprompt":
        return [session.ready(IDLE)]
    return [session.goes_on()] if what in _ANSWERED else []


def _meant(message: str) -> str:
    """The type of a notification from before they had one."""
    if "needs your permission" in message or "needs your approval" in message:
        return "permissionprompt"
    return "idleprompt" if "waiting for your input" in message else ""


def _before_tool(hook: Hook, session: Session) -> Told:
    if plain(hook.tool_name or "") in ASKING_TOOLS:
        return [session.waits(hook.asked, ASKED)]
    # A subagent goes on while the session waits.
    return [] if hook.agent_id else [session.goes_on()]


def _goes_on(_: Hook, session: Session) -> Told:
    return [session.goes_on()]


def _works(_: Hook, session: Session) -> Told:
    return [session.works()]


def _started(hook: Hook, session: Session) -> Told:
    source = hook.source if isinstance(hook.source, str) else ""
    return [session.works()] if source in _NEW else []


def _stopped(hook: Hook, session: Session) -> Told:
    if hook.status == "error":
        return _failed(hook, session)
    if hook.still_at_work:
        return [session.goes_on()]
    return session.turn_over(hook.last_assistant_message or "", TURN_ENDED)


def _failed(hook: Hook, session: Session) -> Told:
    if hook.recoverable:
        return []
    return [session.goes_on(), session.failed(hook.failure, BROKE_OFF, hook.failure_text)]


def _ended(hook: Hook, session: Session) -> Told:
    reason = hook.reason or "unknown"
    if reason in _NO_END:
        return [session.goes_on()]
    if reason in _BAD_ENDS:
        return _failed(hook, session)
    return [session.ended(reason)]


_BY_EVENT: dict[str, Callable[[Hook, Session], Told]] = {
    "elicitation": _elicitation,
    "elicitationresult": _goes_on,
    "notification": _notification,
    "pretooluse": _before_tool,
    "beforeshellexecution": _before_tool,
    "beforemcpexecution": _before_tool,
    "posttooluse": _goes_on,
    "posttoolusefailure": _goes_on,
    "posttoolbatch": _goes_on,
    "permissiondenied": _goes_on,
    "aftershellexecution": _goes_on,
    "aftermcpexecution": _goes_on,
    "afterfileedit": _goes_on,
    "userpromptsubmit": _works,
    "userpromptsubmitted": _works,
    "beforesubmitprompt": _works,
    "sessionstart": _started,
    "stop": _stopped,
    "agentstop": _stopped,
    "stopfailure": _failed,
    "erroroccurred": _failed,
    "sessionend": _ended,
}
"""Events by their plain name; of a subagent's end, and of all others, nothing follows."""

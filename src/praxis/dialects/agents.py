"""What a coding agent's signals come to: the kinds of its reports and how much each proves."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePath

from praxis.contract import ObservedState, Severity
from praxis.dialects import bounded
from praxis.domain.told import Report, Told

WAITING = "agent.waiting"
READY = "agent.ready"
WORKING = "agent.working"
FAILED = "agent.failed"
ENDED = "agent.ended"

ASKED = 60
"""The agent hands over the very thing it asks."""
REMINDED = 55
"""It says that it waits, perhaps late, and not for what."""
BROKE_OFF = 50
"""It says that its turn failed."""
TURN_ENDED = 40
"""It says that its turn is over."""
IDLE = 30
"""It says that nobody has answered for a while, which is known to come at the wrong time."""
NOTIFIED = 28
"""A notification after each turn, which knows of nothing else."""
MAY_BE_ANSWERED = 25
"""It asks, but another program may answer in a moment."""
WRITTEN = 20
"""Read from what the agent writes down."""
SEEN = 10
"""Read from its screen."""

_QUESTION_MARKS = ("?", "\uff1f")
_CLOSING = re.compile(r"[\s*_`\"'»”’)\]]+$")
_LONGEST = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a person is asked: to let a tool be used, or a question."""

    question: str = ""
    tool: str = ""
    command: str = ""
    options: str = ""

    @property
    def details(self) -> dict[str, str]:
        """What there is of it."""
        return {
            "question": self.question,
            "tool": self.tool,
            "command": self.command,
            "options": self.options,
        }

    def told_by(self, agent: str) -> str:
        """One sentence."""
        if self.question:
            return f"{agent} asks: {self.question}"
        if self.tool:
            what = f"{self.tool}: {self.command}" if self.command else self.tool
            return f"{agent} asks for permission: {what}"
        return f"{agent} waits for an answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One session of an agent at one signal, and the reports that can be made of it."""

    agent: str
    """As people call it."""
    key: str
    signal: str
    """What told, in the words of the agent."""
    folder: str = ""
    observed_at: datetime | None = None
    event_id: str | None = None
    more: dict[str, str] = field(default_factory=dict[str, str])

    def waits(self, asked: Asked, weight: int) -> Report:
        """A person is asked something and the agent cannot go on."""
        return self._report(
            WAITING, "waiting", asked.told_by(self.agent), "warning", weight, asked.details
        )

    def ready(self, weight: int, severity: Severity = "info", why: str = "") -> Report:
        """Its turn is over: not that all is done, but that it is the person's turn."""
        summary = f"{self.agent} has ended its turn"
        summary = f"{summary}: {why}" if why else summary
        return self._report(READY, "waiting", summary, severity, weight, {"reason": why})

    def failed(self, reason: str, weight: int, said: str = "") -> Report:
        """It broke off."""
        summary = f"{self.agent} failed: {reason}" + (f" ({said})" if said else "")
        details = {"reason": reason, "said": said}
        group = bounded.line(f"{self.agent}: {reason}", 200)
        return self._report(FAILED, "problem", summary, "error", weight, details, group)

    def goes_on(self) -> Report:
        """What it waited for is over; one that has ended its turn stays so."""
        summary = f"{self.agent} goes on"
        return self._report(WAITING, "progress", summary, "info", 0, {})

    def has_begun(self) -> Report:
        """A turn goes on, so that it is no longer the person's."""
        return self._report(READY, "progress", f"{self.agent} goes on", "info", 0, {})

    def works(self) -> Report:
        """A new turn begins: whatever was, is over."""
        return self._report(WORKING, "ok", f"{self.agent} works", "info", 0, {})

    def ended(self, how: str) -> Report:
        """The session is gone, and with it what it waited for."""
        summary = f"{self.agent} has ended the session: {how}"
        return self._report(ENDED, "ok", summary, "info", 0, {"ended": how})

    def turn_over(self, last_words: str, weight: int) -> Told:
        """Its turn is over; where its last words ask something, that is waited for."""
        question = question_in(last_words)
        asks = self.waits(Asked(question=question), weight) if question else self.ready(weight)
        return [self.goes_on(), asks]

    def _report(
        self,
        kind: str,
        state: ObservedState,
        summary: str,
        severity: Severity,
        weight: int,
        details: dict[str, str],
        group: str = "",
    ) -> Report:
        told = {"agent": self.agent, "signal": self.signal, "folder": self.folder, **self.more}
        return Report(
            key=bounded.key(self.key),
            kind=kind,
            state=state,
            summary=bounded.line(summary),
            severity=severity,
            observed_at=self.observed_at,
            event_id=None if self.event_id is None else bounded.key(self.event_id, kind, state),
            weight=weight,
            subject=bounded.line(PurePath(self.folder).name, 200),
            group=group,
            details=bounded.details({**told, **details}),
        )


def question_in(text: str) -> str:
    """The question a text ends in; empty where it ends otherwise."""
    lines = _CLOSING.sub("", text[-_LONGEST * 4 :]).splitlines()
    last = lines[-1].strip() if lines else ""
    return last[-_LONGEST:] if last.endswith(_QUESTION_MARKS) else ""

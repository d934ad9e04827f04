"""Watch panes of tmux for programs that wait at a prompt; what a screen shows proves the least."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime

from kit.clock import Clock
from kit.errors import Unavailable
from praxis.contract.agent_looks import PaneLook
from praxis.dialects.agents import SEEN, Asked, Session
from praxis.domain.told import Report
from praxis.sources import Reading
from praxis.sources.pane_prompts import Shown, shown_on
from praxis.sources.program import environment, output_of

_FORMAT = (
    "#{pane_id} #{start_time} #{pane_pid} #{pane_dead} s#{pane_dead_status} g#{pane_dead_signal}"
    " #{s/ /_/:pane_current_command} #{pane_current_path}"
)
"""What may hold spaces stands last."""
_NO_SERVER = ("no server running", "(No such file or directory)", "server exited unexpectedly")
_KILLED = frozenset({"1", "2", "15", "hup", "int", "term", "129", "130", "143"})
"""Signals, and the statuses that stand for them, with which people end programs."""
_MOST_PANES = 100
_LARGEST_SCREEN = 1 << 18
_KEPT = ("HOME", "PATH", "TMUX_TMPDIR")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pane:
    """A pane as tmux lists it."""

    pane_id: str
    key: str
    """Names are given anew once the server has ended, and so is a pane's program."""
    is_dead: bool
    status: str
    """With which its program has ended; empty where tmux does not know yet."""
    signal: str
    """By which it was ended."""
    program: str
    folder: str


@dataclass(slots=True)
class _Watched:
    screen: str = ""
    """A digest of what it showed."""
    looks: int = 0
    """How many in a row have shown the same."""
    dead_looks: int = 0
    program: str = ""
    folder: str = ""
    told: Report | None = None


class PaneSource:
    """All panes of one server of tmux."""

    def __init__(self, look: PaneLook, clock: Clock) -> None:
        self._look = look
        self._clock = clock
        self._command = ["tmux", *(["-L", look.socket] if look.socket else [])]
        self._watched: dict[str, _Watched] = {}

    async def poll(self) -> list[Reading]:
        """Look once at each pane; a screen counts once it has stood still.

        Raises:
            Unavailable: tmux is not there, or does not answer.
        """
        now = self._clock.now()
        reports: list[Report] = []
        panes = await self._panes()
        for pane in panes:
            report = await self._of(pane)
            if report is not None:
                reports.append(report)
        present = {pane.key for pane in panes}
        for key in [key for key in self._watched if key not in present]:
            watched = self._watched.pop(key)
            if _goes_on(watched.told):
                reports.append(_session(key, watched).ended("pane gone"))
        return [_reading(report, now) for report in reports]

    def close(self) -> None:
        """Nothing is held open between looks."""

    async def _of(self, pane: Pane) -> Report | None:
        watched = self._watched.setdefault(pane.key, _Watched())
        if pane.is_dead:
            watched.dead_looks += 1
            return self._tell(watched, self._died(pane, watched))
        watched.program, watched.folder = pane.program, pane.folder
        try:
            screen = await self._tmux("capture-pane", "-p", "-t", pane.pane_id)
        except Unavailable:
            return None  # it has gone since it was listed
        digest = hashlib.sha256(f"{pane.program}\0{screen}".encode()).hexdigest()
        watched.looks = watched.looks + 1 if digest == watched.screen else 1
        watched.screen = digest
        shown = shown_on(screen, pane.program)
        if shown is not None and watched.looks < self._look.still:
            return None
        return self._tell(watched, _shows(_session(pane.key, watched), shown))

    def _died(self, pane: Pane, watched: _Watched) -> Report | None:
        """How a program ended whose pane is kept; nothing of one that was never seen alive."""
        if watched.told is None:
            return None
        session = _session(pane.key, watched)
        if not (pane.status or pane.signal):
            # tmux learns of it later, and now and then not before another program ends.
            return session.ended("unknown") if watched.dead_looks >= self._look.still else None
        if {pane.status, pane.signal} & _KILLED:
            return session.ended("killed")
        if pane.status == "0":
            return session.ended("exited")
        how = f"signal {pane.signal}" if pane.signal else f"exit status {pane.status}"
        return session.failed(how, SEEN)

    def _tell(self, watched: _Watched, report: Report | None) -> Report | None:
        """The report, where it is news."""
        if report is None:
            return None
        last, watched.told = watched.told, report
        is_same = last is not None and (last.kind, last.summary) == (report.kind, report.summary)
        return None if is_same else report

    async def _panes(self) -> list[Pane]:
        try:
            listed = await self._tmux("list-panes", "-a", "-F", _FORMAT)
        except Unavailable as error:
            if any(each in error.message for each in _NO_SERVER):
                return []
            raise
        panes = [_pane(line) for line in listed.splitlines()[:_MOST_PANES]]
        return [pane for pane in panes if pane is not None]

    async def _tmux(self, *arguments: str) -> str:
        output = await output_of(
            [*self._command, *arguments],
            timeout_s=self._look.timeout_s,
            largest=_LARGEST_SCREEN,
            environment=environment(_KEPT),
        )
        return output.text


def _pane(line: str) -> Pane | None:
    fields = line.split(" ", 7)
    if len(fields) < 8 or not fields[0].startswith("%"):
        return None
    pane_id, started, pid, dead, status, signal, program, folder = fields
    return Pane(
        pane_id=pane_id,
        key=f"pane:{started}:{pane_id}:{pid}",
        is_dead=dead == "1",
        status=status[1:],
        signal=signal[1:].lower().removeprefix("sig"),
        program=program,
        folder=folder,
    )


def _session(key: str, watched: _Watched) -> Session:
    return Session(agent=watched.program, key=key, signal="pane", folder=watched.folder)


def _shows(session: Session, shown: Shown | None) -> Report:
    if shown is None:
        return session.works()
    session = replace(session, agent=shown.agent)
    if shown.is_broken:
        return session.failed("logged_out", SEEN, shown.text)
    return session.waits(Asked(question=shown.text), SEEN)


def _goes_on(told: Report | None) -> bool:
    """Whether something was said of it that a person may still wait for the end of."""
    return told is not None and told.state != "ok"


def _reading(report: Report, now: datetime) -> Reading:
    return Reading(
        state=report.state,
        severity=report.severity,
        summary=report.summary,
        observed_at=now,
        key=report.key,
        kind=report.kind,
        weight=report.weight,
        subject=report.subject,
        details=report.details,
    )

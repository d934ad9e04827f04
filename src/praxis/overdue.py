"""Look at the routines: one that was not completed in time is an item until it is."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from kit.clock import Clock
from praxis.domain.observation import Observation
from praxis.domain.routine import Outlook, Routine, outlook
from praxis.store.intake import OWN
from praxis.store.ledger import Ledger
from praxis.store.routines import Routines
from praxis.watch import Vigil

EVERY_S = 1.0
_LISTENING = timedelta(seconds=60)
"""So long after a start, or less where the grace is shorter, nothing is called late that could
only now be reported."""


class Overdue:
    """Judges routines by the present time."""

    def __init__(self, vigil: Vigil, routines: Routines, ledger: Ledger, clock: Clock) -> None:
        self._vigil = vigil
        self._routines = routines
        self._ledger = ledger
        self._clock = clock

    async def look(self) -> None:
        """Tell of each routine that became late, or is done after all."""
        now = self._clock.now()
        for routine in self._routines.all():
            seen = outlook(routine, self._routines.runs(routine), now)
            is_late = seen.standing == "late" and not self._is_deaf(routine, now)
            if is_late != routine.is_late and (is_late or seen.standing != "late"):
                judged = replace(routine, is_late=is_late)
                await self._ledger.judge_routine(judged, _about(judged, seen, now))
                self._routines.put(judged)

    def _is_deaf(self, routine: Routine, now: datetime) -> bool:
        return now - self._vigil.since < min(routine.grace, _LISTENING)


def _about(routine: Routine, seen: Outlook, now: datetime) -> Observation:
    since = seen.due_at.isoformat(timespec="minutes") if seen.due_at else "its start"
    late = f"{routine.title}: not completed; due since {since}"
    return Observation(
        source=OWN,
        event_id="",
        key=f"routine:{routine.routine}",
        kind="routine",
        state="problem" if routine.is_late else "ok",
        severity=routine.severity,
        summary=late if routine.is_late else f"{routine.title}: completed",
        observed_at=now,
        received_at=now,
        entity_id=routine.entity_id,
        details={"routine": routine.routine, "source": routine.source, "key": routine.key},
    )

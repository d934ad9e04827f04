"""Routines: what is expected by a time, and how it stands."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from kit.errors import InvalidArgument
from kit.trace import Call
from praxis.contract import ListRoutines, PutRoutine, RoutineList, RoutineState
from praxis.domain.routine import Routine, Unreadable, outlook, read_schedule
from praxis.service.composed import Composed
from praxis.service.telling import RESERVED


class Expecting(Composed):
    """The operations on routines."""

    async def put_routine(self, request: PutRoutine, call: Call) -> RoutineState:
        """Expect something, or change what is expected.

        Raises:
            InvalidArgument: The schedule or its zone cannot be read, or nobody can report it.
        """
        if request.source in RESERVED:
            raise InvalidArgument(
                f"Nobody can report for `{request.source}`.", reason="reserved", field="source"
            )
        try:
            schedule = await asyncio.to_thread(
                read_schedule, request.every_s, request.cron, request.calendar, request.zone
            )
        except Unreadable as error:
            raise InvalidArgument(error.why, field=error.field) from error
        known = self._routines.get(request.routine)
        is_same = known is not None and known.schedule == schedule
        routine = Routine(
            routine=request.routine,
            source=request.source,
            key=request.key or request.routine,
            title=request.title or request.routine,
            schedule=schedule,
            grace=timedelta(seconds=request.grace_s),
            severity=request.severity,
            entity_id=request.entity_id,
            registered_at=known.registered_at if known and is_same else self._clock.now(),
            is_late=known.is_late if known else False,
        )
        if routine != known:
            await self._ledger.put_routine(routine)
            self._routines.put(routine)
        return self._routine_state(routine)

    async def list_routines(self, request: ListRoutines, call: Call) -> RoutineList:
        """Routines of some entities or all, by name."""
        wanted = set(request.entity_ids)
        return RoutineList(
            [
                self._routine_state(routine)
                for routine in self._routines.all()
                if not wanted or routine.entity_id in wanted
            ]
        )

    def _routine_state(self, routine: Routine) -> RoutineState:
        runs, schedule = self._routines.runs(routine), routine.schedule
        seen = outlook(routine, runs, self._clock.now())
        return RoutineState(
            routine=routine.routine,
            title=routine.title,
            source=routine.source,
            key=routine.key,
            standing=seen.standing,
            zone=schedule.zone,
            grace_s=routine.grace.total_seconds(),
            every_s=None if schedule.every is None else schedule.every.total_seconds(),
            cron=schedule.cron,
            calendar=schedule.calendar,
            due_at=seen.due_at,
            last_done_at=runs.done_at,
            started_at=runs.under_way,
            entity_id=routine.entity_id,
        )

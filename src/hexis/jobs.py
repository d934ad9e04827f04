"""Executions under way: begun, ended, told of, and settled when a start finds them unfinished."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import NamedTuple

import structlog

from hexis.contract.execution import ExecutionState
from hexis.delivery import Reports
from hexis.domain.capability import Definition
from hexis.domain.execution import Record, is_final, settle
from hexis.executors import Executor, Outcome, Work
from hexis.store.audit import append, happened
from hexis.store.capabilities import Folder
from hexis.store.executions import Executions, advance
from kit.clock import Clock
from kit.errors import Conflict, ResourceExhausted, ServiceError
from kit.idempotency import keyed
from kit.pulse import Pulse
from kit.store import Store
from kit.trace import originate, working_for

_log = structlog.get_logger()
_MOST_READS = 16
"""Reads that may be under way at once; a further one is refused, not queued out of sight."""
_DELEGATED_WITHIN = timedelta(seconds=60)
"""A restart of Hexis that has not happened by then is not waited for any longer."""


class _End(NamedTuple):
    """What has become of an execution."""

    record: Record
    state: ExecutionState
    outcome: Outcome
    at: datetime


class Jobs:
    """Runs executions beside the calls that asked for them, so that nobody can take them along."""

    def __init__(
        self,
        store: Store,
        folder: Folder,
        executors: Mapping[str, Executor],
        reports: Reports,
        clock: Clock,
    ) -> None:
        self._store = store
        self._executions = Executions(store)
        self._folder = folder
        self._executors = executors
        self.reports = reports
        self._clock = clock
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._reads: set[str] = set()
        self._unwritten: dict[str, _End] = {}
        """Ends that the store would not take yet."""
        self._adrift: set[str] = set()
        """Unfinished executions that nothing worked on when last looked."""
        self.pulse = Pulse()

    def is_active(self, execution_id: str) -> bool:
        """Whether it is being worked on, or its end is still to be written or told to Praxis."""
        return execution_id in self._tasks or execution_id in self._unwritten

    def check_room(self, record: Record) -> None:
        """Refuse a read while too many are under way; mutations are bounded by their entities.

        Raises:
            ResourceExhausted: There is no room.
        """
        if not record.mutates and len(self._reads) >= _MOST_READS:
            raise ResourceExhausted(
                f"{_MOST_READS} reads are under way; try again.", reason="too_many_running"
            )

    async def check_target(self, record: Record, definition: Definition) -> None:
        """Refuse what its executor does not act on for any entity.

        Raises:
            FailedPrecondition: It stands for the executor's own machinery.
        """
        executor, work = self._prepare(record, definition)
        await executor.check_target(work)

    def start(self, record: Record, definition: Definition) -> None:
        """Carry out a durable execution, whatever becomes of the caller."""
        execution_id = record.execution.execution_id
        context = originate("service:hexis", causation_id=execution_id)
        with keyed(None), working_for(context):
            task = asyncio.create_task(self._carry_out(record, definition), name=execution_id)
        self._tasks[execution_id] = task
        if not record.mutates:
            self._reads.add(execution_id)

    async def close(self, grace_s: float) -> None:
        """Give what runs a while to end; the rest is settled at the next start."""
        if self._tasks:
            await asyncio.wait(self._tasks.values(), timeout=grace_s)
        for task in [*self._tasks.values()]:
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def settle(self) -> None:
        """Say of everything found unfinished what has become of it; nothing is run again."""
        for record in self._executions.unfinished():
            was_done = await self._was_done(record) if record.execution.delegated else None
            state, reason = settle(record, was_done)
            await self._end(record, state, Outcome(state="unknown", reason=reason))

    async def write_ends(self) -> None:
        """Write down the ends that the store would not take when they came."""
        for execution_id, end in [*self._unwritten.items()]:
            try:
                await self._write(end)
            except Conflict:
                _log.exception("execution_end_dropped", execution_id=execution_id)
            except (ServiceError, sqlite3.Error):
                return
            del self._unwritten[execution_id]
            self.reports.ticker.hurry()
            self.pulse.beat()

    async def give_up_overdue(self) -> None:
        """Settle what nothing works on any more: no restart of Hexis came, or its task is gone."""
        adrift: set[str] = set()
        overdue = self._clock.now() - _DELEGATED_WITHIN
        for record in self._executions.unfinished():
            execution = record.execution
            if self.is_active(execution.execution_id):
                continue
            if execution.delegated:
                is_lost = execution.started_at is not None and execution.started_at < overdue
                state, reason = "unknown", "not_restarted"
            else:
                is_lost = execution.execution_id in self._adrift
                state, reason = settle(record, None)
            if not is_lost:
                adrift.add(execution.execution_id)
                continue
            with suppress(Conflict):  # it has ended meanwhile
                await self._end(record, state, Outcome(state="unknown", reason=reason))
            self.pulse.beat()
        self._adrift = adrift

    async def _carry_out(self, record: Record, definition: Definition) -> None:
        try:
            executor, work = self._prepare(record, definition)
            if record.execution.state == "queued":
                record = await self._begin(record, delegated=executor.is_delegated(work))
            if record.mutates:
                self.reports.ticker.hurry()
            outcome = await self._run(executor, work, record)
            if outcome.state != "running":
                await self._end(record, _state(outcome, record), outcome)
        except Exception:  # noqa: BLE001 - the outermost loop; `give_up_overdue` settles it
            _log.exception("execution_left", execution_id=record.execution.execution_id)
        finally:
            del self._tasks[record.execution.execution_id]
            self._reads.discard(record.execution.execution_id)
            self.pulse.beat()

    async def _run(self, executor: Executor, work: Work, record: Record) -> Outcome:
        try:
            async with asyncio.timeout(work.timeout_s):
                return await executor.run(work)
        except TimeoutError:
            return Outcome(state="unknown", reason="timeout")
        except Exception:  # noqa: BLE001 - whatever broke, what it did is not known
            _log.exception("executor_failed", execution_id=record.execution.execution_id)
            return Outcome(state="unknown", reason="executor_failed")

    async def _begin(self, record: Record, *, delegated: bool) -> Record:
        now = self._clock.now()

        def job(connection: sqlite3.Connection) -> Record:
            begun = advance(connection, record, "running", started_at=now, delegated=delegated)
            append(connection, happened(begun, now))
            self.reports.keep(connection, begun)
            return begun

        try:
            return await self._store.write(job)
        except (ServiceError, sqlite3.Error):
            await self._end(record, "failed", Outcome(state="failed", reason="not_started"))
            raise

    async def _end(self, record: Record, state: ExecutionState, outcome: Outcome) -> None:
        """Write down an end; one that the store will not take is kept until it does."""
        end = _End(record, state, outcome, self._clock.now())
        try:
            await self._write(end)
        except Conflict:
            raise
        except (ServiceError, sqlite3.Error) as error:
            execution_id = record.execution.execution_id
            _log.error("execution_end_unwritten", execution_id=execution_id, error=str(error))
            self._unwritten[execution_id] = end
        else:
            if record.mutates and is_final(state):
                await self.reports.tell()

    async def _write(self, end: _End) -> None:
        record, state, outcome, now = end

        def job(connection: sqlite3.Connection) -> None:
            ended = advance(
                connection,
                record,
                state,
                finished_at=now,
                output=outcome.output,
                data=outcome.data,
                reason=outcome.reason,
            )
            append(connection, happened(ended, now))
            self.reports.keep(connection, ended)

        await self._store.write(job)

    def _prepare(self, record: Record, definition: Definition) -> tuple[Executor, Work]:
        work = Work(
            parameters=definition.parameters,
            external_id=record.identity.external_id,
            arguments=record.execution.arguments,
            timeout_s=definition.timeout_s,
        )
        return self._executors[definition.executor], work

    async def _was_done(self, record: Record) -> bool | None:
        definition = (await self._folder.current()).get(record.execution.capability_id)
        started_at = record.execution.started_at
        if definition is None or started_at is None:
            return None
        executor, work = self._prepare(record, definition)
        return await executor.was_done(work, started_at)


def _state(outcome: Outcome, record: Record) -> ExecutionState:
    """What the outcome means: a read without an end timed out or failed, and may be repeated."""
    if outcome.state != "unknown" or record.mutates:
        return outcome.state
    return "timed_out" if outcome.reason in {"timeout", "no_answer"} else "failed"

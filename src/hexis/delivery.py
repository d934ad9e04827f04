"""Tell Praxis how far executions have come: one way, kept until it has answered."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from dataclasses import replace
from typing import Any, cast

import msgspec

from hexis.domain.execution import Record, is_final
from kit.clock import Clock
from kit.outbox import Outbox, put
from kit.store import Store
from kit.ticker import Ticker
from kit.trace import originate, working_for
from praxis.client import PraxisClient
from praxis.contract import ReportExecution

_FIRST_TRY_S = 1.0
"""How long whoever waits for an end waits for Praxis to hear of it first."""


class _Event(msgspec.Struct, frozen=True):
    correlation_id: str
    report: ReportExecution


class Reports:
    """The events about mutations, in the order they happened."""

    def __init__(self, store: Store, praxis: PraxisClient, clock: Clock) -> None:
        self._praxis = praxis
        self._clock = clock
        self._outbox = Outbox(store, self._send)
        self.ticker = Ticker("reports_to_praxis", 1.0, self._outbox.deliver)

    def keep(self, connection: sqlite3.Connection, record: Record) -> None:
        """Keep what a mutation has come to, in the transaction that makes it so."""
        execution = record.execution
        if not record.mutates or execution.state in {"awaiting_confirmation", "queued"}:
            return
        at = execution.finished_at if is_final(execution.state) else execution.started_at
        report = ReportExecution(
            execution_id=execution.execution_id,
            # the states left over here are those Praxis knows
            state=cast("Any", execution.state),
            capability_id=execution.capability_id,
            action=execution.action,
            entity_id=execution.target.entity_id,
            requester=execution.requester,
            at=at or self._clock.now(),
            expects_recovery=execution.expects_recovery,
        )
        event = _Event(record.correlation_id, report)
        key = f"{execution.execution_id}:{execution.state}"
        put(connection, key, msgspec.json.encode(event), self._clock)

    async def tell(self) -> None:
        """Try to send what is kept, for a bounded time; the ticker does the rest."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_FIRST_TRY_S):
                await self._outbox.deliver()

    async def _send(self, payload: bytes) -> None:
        event = msgspec.json.decode(payload, type=_Event)
        call = originate("service:hexis", causation_id=event.report.execution_id)
        with working_for(replace(call, correlation_id=event.correlation_id)):
            await self._praxis.report_execution(event.report, timeout_s=3.0)

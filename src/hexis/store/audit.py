"""Who asked, for whom, what was decided and why: rows that are never changed."""

from __future__ import annotations

import sqlite3
from datetime import datetime

import msgspec

from hexis.domain.execution import Record
from kit import redact
from kit.clock import to_text
from kit.store import Store
from kit.trace import Call


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One decision or event."""

    at: datetime
    operation: str
    """What was called, or `run`, `expire`, `void` for what happened by itself."""
    decision: str
    principal: str
    requester: str
    correlation_id: str
    causation_id: str = ""
    reason: str = ""
    execution_id: str = ""
    confirmation_id: str = ""
    capability_id: str = ""
    entity_id: str = ""
    details: str = ""


def asked(
    call: Call,
    at: datetime,
    operation: str,
    decision: str,
    record: Record,
    *,
    confirmation_id: str = "",
    reason: str = "",
) -> Entry:
    """A caller's request and what was decided about it."""
    execution = record.execution
    return Entry(
        at=at,
        operation=operation,
        decision=decision,
        principal=call.principal,
        requester=call.requester,
        correlation_id=call.correlation_id,
        causation_id=call.causation_id,
        reason=reason,
        execution_id=execution.execution_id,
        confirmation_id=confirmation_id,
        capability_id=execution.capability_id,
        entity_id=execution.target.entity_id,
        details=redact.summary(execution.arguments),
    )


def happened(record: Record, at: datetime) -> Entry:
    """What an execution has come to by itself."""
    execution = record.execution
    return Entry(
        at=at,
        operation="run",
        decision=execution.state,
        principal="hexis",
        requester=execution.requester,
        correlation_id=record.correlation_id,
        reason=execution.reason or "",
        execution_id=execution.execution_id,
        capability_id=execution.capability_id,
        entity_id=execution.target.entity_id,
        details=redact.summary(execution.data),
    )


def append(connection: sqlite3.Connection, entry: Entry) -> None:
    """Add one row."""
    row = msgspec.structs.asdict(entry)
    row["at"] = to_text(entry.at)
    columns = ", ".join(row)
    values = ", ".join(f":{name}" for name in row)
    connection.execute(f"INSERT INTO audit ({columns}) VALUES ({values})", row)  # noqa: S608 - our own field names


def entries(store: Store, limit: int = 1000) -> list[Entry]:
    """The oldest rows first."""
    rows = store.read("SELECT * FROM audit ORDER BY sequence LIMIT ?", (limit,))
    return [
        msgspec.convert({name: row[name] for name in row.keys() if name != "sequence"}, Entry)  # noqa: SIM118 - a row iterates its values
        for row in rows
    ]

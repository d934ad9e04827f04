"""Executions in SQLite: durable before they start, moved only along legal steps."""

from __future__ import annotations

import sqlite3
from typing import Any

import msgspec

from hexis.contract.execution import Execution, ExecutionState, Target
from hexis.domain.execution import Record, may_follow
from hexis.domain.target import Identity
from kit.clock import from_text, to_text
from kit.errors import Conflict
from kit.store import Store


class Executions:
    """What was asked for and what became of it."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, execution_id: str) -> Record | None:
        """One execution."""
        rows = self._store.read("SELECT * FROM execution WHERE execution_id = ?", (execution_id,))
        return as_record(rows[0]) if rows else None

    def list(self, entity_id: str | None, requester: str | None, limit: int) -> list[Record]:
        """Executions of one entity or all, for one requester or all, newest first."""
        wanted = {"entity_id": entity_id, "requester": requester}
        conditions = [f"{name} = :{name}" for name, value in wanted.items() if value is not None]
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        rows = self._store.read(
            f"SELECT * FROM execution{where} ORDER BY execution_id DESC LIMIT :limit",  # noqa: S608 - fixed column names
            {**wanted, "limit": limit},
        )
        return [as_record(row) for row in rows]

    def unfinished(self) -> list[Record]:
        """What is queued or running, oldest first."""
        rows = self._store.read(
            "SELECT * FROM execution WHERE state IN ('queued', 'running') ORDER BY execution_id"
        )
        return [as_record(row) for row in rows]


def insert(connection: sqlite3.Connection, record: Record) -> None:
    """Keep a new execution.

    Raises:
        Conflict: Another mutation of the entity is under way.
    """
    execution, identity = record.execution, record.identity
    row = {
        "execution_id": execution.execution_id,
        "state": execution.state,
        "capability_id": execution.capability_id,
        "capability_version": execution.capability_version,
        "definition_digest": record.definition_digest,
        "action": execution.action,
        "title": _json(execution.title),
        "entity_id": identity.entity_id,
        "target": _json(execution.target),
        "system": identity.system,
        "external_id": identity.external_id,
        "host_id": identity.host_id,
        "arguments": _json(execution.arguments),
        "requester": execution.requester,
        "principal": record.principal,
        "correlation_id": record.correlation_id,
        "risk": execution.risk,
        "expects_recovery": execution.expects_recovery,
        "created_at": to_text(execution.created_at),
        "started_at": _time(execution.started_at),
    }
    columns, values = ", ".join(row), ", ".join(f":{name}" for name in row)
    try:
        connection.execute(f"INSERT INTO execution ({columns}) VALUES ({values})", row)  # noqa: S608 - our own names
    except sqlite3.IntegrityError as error:
        raise _busy(identity.entity_id) from error


def is_busy(connection: sqlite3.Connection, entity_id: str) -> bool:
    """Whether a mutation of the entity is under way."""
    found = connection.execute(
        "SELECT 1 FROM execution WHERE entity_id = ? AND risk <> 'read'"
        " AND state IN ('queued', 'running')",
        (entity_id,),
    )
    return found.fetchone() is not None


def check_free(connection: sqlite3.Connection, entity_id: str) -> None:
    """Refuse a second mutation of the same entity.

    Raises:
        Conflict: Another one is under way.
    """
    if is_busy(connection, entity_id):
        raise _busy(entity_id)


def advance(
    connection: sqlite3.Connection, before: Record, state: ExecutionState, **changes: Any
) -> Record:
    """Move an execution one step, if it still is where it was.

    Raises:
        Conflict: It has moved meanwhile, or the entity is busy.
    """
    was = before.execution
    if not may_follow(was.state, state, mutates=before.mutates):
        raise Conflict(f"{was.state} cannot become {state}.", reason="execution_moved")
    after = msgspec.structs.replace(was, state=state, **changes)
    row = {
        "execution_id": was.execution_id,
        "was": was.state,
        "state": state,
        "delegated": after.delegated,
        "started_at": _time(after.started_at),
        "finished_at": _time(after.finished_at),
        "output": after.output,
        "data": _json(after.data),
        "reason": after.reason,
    }
    try:
        moved = connection.execute(
            "UPDATE execution SET state = :state, delegated = :delegated, started_at = :started_at,"
            " finished_at = :finished_at, output = :output, data = :data, reason = :reason"
            " WHERE execution_id = :execution_id AND state = :was",
            row,
        ).rowcount
    except sqlite3.IntegrityError as error:
        raise _busy(before.identity.entity_id) from error
    if moved != 1:
        raise Conflict(f"{was.execution_id} has moved meanwhile.", reason="execution_moved")
    return msgspec.structs.replace(before, execution=after)


def as_record(row: sqlite3.Row) -> Record:
    """The execution of a row."""
    return Record(
        execution=Execution(
            execution_id=row["execution_id"],
            state=row["state"],
            capability_id=row["capability_id"],
            capability_version=row["capability_version"],
            action=row["action"],
            title=msgspec.json.decode(row["title"]),
            target=msgspec.json.decode(row["target"], type=Target),
            arguments=msgspec.json.decode(row["arguments"]),
            requester=row["requester"],
            risk=row["risk"],
            created_at=from_text(row["created_at"]),
            delegated=bool(row["delegated"]),
            expects_recovery=bool(row["expects_recovery"]),
            started_at=from_text(row["started_at"]) if row["started_at"] else None,
            finished_at=from_text(row["finished_at"]) if row["finished_at"] else None,
            output=row["output"],
            data=msgspec.json.decode(row["data"]),
            reason=row["reason"],
        ),
        identity=Identity(
            entity_id=row["entity_id"],
            system=row["system"],
            external_id=row["external_id"],
            host_id=row["host_id"],
        ),
        definition_digest=row["definition_digest"],
        principal=row["principal"],
        correlation_id=row["correlation_id"],
    )


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _time(at: Any) -> str | None:
    return None if at is None else to_text(at)


def _busy(entity_id: str) -> Conflict:
    return Conflict(
        f"Something else is being done to {entity_id}; wait for its end.", reason="entity_busy"
    )

"""What Hexis reported: each state of each execution once, and the items it belongs to."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from kit.clock import from_text, to_text
from praxis.contract import ExecutionState, LinkedExecution, ReportExecution
from praxis.domain.observation import Remedy
from praxis.domain.reconcile import Base

_FIRST_HEALTHY = (
    "SELECT min(observed_at) FROM (SELECT observed_at FROM observation"
    " WHERE kind = 'health' AND state = 'ok' AND entity_id = :entity AND observed_at > :at"
    " UNION ALL SELECT observation.observed_at FROM source JOIN item USING (source)"
    " JOIN observation USING (item_id) WHERE source.entity_id = :entity"
    " AND observation.entity_id IS NULL AND observation.observed_at > :at"
    " AND observation.kind = 'health' AND observation.state = 'ok')"
)
"""When an entity was first seen healthy after `:at`, by reports that name it or inherit it."""
_NOT_FINAL: frozenset[ExecutionState] = frozenset({"queued", "running"})


def add(connection: sqlite3.Connection, report: ReportExecution) -> bool:
    """Keep a report; False if this state of this execution is known already."""
    wait = timedelta(seconds=report.recover_within_s)
    is_remedy = report.state == "succeeded" and report.expects_recovery
    added = connection.execute(
        "INSERT OR IGNORE INTO execution (execution_id, state, at, capability_id, action,"  # noqa: S608 - our own
        " entity_id, requester, recover_by, healthy_at) VALUES (:id, :state, :at, :capability,"
        f" :action, :entity, :requester, :recover_by, ({_FIRST_HEALTHY}))",
        {
            "id": report.execution_id,
            "state": report.state,
            "at": to_text(report.at),
            "capability": report.capability_id,
            "action": report.action,
            "entity": report.entity_id,
            "requester": report.requester,
            "recover_by": to_text(report.at + wait) if is_remedy else None,
        },
    )
    return added.rowcount == 1


def see_healthy(connection: sqlite3.Connection, entity_id: str, at: datetime) -> list[str]:
    """The entity was healthy at `at`: the items of the executions that had waited for it."""
    moment = to_text(at)
    rows = connection.execute(
        "UPDATE execution SET healthy_at = :at WHERE entity_id = :entity AND at < :at"
        " AND recover_by IS NOT NULL AND (healthy_at IS NULL OR healthy_at > :at)"
        " RETURNING execution_id",
        {"entity": entity_id, "at": moment},
    ).fetchall()
    items: set[str] = set()
    for row in rows:
        items |= {each["item_id"] for each in _links(connection, row["execution_id"])}
    return sorted(items)


def remedies(connection: sqlite3.Connection, entity_id: str | None, base: Base) -> list[Remedy]:
    """The executions after which an entity was to be seen healthy, as far as `base` lacks them."""
    rows = connection.execute(
        "SELECT execution_id, at, recover_by, healthy_at FROM execution"
        " WHERE entity_id = ? AND recover_by IS NOT NULL AND (at > ? OR execution_id = ?)"
        " ORDER BY at",
        (entity_id, "" if base.cut is None else to_text(base.cut), base.facts.awaiting),
    )
    return [
        Remedy(
            execution_id=row["execution_id"],
            at=from_text(row["at"]),
            recover_by=from_text(row["recover_by"]),
            healthy_at=None if row["healthy_at"] is None else from_text(row["healthy_at"]),
        )
        for row in rows
    ]


def unattended(connection: sqlite3.Connection, entity_id: str) -> list[ReportExecution]:
    """Executions of an entity that no item has waited on."""
    rows = connection.execute(
        "SELECT * FROM execution WHERE entity_id = ? AND recover_by IS NOT NULL AND NOT EXISTS"
        " (SELECT 1 FROM item_execution WHERE awaited = 1"
        " AND item_execution.execution_id = execution.execution_id) ORDER BY at",
        (entity_id,),
    )
    return [
        ReportExecution(
            execution_id=row["execution_id"],
            state=row["state"],
            capability_id=row["capability_id"],
            action=row["action"],
            entity_id=row["entity_id"],
            requester=row["requester"],
            at=from_text(row["at"]),
        )
        for row in rows
    ]


def bear_on(
    connection: sqlite3.Connection, entity_ids: Iterable[str | None], after: datetime
) -> bool:
    """Whether one of these entities must still be seen healthy, or was treated after a moment."""
    return any(
        connection.execute(
            "SELECT 1 FROM execution WHERE entity_id = ?1 AND recover_by IS NOT NULL"
            " AND (healthy_at IS NULL OR at >= ?2 OR healthy_at >= ?2) LIMIT 1",
            (entity_id, to_text(after)),
        ).fetchone()
        for entity_id in entity_ids
        if entity_id is not None
    )


def link(connection: sqlite3.Connection, item_ids: Iterable[str], execution_id: str) -> None:
    """An execution was about these items."""
    connection.executemany(
        "INSERT OR IGNORE INTO item_execution VALUES (?, ?, 0)",
        [(item_id, execution_id) for item_id in item_ids],
    )


def await_them(
    connection: sqlite3.Connection, item_id: str, awaited: frozenset[str], since: datetime | None
) -> frozenset[str]:
    """The item waits, or waited, for exactly these since `since`; returns those that are new."""
    before = {
        row["execution_id"]
        for row in connection.execute(
            "SELECT execution_id FROM item_execution WHERE item_id = ? AND awaited = 1", (item_id,)
        )
    }
    if since is None:
        connection.executemany(
            "UPDATE item_execution SET awaited = 0 WHERE item_id = ? AND execution_id = ?",
            [(item_id, gone) for gone in before - awaited],
        )
    connection.executemany(
        "INSERT INTO item_execution VALUES (?, ?, 1)"
        " ON CONFLICT (item_id, execution_id) DO UPDATE SET awaited = 1",
        [(item_id, name) for name in awaited],
    )
    return awaited - before


def linked(connection: sqlite3.Connection, execution_id: str) -> list[str]:
    """The items an execution was about."""
    return [row["item_id"] for row in _links(connection, execution_id)]


def newest_states(rows: Sequence[sqlite3.Row]) -> list[LinkedExecution]:
    """One entry per execution, in its furthest state, oldest first."""
    furthest: dict[str, sqlite3.Row] = {}
    for row in rows:
        known = furthest.get(row["execution_id"])
        if known is None or known["state"] in _NOT_FINAL or row["state"] not in _NOT_FINAL:
            furthest[row["execution_id"]] = row
    return [
        LinkedExecution(
            execution_id=row["execution_id"],
            capability_id=row["capability_id"],
            action=row["action"],
            state=row["state"],
            requester=row["requester"],
            at=from_text(row["at"]),
        )
        for row in sorted(furthest.values(), key=lambda row: (row["at"], row["execution_id"]))
    ]


def _links(connection: sqlite3.Connection, execution_id: str) -> list[sqlite3.Row]:
    return connection.execute(
        "SELECT item_id FROM item_execution WHERE execution_id = ? ORDER BY item_id",
        (execution_id,),
    ).fetchall()

"""What other systems call an entity: each external id has one owner."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping

from kit.errors import Conflict
from nexus.contract import Origin
from nexus.domain.entity import is_stronger
from nexus.store.writing import Change


def map_external(
    change: Change,
    system: str,
    external_id: str,
    field: str,
    *,
    origin: Origin = "declared",
    confidence: float = 1.0,
) -> None:
    """Say what another system calls the entity.

    Raises:
        Conflict: It calls another entity so.
    """
    row = _free_or_owned(change, system, external_id, field)
    if row is None:
        _put(change, system, external_id, origin, confidence, None)
        return
    if row["withdrawn_by"] is None and is_stronger(row["origin"], origin):
        origin, confidence = row["origin"], row["confidence"]
    change.connection.execute(
        "UPDATE external_reference SET origin = ?, confidence = ?, catalog = NULL,"
        " withdrawn_by = NULL WHERE system = ? AND external_id = ?",
        (origin, confidence, system, external_id),
    )


def declare_external(
    change: Change, system: str, external_id: str, field: str, catalog: str
) -> None:
    """Let a catalog say it; what is known otherwise already stays as it is.

    Raises:
        Conflict: It calls another entity so.
    """
    if _free_or_owned(change, system, external_id, field) is None:
        _put(change, system, external_id, "imported", 1.0, catalog)


def withdraw_external(change: Change, declared: Mapping[str, str], catalog: str) -> None:
    """Take away the external ids a catalog listed before and does not any more."""
    kept = [f"{system}:{external_id}" for system, external_id in declared.items()]
    change.connection.execute(
        "DELETE FROM external_reference WHERE entity_id = ? AND catalog = ?"
        " AND withdrawn_by IS NULL"
        " AND system || ':' || external_id NOT IN (SELECT value FROM json_each(?))",
        (change.entity_id, catalog, json.dumps(kept)),
    )


def unmap_external(change: Change, system: str, external_id: str) -> None:
    """Say that another system no longer calls the entity so.

    Raises:
        Conflict: It calls another entity so.
    """
    row = _free_or_owned(change, system, external_id, "external_id")
    if row is None or row["withdrawn_by"] is not None:
        return
    if row["entity_id"] == change.entity_id:
        change.connection.execute(
            "DELETE FROM external_reference WHERE system = ? AND external_id = ?",
            (system, external_id),
        )
    else:  # a former entity brought it along, and takes it with it when it goes
        change.connection.execute(
            "UPDATE external_reference SET withdrawn_by = ? WHERE system = ? AND external_id = ?",
            (change.entity_id, system, external_id),
        )


def owner_of(connection: sqlite3.Connection, system: str, external_id: str) -> str | None:
    """The entity that another system calls so."""
    row = connection.execute(
        "SELECT coalesce(successor, entity_id) AS owner FROM external_reference"
        " JOIN entity USING (entity_id)"
        " WHERE system = ? AND external_id = ? AND withdrawn_by IS NULL",
        (system, external_id),
    ).fetchone()
    return None if row is None else row["owner"]


def _free_or_owned(change: Change, system: str, external_id: str, field: str) -> sqlite3.Row | None:
    """The row of this external id if it is the entity's, or one that it may have."""
    row = change.connection.execute(
        "SELECT external_reference.*, coalesce(theirs.successor, theirs.entity_id) AS owner,"
        " coalesce(mine.successor, mine.entity_id) AS answering FROM external_reference"
        " JOIN entity AS theirs ON theirs.entity_id = external_reference.entity_id"
        " JOIN entity AS mine ON mine.entity_id = ?"
        " WHERE system = ? AND external_id = ?",
        (change.entity_id, system, external_id),
    ).fetchone()
    if row is None or row["owner"] == row["answering"]:
        return row
    if row["withdrawn_by"] is not None:
        return None
    raise Conflict(
        f"{system}:{external_id} already belongs to {row['owner']}.",
        reason="external_taken",
        field=field,
    )


def _put(
    change: Change,
    system: str,
    external_id: str,
    origin: Origin,
    confidence: float,
    catalog: str | None,
) -> None:
    author = change.author
    change.connection.execute(
        "INSERT OR REPLACE INTO external_reference"
        " (system, external_id, entity_id, catalog, origin, confidence, requester, at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            system,
            external_id,
            change.entity_id,
            catalog,
            origin,
            confidence,
            author.requester,
            author.at,
        ),
    )

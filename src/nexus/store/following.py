"""What changed: the history in full, and the feed of which entities moved."""

from __future__ import annotations

import sqlite3
from typing import Any

import msgspec

from kit.clock import from_text
from nexus.contract import Change, ChangedEntity
from nexus.store.reading import Query


def read_history(query: Query, entity_id: str | None, after: int, limit: int) -> list[Change]:
    """Changes in the order they were made."""
    of_all = "SELECT * FROM history WHERE cursor > ? ORDER BY cursor LIMIT ?"
    of_one = "SELECT * FROM history WHERE entity_id = ? AND cursor > ? ORDER BY cursor LIMIT ?"
    rows = (
        query(of_all, (after, limit))
        if entity_id is None
        else query(of_one, (entity_id, after, limit))
    )
    return [_change(row) for row in rows]


def read_changes(query: Query, after: int, limit: int) -> list[ChangedEntity]:
    """Which entities changed, in the order they did."""
    return [
        ChangedEntity(
            cursor=row["cursor"],
            at=from_text(row["at"]),
            entity_id=row["entity_id"],
            operation=row["operation"],
            status=row["status"],
            revision=row["revision"],
        )
        for row in query(
            "SELECT cursor, at, entity_id, operation, json_extract(after, '$.status') AS status,"
            " json_extract(after, '$.revision') AS revision"
            " FROM history WHERE cursor > ? ORDER BY cursor LIMIT ?",
            (after, limit),
        )
    ]


def _change(row: sqlite3.Row) -> Change:
    return Change(
        cursor=row["cursor"],
        at=from_text(row["at"]),
        entity_id=row["entity_id"],
        operation=row["operation"],
        requester=row["requester"],
        correlation_id=row["correlation_id"],
        before=_document(row["before"]),
        after=_document(row["after"]),
        why=row["why"],
    )


def _document(text: str | None) -> dict[str, Any] | None:
    return None if text is None else msgspec.json.decode(text)

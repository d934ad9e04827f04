"""Which entities there are: by type and status, and by a display name."""

from __future__ import annotations

from heapq import merge
from itertools import islice

from nexus.contract import Status
from nexus.store.reading import Query

_TYPES = (
    "WITH RECURSIVE each(type) AS (SELECT min(type) FROM entity"
    " UNION ALL SELECT (SELECT min(type) FROM entity WHERE type > each.type) FROM each"
    " WHERE type IS NOT NULL"
    ") SELECT type FROM each WHERE type IS NOT NULL"
)
"""Every type in use, from one to the next through the index."""
_STATUSES: tuple[Status, ...] = ("active", "archived", "merged")


def list_ids(
    query: Query, entity_type: str | None, status: Status | None, after: str, limit: int
) -> list[str]:
    """Entities of a type or below it, in the order of their ids."""
    if entity_type is None and status is None:
        rows = query(
            "SELECT entity_id FROM entity WHERE entity_id > ? ORDER BY entity_id LIMIT ?",
            (after, limit),
        )
        return [row["entity_id"] for row in rows]
    pages = [
        [
            row["entity_id"]
            for row in query(
                "SELECT entity_id FROM entity WHERE type = ? AND status = ? AND entity_id > ?"
                " ORDER BY entity_id LIMIT ?",
                (kind["type"], each, after, limit),
            )
        ]
        for kind in query(_TYPES, ())
        if entity_type is None or is_of(kind["type"], entity_type)
        for each in ([status] if status else _STATUSES)
    ]
    return list(islice(merge(*pages), limit))


def is_of(entity_type: str, wanted: str) -> bool:
    """Whether a type is the wanted one or below it."""
    return f"{entity_type}.".startswith(f"{wanted}.")

"""Make two entities one, and two of one again.

Nothing moves: what was said of an entity stays its own, and while it is merged its successor shows
it. So a split gives back exactly that, whatever happened to the successor meanwhile; only an
external id that another entity was given stays with its new owner.
"""

from __future__ import annotations

import sqlite3

from kit.errors import FailedPrecondition
from nexus.contract import Entity, MergeEntities, SplitEntity
from nexus.store.reading import among
from nexus.store.relating import require_no_cycle, subjects_of
from nexus.store.writing import Author, Change, begin_all, finish_all, unknown

_RECLAIM = (
    "UPDATE entity_name SET withdrawn_by = NULL WHERE withdrawn_by IS NOT NULL"
    " AND entity_id IN (SELECT value FROM json_each(?1))"
    " AND withdrawn_by NOT IN (SELECT value FROM json_each(?1))",
    "UPDATE alias SET withdrawn_by = NULL WHERE withdrawn_by IS NOT NULL"
    " AND entity_id IN (SELECT value FROM json_each(?1))"
    " AND withdrawn_by NOT IN (SELECT value FROM json_each(?1))",
    "UPDATE external_reference SET withdrawn_by = NULL WHERE withdrawn_by IS NOT NULL"
    " AND entity_id IN (SELECT value FROM json_each(?1))"
    " AND withdrawn_by NOT IN (SELECT value FROM json_each(?1))",
    "UPDATE relation SET withdrawn_by = NULL WHERE withdrawn_by IS NOT NULL"
    " AND subject IN (SELECT value FROM json_each(?1))"
    " AND withdrawn_by NOT IN (SELECT value FROM json_each(?1))",
)
"""What those who leave take back of what their former successors took away."""


def merge(connection: sqlite3.Connection, sent: MergeEntities, author: Author) -> Entity:
    """Let the source lead to the target.

    Raises:
        NotFound: One of them does not exist.
        Conflict: One of them is merged already, or the target was changed since that revision.
        FailedPrecondition: One of them is archived, or an entity would contain itself.
    """
    source = Change.of(connection, sent.source, author)
    target = Change.of(connection, sent.target, author)
    source_before = source.require_active("source")
    target.require_active("target", sent.if_revision)
    moving = among([sent.source, *source_before.merged])
    led_here = _begin_others(connection, moving, {sent.source, sent.target}, author)
    connection.execute(
        "UPDATE entity SET status = 'merged', merged_into = ?2, successor = ?2"
        " WHERE entity_id = ?1",
        (sent.source, sent.target),
    )
    connection.execute(
        "UPDATE entity SET successor = ?2 WHERE successor = ?1", (sent.source, sent.target)
    )
    require_no_cycle(connection, sent.target, "source")
    finish_all(connection, [source, target, *led_here])
    return _finished(target)


def split(connection: sqlite3.Connection, sent: SplitEntity, author: Author) -> Entity:
    """Let a former entity stand for itself again, with those that were merged into it before.

    Raises:
        NotFound: One of them does not exist.
        Conflict: The entity is merged itself, or was changed since that revision.
        FailedPrecondition: It is archived, the other does not lead to it, or an entity would
            contain itself.
    """
    survivor = Change.of(connection, sent.entity_id, author)
    before = survivor.require_active("entity_id", sent.if_revision)
    restored = Change.of(connection, sent.restore, author)
    if restored.before is None:
        raise unknown(sent.restore, "restore")
    if sent.restore not in before.merged:
        raise FailedPrecondition(
            f"{sent.restore} is not merged into {sent.entity_id}; `get_entity` lists what is.",
            reason="not_merged",
            field="restore",
        )
    leaving = among(
        row["entity_id"]
        for row in connection.execute(
            "WITH RECURSIVE leaving(entity_id) AS (SELECT ? UNION"
            " SELECT entity.entity_id FROM entity JOIN leaving"
            " ON entity.merged_into = leaving.entity_id) SELECT entity_id FROM leaving",
            (sent.restore,),
        ).fetchall()
    )
    led_here = _begin_others(connection, leaving, {sent.restore, sent.entity_id}, author)
    connection.execute(
        "UPDATE entity SET successor = ?1 WHERE entity_id IN (SELECT value FROM json_each(?2))",
        (sent.restore, leaving),
    )
    connection.execute(
        "UPDATE entity SET status = 'active', merged_into = NULL, successor = NULL"
        " WHERE entity_id = ?",
        (sent.restore,),
    )
    for statement in _RECLAIM:
        connection.execute(statement, (leaving,))
    for entity_id in (sent.restore, sent.entity_id):
        require_no_cycle(connection, entity_id, "restore")
    finish_all(connection, [survivor, restored, *led_here])
    return _finished(restored)


def _begin_others(
    connection: sqlite3.Connection, moving: str, involved: set[str], author: Author
) -> list[Change]:
    """Those whose relations lead elsewhere when the moving ones change sides."""
    others = set(subjects_of(connection, moving)) - involved
    return begin_all(connection, others, author)


def _finished(change: Change) -> Entity:
    if change.after is None:
        raise unknown(change.entity_id, "entity_id")
    return change.after

"""Relations of an entity: drawn, taken away, and kept free of cycles where they are a hierarchy."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping

from kit.errors import FailedPrecondition
from nexus.contract import Predicate
from nexus.domain.relations import HIERARCHICAL, is_in_cycle, leads_to
from nexus.store.writing import Change, archived, merged, unknown


def relate(change: Change, predicate: Predicate, target: str, field: str) -> None:
    """Draw an arrow to another entity.

    Raises:
        NotFound: There is no such entity.
        Conflict: The other is merged into a third.
        FailedPrecondition: The other is archived, or the entity would contain itself.
    """
    connection = change.connection
    found = connection.execute(
        "SELECT status FROM entity WHERE entity_id = ?", (target,)
    ).fetchone()
    if found is None:
        raise unknown(target, field)
    if found["status"] == "merged":
        raise merged(connection, target, field)
    if found["status"] != "active":
        raise archived(target, field)
    if target == change.entity_id or (
        predicate in HIERARCHICAL
        and leads_to(target, change.entity_id, lambda each: _above(connection, each, predicate))
    ):
        raise cycle(change.entity_id, predicate, field)
    if not any(
        (each.predicate, each.entity_id) == (predicate, target)
        for each in (change.before.relations if change.before else ())
    ):
        connection.execute(
            "INSERT INTO relation (subject, predicate, object, origin, requester, at)"
            " VALUES (?, ?, ?, 'declared', ?, ?) ON CONFLICT DO NOTHING",
            (change.entity_id, predicate, target, change.author.requester, change.author.at),
        )


def unrelate(change: Change, predicate: Predicate, target: str) -> None:
    """Take an arrow away; one that a former entity brought along goes with it when it goes."""
    run = change.connection.execute
    arrow = (change.entity_id, predicate, target)
    run(
        "DELETE FROM relation WHERE subject = ?1 AND predicate = ?2 AND object IN"
        " (SELECT ?3 UNION ALL SELECT entity_id FROM entity WHERE successor = ?3)",
        arrow,
    )
    run(
        "UPDATE relation SET withdrawn_by = ?1 WHERE predicate = ?2 AND withdrawn_by IS NULL"
        " AND subject IN (SELECT entity_id FROM entity WHERE successor = ?1) AND object IN"
        " (SELECT ?3 UNION ALL SELECT entity_id FROM entity WHERE successor = ?3)",
        arrow,
    )


def declare_relations(
    change: Change, arrows: Iterable[tuple[Predicate, str]], catalog: str
) -> None:
    """Draw the arrows a catalog lists; that they make no cycle is for the catalog to see to."""
    author = change.author
    change.connection.executemany(
        "INSERT INTO relation (subject, predicate, object, catalog, origin, requester, at)"
        " VALUES (?, ?, ?, ?, 'imported', ?, ?) ON CONFLICT DO NOTHING",
        [
            (change.entity_id, predicate, target, catalog, author.requester, author.at)
            for predicate, target in arrows
        ],
    )


def withdraw_relations(
    change: Change, arrows: Iterable[tuple[Predicate, str]], catalog: str
) -> None:
    """Take away the arrows a catalog listed before and does not any more."""
    kept = [f"{predicate} {target}" for predicate, target in arrows]
    change.connection.execute(
        "DELETE FROM relation WHERE subject = ? AND catalog = ? AND withdrawn_by IS NULL"
        " AND predicate || ' ' || object NOT IN (SELECT value FROM json_each(?))",
        (change.entity_id, catalog, json.dumps(kept)),
    )


def require_no_cycle(connection: sqlite3.Connection, entity_id: str, field: str) -> None:
    """Refuse a state in which an entity contains itself.

    Raises:
        FailedPrecondition: It would.
    """
    for predicate in sorted(HIERARCHICAL):
        if is_in_cycle(entity_id, lambda each: _above(connection, each, predicate)):  # noqa: B023
            raise cycle(entity_id, predicate, field)


def hierarchy(connection: sqlite3.Connection, predicate: Predicate) -> Mapping[str, list[str]]:
    """Every entity that has others above it, with these."""
    above: dict[str, list[str]] = {}
    for row in connection.execute(
        "SELECT coalesce(theirs.successor, theirs.entity_id) AS subject,"
        " coalesce(far.successor, far.entity_id) AS object FROM relation"
        " JOIN entity AS theirs ON theirs.entity_id = subject"
        " JOIN entity AS far ON far.entity_id = object"
        " WHERE predicate = ? AND withdrawn_by IS NULL",
        (predicate,),
    ):
        if row["subject"] != row["object"]:
            above.setdefault(row["subject"], []).append(row["object"])
    return above


def subjects_of(connection: sqlite3.Connection, entity_ids: str) -> list[str]:
    """Entities whose arrows lead to one of these, which are given as a JSON list."""
    rows = connection.execute(
        "SELECT DISTINCT coalesce(successor, entity_id) AS subject FROM relation"
        " JOIN entity ON entity_id = subject"
        " WHERE object IN (SELECT value FROM json_each(?)) AND withdrawn_by IS NULL",
        (entity_ids,),
    )
    return [row["subject"] for row in rows]


def cycle(
    named: str,
    predicate: Predicate,
    field: str,
    way_out: str = "take one of the relations between them away first (`unrelate`)",
) -> FailedPrecondition:
    """That something would contain itself, and what to do about it."""
    return FailedPrecondition(
        f"{named} would be {predicate} itself; {way_out}.",
        reason="relation_cycle",
        field=field,
    )


def _above(connection: sqlite3.Connection, entity_id: str, predicate: Predicate) -> list[str]:
    rows = connection.execute(
        "SELECT DISTINCT coalesce(successor, entity_id) AS object FROM relation"
        " JOIN entity ON entity_id = object WHERE predicate = ?2 AND withdrawn_by IS NULL"
        " AND subject IN (SELECT ?1 UNION ALL SELECT entity_id FROM entity WHERE successor = ?1)",
        (entity_id, predicate),
    )
    return [row["object"] for row in rows if row["object"] != entity_id]

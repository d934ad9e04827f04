"""Entities as they stand in the tables, for whoever holds a connection."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from nexus.contract import Alias, Entity, ExternalReference, RelatedEntity

Query = Callable[[str, Sequence[Any]], list[sqlite3.Row]]
"""Runs a statement with its parameters and returns the rows."""


def on(connection: sqlite3.Connection) -> Query:
    """Read inside a transaction."""
    return lambda sql, parameters: connection.execute(sql, parameters).fetchall()


def read_entities(query: Query, ids: Iterable[str]) -> list[Entity]:
    """These entities, in the order of their ids; unknown ids are left out."""
    among = [json.dumps(list(ids))]
    names: dict[str, dict[str, str]] = {}
    for row in query(
        "SELECT * FROM entity_name WHERE entity_id IN (SELECT value FROM json_each(?))"
        " ORDER BY entity_id, language",
        among,
    ):
        names.setdefault(row["entity_id"], {})[row["language"]] = row["text"]
    aliases: dict[str, list[Alias]] = {}
    for row in query(
        "SELECT * FROM alias WHERE entity_id IN (SELECT value FROM json_each(?))"
        " ORDER BY entity_id, text",
        among,
    ):
        alias = Alias(text=row["text"], language=row["language"], origin=row["origin"])
        aliases.setdefault(row["entity_id"], []).append(alias)
    external: dict[str, list[ExternalReference]] = {}
    for row in query(
        "SELECT * FROM external_reference WHERE entity_id IN (SELECT value FROM json_each(?))"
        " ORDER BY system, external_id",
        among,
    ):
        reference = ExternalReference(system=row["system"], external_id=row["external_id"])
        external.setdefault(row["entity_id"], []).append(reference)
    relations = _relations(query, among)
    return [
        Entity(
            entity_id=row["entity_id"],
            type=row["type"],
            names=names.get(row["entity_id"], {}),
            status=row["status"],
            description=json.loads(row["description"]),
            aliases=aliases.get(row["entity_id"], []),
            external=external.get(row["entity_id"], []),
            relations=relations.get(row["entity_id"], []),
            revision=row["revision"],
        )
        for row in query(
            "SELECT * FROM entity WHERE entity_id IN (SELECT value FROM json_each(?))"
            " ORDER BY entity_id",
            among,
        )
    ]


def read_entity(query: Query, entity_id: str) -> Entity | None:
    """One entity."""
    found = read_entities(query, [entity_id])
    return found[0] if found else None


def _relations(query: Query, among: list[str]) -> dict[str, list[RelatedEntity]]:
    far: dict[str, dict[str, str]] = {}
    for row in query(
        "SELECT DISTINCT entity_name.* FROM relation"
        " JOIN entity_name ON entity_name.entity_id = relation.object"
        " WHERE relation.subject IN (SELECT value FROM json_each(?)) ORDER BY entity_name.language",
        among,
    ):
        far.setdefault(row["entity_id"], {})[row["language"]] = row["text"]
    relations: dict[str, list[RelatedEntity]] = {}
    for row in query(
        "SELECT subject, predicate, object, type FROM relation"
        " JOIN entity ON entity_id = object"
        " WHERE subject IN (SELECT value FROM json_each(?)) ORDER BY subject, predicate, object",
        among,
    ):
        related = RelatedEntity(
            predicate=row["predicate"],
            entity_id=row["object"],
            type=row["type"],
            names=far.get(row["object"], {}),
        )
        relations.setdefault(row["subject"], []).append(related)
    return relations

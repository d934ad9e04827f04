"""Entities as they stand in the tables, for whoever holds a connection.

An entity that is merged into another keeps its rows; they are read as its successor's.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from nexus.contract import Alias, Entity, ExternalReference, RelatedEntity
from nexus.domain.entity import is_stronger

Query = Callable[[str, Sequence[Any]], list[sqlite3.Row]]
"""Runs a statement with its parameters and returns the rows."""
_CHUNK = 500
"""Entities read at once."""


def on(connection: sqlite3.Connection) -> Query:
    """Read inside a transaction."""
    return lambda sql, parameters: connection.execute(sql, parameters).fetchall()


def among(ids: Iterable[str]) -> str:
    """Ids as one parameter, for `IN (SELECT value FROM json_each(?))`."""
    return json.dumps(list(ids))


def read_entity(query: Query, entity_id: str) -> Entity | None:
    """One entity."""
    found = read_entities(query, [entity_id])
    return found[0] if found else None


def read_each(query: Query, ids: Sequence[str]) -> Iterator[Entity]:
    """These entities, however many; unknown ids are left out."""
    for start in range(0, len(ids), _CHUNK):
        yield from read_entities(query, ids[start : start + _CHUNK])


def read_entities(query: Query, ids: Iterable[str]) -> list[Entity]:
    """These entities, in the order of their ids; unknown ids are left out.

    One that is merged shows what it was called; all else is its successor's.
    """
    rows = query(
        "SELECT * FROM entity WHERE entity_id IN (SELECT value FROM json_each(?))"
        " ORDER BY entity_id",
        [among(ids)],
    )
    speaks_for = {row["entity_id"]: row["entity_id"] for row in rows if row["successor"] is None}
    formers: dict[str, list[str]] = {}
    for row in query(
        "SELECT entity_id, successor FROM entity"
        " WHERE successor IN (SELECT value FROM json_each(?)) ORDER BY entity_id",
        [among(speaks_for)],
    ):
        formers.setdefault(row["successor"], []).append(row["entity_id"])
    for successor, merged in formers.items():
        speaks_for.update(dict.fromkeys(merged, successor))
    named = {row["entity_id"]: None for row in rows} | speaks_for
    names, aliases = _names(query, named)
    _add_aliases(query, speaks_for, aliases)
    external = _external(query, speaks_for)
    relations = _relations(query, speaks_for)
    return [
        Entity(
            entity_id=(entity_id := row["entity_id"]),
            type=row["type"],
            names=names.get(entity_id, {}),
            status=row["status"],
            description=json.loads(row["description"]),
            attributes=json.loads(row["attributes"]),
            aliases=[alias for _, alias in sorted(aliases.get(entity_id, {}).items())],
            external=external.get(entity_id, []),
            relations=relations.get(entity_id, []),
            revision=row["revision"],
            merged=formers.get(entity_id, []),
        )
        for row in rows
    ]


def _names(
    query: Query, speaks_for: Mapping[str, str | None]
) -> tuple[dict[str, dict[str, str]], dict[str, dict[str, Alias]]]:
    """Display names of each, and those of former entities as aliases of their successors."""
    names: dict[str, dict[str, str]] = {}
    former: list[sqlite3.Row] = []
    for row in query(
        "SELECT * FROM entity_name WHERE entity_id IN (SELECT value FROM json_each(?))"
        " ORDER BY entity_id, language",
        [among(speaks_for)],
    ):
        names.setdefault(row["entity_id"], {})[row["language"]] = row["text"]
        if speaks_for[row["entity_id"]] != row["entity_id"] and row["withdrawn_by"] is None:
            former.append(row)
    aliases: dict[str, dict[str, Alias]] = {}
    for row in former:
        successor, text = speaks_for[row["entity_id"]], row["text"]
        if successor is not None and text not in names[successor].values():
            alias = Alias(text=text, language=row["language"], origin="declared")
            aliases.setdefault(successor, {})[text] = alias
    return names, aliases


def _add_aliases(
    query: Query, speaks_for: Mapping[str, str], aliases: dict[str, dict[str, Alias]]
) -> None:
    """Each text once, by the strongest of those who vouch for it."""
    for row in query(
        "SELECT * FROM alias WHERE entity_id IN (SELECT value FROM json_each(?))"
        " AND state = 'active' AND withdrawn_by IS NULL ORDER BY entity_id, text, origin",
        [among(speaks_for)],
    ):
        known = aliases.setdefault(speaks_for[row["entity_id"]], {})
        text, language, origin = row["text"], row["language"], row["origin"]
        kept = known.get(text)
        if kept is not None and not is_stronger(origin, kept.origin):
            language, origin = (kept.language if kept.language != "und" else language), kept.origin
        elif kept is not None and language == "und":
            language = kept.language
        known[text] = Alias(text=text, language=language, origin=origin)


def _external(query: Query, speaks_for: Mapping[str, str]) -> dict[str, list[ExternalReference]]:
    external: dict[str, list[ExternalReference]] = {}
    for row in query(
        "SELECT * FROM external_reference WHERE entity_id IN (SELECT value FROM json_each(?))"
        " AND withdrawn_by IS NULL ORDER BY system, external_id",
        [among(speaks_for)],
    ):
        reference = ExternalReference(
            system=row["system"],
            external_id=row["external_id"],
            origin=row["origin"],
            confidence=row["confidence"],
        )
        external.setdefault(speaks_for[row["entity_id"]], []).append(reference)
    return external


def _relations(query: Query, speaks_for: Mapping[str, str]) -> dict[str, list[RelatedEntity]]:
    arrows = {
        (speaks_for[row["subject"]], row["predicate"], row["object"])
        for row in query(
            "SELECT subject, predicate, coalesce(successor, entity_id) AS object FROM relation"
            " JOIN entity ON entity_id = object"
            " WHERE subject IN (SELECT value FROM json_each(?)) AND withdrawn_by IS NULL",
            [among(speaks_for)],
        )
    }
    far = among({target for _, _, target in arrows})
    names: dict[str, dict[str, str]] = {}
    types: dict[str, str] = {}
    for row in query(
        "SELECT entity_id, type, language, text FROM entity JOIN entity_name USING (entity_id)"
        " WHERE entity_id IN (SELECT value FROM json_each(?)) ORDER BY language",
        [far],
    ):
        types[row["entity_id"]] = row["type"]
        names.setdefault(row["entity_id"], {})[row["language"]] = row["text"]
    relations: dict[str, list[RelatedEntity]] = {}
    for subject, predicate, target in sorted(arrows):
        if subject != target:
            related = RelatedEntity(
                predicate=predicate,
                entity_id=target,
                type=types[target],
                names=names[target],
            )
            relations.setdefault(subject, []).append(related)
    return relations

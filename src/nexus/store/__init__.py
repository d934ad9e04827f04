"""Entities in SQLite: one transaction for each operation, history beside every change."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from kit.clock import from_text
from kit.store import Store
from nexus.contract import (
    AddAlias,
    CatalogApplied,
    CatalogEntry,
    Change,
    CreateEntity,
    Entity,
    Relation,
)
from nexus.store import catalog as catalogs
from nexus.store import writing
from nexus.store.reading import read_entities, read_entity
from nexus.store.writing import Author

_PAGE = 500


class EntityStore:
    """What is known of entities, and how it came to be."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, entity_id: str) -> Entity | None:
        """One entity, in use or not."""
        return read_entity(self._query, entity_id)

    def page(self, entity_type: str | None, after: str, limit: int) -> list[Entity]:
        """Entities of a type or below it, in the order of their ids."""
        rows = self._store.read(
            "SELECT entity_id FROM entity WHERE entity_id > :after"
            " AND (:type IS NULL OR type = :type"
            " OR substr(type, 1, length(:type) + 1) = :type || '.')"
            " ORDER BY entity_id LIMIT :limit",
            {"after": after, "type": entity_type, "limit": limit},
        )
        return read_entities(self._query, [row["entity_id"] for row in rows])

    def pages(self) -> Iterator[list[Entity]]:
        """Every entity, in bounded steps."""
        after = ""
        while page := self.page(None, after, _PAGE):
            yield page
            after = page[-1].entity_id

    def relations(self, entity_id: str) -> list[Relation]:
        """The arrows from and to an entity."""
        rows = self._store.read(
            "SELECT subject, predicate, object FROM relation WHERE subject = ?1 OR object = ?1"
            " ORDER BY subject, predicate, object",
            (entity_id,),
        )
        return [
            Relation(subject=row["subject"], predicate=row["predicate"], object=row["object"])
            for row in rows
        ]

    def newest(self) -> int:
        """The cursor of the last change."""
        return self._store.read("SELECT coalesce(max(cursor), 0) FROM history")[0][0]

    def changed_after(self, cursor: int) -> list[Entity]:
        """Entities changed later, as they are now."""
        rows = self._store.read(
            "SELECT DISTINCT entity_id FROM history WHERE cursor > ?", (cursor,)
        )
        return read_entities(self._query, [row["entity_id"] for row in rows])

    def history(self, entity_id: str | None, after: int, limit: int) -> list[Change]:
        """Changes in the order they were made."""
        of_all = "SELECT * FROM history WHERE cursor > ? ORDER BY cursor LIMIT ?"
        of_one = "SELECT * FROM history WHERE entity_id = ? AND cursor > ? ORDER BY cursor LIMIT ?"
        rows = (
            self._store.read(of_all, (after, limit))
            if entity_id is None
            else self._store.read(of_one, (entity_id, after, limit))
        )
        return [
            Change(
                cursor=row["cursor"],
                at=from_text(row["at"]),
                entity_id=row["entity_id"],
                operation=row["operation"],
                requester=row["requester"],
                correlation_id=row["correlation_id"],
                before=_document(row["before"]),
                after=_document(row["after"]),
            )
            for row in rows
        ]

    def places(self, entity_ids: Sequence[str], language: str) -> dict[str, str]:
        """Where each of these runs or is, by name."""
        rows = self._store.read(
            "SELECT subject, text FROM relation JOIN entity_name ON entity_name.entity_id = object"
            " WHERE subject IN (SELECT value FROM json_each(?))"
            " AND predicate IN ('runs_on', 'located_in')"
            " ORDER BY predicate = 'runs_on', language = ?",
            (json.dumps(list(entity_ids)), language),
        )
        return {row["subject"]: row["text"] for row in rows}

    async def create(self, entity_id: str, sent: CreateEntity, author: Author) -> Entity:
        """Add an entity with all that was said of it.

        Raises:
            Conflict: An external id belongs to another entity.
            NotFound: A relation leads to an entity that does not exist.
            FailedPrecondition: A relation leads to an entity that is not in use.
        """

        def job(connection: sqlite3.Connection) -> Entity:
            change = writing.Change(connection, entity_id, author)
            change.begin(sent.type)
            change.describe(sent.type, dict(sent.names), sent.description)
            for text in sent.aliases:
                change.add_alias(text, "und", "declared")
            for system, external_id in sent.external.items():
                change.map_external(system, external_id, f"external.{system}")
            for at, relation in enumerate(sent.relations):
                change.relate(relation.predicate, relation.object, f"relations[{at}].object")
            return change.finish()

        return await self._store.write(job)

    async def add_alias(self, sent: AddAlias, author: Author) -> Entity:
        """Add a name to an entity in use.

        Raises:
            NotFound: There is no such entity.
            FailedPrecondition: It is archived.
        """

        def job(connection: sqlite3.Connection) -> Entity:
            change = writing.Change(connection, sent.entity_id, author)
            change.require_active()
            change.add_alias(sent.text, sent.language, sent.origin)
            return change.finish()

        return await self._store.write(job)

    async def archive(self, entity_id: str, author: Author) -> Entity:
        """Take an entity out of use.

        Raises:
            NotFound: There is no such entity.
        """

        def job(connection: sqlite3.Connection) -> Entity:
            change = writing.Change(connection, entity_id, author)
            change.archive()
            return change.finish()

        return await self._store.write(job)

    async def apply_catalog(
        self,
        catalog: str,
        entries: Sequence[CatalogEntry],
        new_id: Callable[[], str],
        author: Author,
    ) -> CatalogApplied:
        """Make a declared catalog so, all or nothing.

        Raises:
            Conflict: An external id belongs to an entity that is not the entry's own.
            FailedPrecondition: A relation would make an entity contain itself.
        """
        return await self._store.write(
            lambda connection: catalogs.apply(connection, catalog, entries, new_id, author)
        )

    def _query(self, sql: str, parameters: Sequence[Any]) -> list[sqlite3.Row]:
        return self._store.read(sql, parameters)


def _document(text: str | None) -> dict[str, Any] | None:
    return None if text is None else msgspec.json.decode(text)

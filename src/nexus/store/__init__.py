"""Entities in SQLite: one transaction for each operation, history beside every change."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

from kit.store import Store
from nexus.contract import (
    AcceptProposal,
    ApplyCatalog,
    CatalogApplied,
    Change,
    ChangedEntity,
    CreateEntity,
    Discovery,
    Entity,
    EntityType,
    ExportedEntry,
    GetNeighbourhood,
    ListProposals,
    Neighbourhood,
    Proposal,
    Proposed,
    RejectProposal,
    Relation,
    Status,
)
from nexus.store import catalog, changing, proposals
from nexus.store.changing import EntityChange
from nexus.store.exporting import export, ids_of_catalog
from nexus.store.following import read_changes, read_history
from nexus.store.indexing import are_current, renew
from nexus.store.listing import is_of, list_ids
from nexus.store.reading import read_entities, read_entity
from nexus.store.surrounding import read_neighbourhood, read_relations
from nexus.store.writing import Author

_PAGE = 500


class EntityStore:
    """What is known of entities, and how it came to be.

    All that the services know of the tables; another database needs these methods and no more.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, entity_id: str) -> Entity | None:
        """One entity, in use or not; a former id answers with its successor."""
        return read_entity(self._query, self._answering(entity_id))

    def page(
        self, entity_type: str | None, after: str, limit: int, status: Status | None = None
    ) -> list[Entity]:
        """Entities of a type or below it, in the order of their ids."""
        ids = list_ids(self._query, entity_type, status, after, limit)
        return read_entities(self._query, ids)

    async def renew_names(self) -> None:
        """Make the keys of names anew, if other rules made them."""
        if not are_current(self._query):
            await self._store.write(renew)

    def relations(self, entity_id: str) -> list[Relation]:
        """The arrows from and to an entity."""
        return read_relations(self._query, self._answering(entity_id))

    def neighbourhood(self, sent: GetNeighbourhood) -> Neighbourhood:
        """What surrounds an entity."""
        start = self._answering(sent.entity_id)
        return read_neighbourhood(self._query, start, sent.depth, sent.predicates, sent.limit)

    def export(
        self, entity_type: EntityType | None, catalog: str | None, after: str, limit: int
    ) -> list[Entry]:
        """Active entities with the entries that declare them, in the order of their ids."""
        if catalog is None:
            ids = list_ids(self._query, entity_type, "active", after, limit)
        else:
            ids = ids_of_catalog(self._query, catalog, entity_type, after, limit)
        entries = export(
            self._query,
            ids,
            lambda each: entity_type is None or is_of(each, entity_type),
            catalog,
        )
        return list(zip(ids, entries, strict=True))

    def history(self, entity_id: str | None, after: int, limit: int) -> list[Change]:
        """Changes in the order they were made."""
        return read_history(self._query, entity_id, after, limit)

    def changes(self, after: int, limit: int) -> list[ChangedEntity]:
        """Which entities changed, in the order they did."""
        return read_changes(self._query, after, limit)

    def places(self, entity_ids: Sequence[str], language: str) -> dict[str, str]:
        """Where each of these runs or is, by name."""
        rows = self._store.read(
            "SELECT coalesce(theirs.successor, theirs.entity_id) AS subject, text FROM relation"
            " JOIN entity AS theirs ON theirs.entity_id = subject"
            " JOIN entity AS far ON far.entity_id = object"
            " JOIN entity_name ON entity_name.entity_id = coalesce(far.successor, far.entity_id)"
            " WHERE relation.subject IN (SELECT value FROM json_each(?1) UNION ALL SELECT entity_id"
            " FROM entity WHERE successor IN (SELECT value FROM json_each(?1)))"
            " AND predicate IN ('runs_on', 'located_in') AND relation.withdrawn_by IS NULL"
            " ORDER BY predicate = 'runs_on', language = ?2",
            (json.dumps(list(entity_ids)), language),
        )
        return {row["subject"]: row["text"] for row in rows}

    def proposals(self, sent: ListProposals, limit: int) -> list[Proposal]:
        """Proposals in one state, in the order in which they were made."""
        return proposals.read_proposals(self._query, sent, limit)

    async def create(self, entity_id: str, sent: CreateEntity, author: Author) -> Entity:
        """Add an entity with all that was said of it.

        Raises:
            Conflict: An external id belongs to another entity, or a relation leads to one that is
                merged.
            NotFound: A relation leads to an entity that does not exist.
            FailedPrecondition: A relation leads to an entity that is not in use.
        """
        return await self._store.write(
            lambda connection: changing.create(connection, entity_id, sent, author)
        )

    async def change(self, sent: EntityChange, author: Author) -> Entity:
        """Do what is asked of an entity that exists.

        Raises:
            NotFound: An entity, or what is to be taken away, does not exist.
            Conflict: An entity is merged or was changed since the revision named, or an external
                id belongs to another.
            FailedPrecondition: An entity is archived, or its state does not allow this.
        """
        return await self._store.write(
            lambda connection: changing.perform(connection, sent, author)
        )

    async def apply_catalog(
        self, sent: ApplyCatalog, new_id: Callable[[], str], author: Author
    ) -> CatalogApplied:
        """Make a declared catalog so, all or nothing; a plan changes nothing.

        Raises:
            Conflict: An external id belongs to an entity that is not the entry's own.
            FailedPrecondition: A relation would make an entity contain itself.
        """
        return await self._store.write(
            lambda connection: catalog.apply(connection, sent, new_id, author)
        )

    async def propose(
        self, discoveries: Sequence[Discovery], new_id: Callable[[], str], author: Author
    ) -> Proposed:
        """Keep what is new for a person to decide.

        Raises:
            ResourceExhausted: Too many wait already.
        """
        return await self._store.write(
            lambda connection: proposals.propose(connection, discoveries, new_id, author)
        )

    async def accept(self, entity_id: str, sent: AcceptProposal, author: Author) -> Entity:
        """Make a proposal an entity with this id, or part of the one it is said to be.

        Raises:
            NotFound: There is no such proposal or entity.
            FailedPrecondition: It is decided already, or the entity is archived.
            Conflict: The external id belongs to another entity, or the entity is merged.
        """
        return await self._store.write(
            lambda connection: proposals.accept(connection, entity_id, sent, author)
        )

    async def reject(self, sent: RejectProposal, author: Author) -> Proposal:
        """Say that a proposal is not wanted.

        Raises:
            NotFound: There is no such proposal.
            FailedPrecondition: It was accepted.
        """
        return await self._store.write(
            lambda connection: proposals.reject(connection, sent, author)
        )

    def _answering(self, entity_id: str) -> str:
        rows = self._store.read(
            "SELECT successor FROM entity WHERE entity_id = ? AND successor IS NOT NULL",
            (entity_id,),
        )
        return rows[0]["successor"] if rows else entity_id

    def _query(self, sql: str, parameters: Sequence[Any]) -> list[sqlite3.Row]:
        return self._store.read(sql, parameters)


Entry = tuple[str, ExportedEntry]
"""An entity's id and how a catalog would declare it."""

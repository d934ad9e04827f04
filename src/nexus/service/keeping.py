"""Entities, read and changed: one method per operation."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from kit.clock import Clock, to_text
from kit.errors import InvalidArgument, NotFound, PermissionDenied
from kit.ids import Ids
from kit.trace import Call
from nexus.contract import (
    AddAlias,
    ApplyCatalog,
    ArchiveEntity,
    CatalogApplied,
    CatalogEntry,
    CreateEntity,
    Entity,
    EntityList,
    GetEntity,
    History,
    ListEntities,
    ListHistory,
    ListRelations,
    Names,
    RelationList,
)
from nexus.domain.entity import (
    CATALOG_SYSTEM,
    fault_in_external_id,
    fault_in_name,
    may_vouch,
    tidy,
)
from nexus.store import EntityStore
from nexus.store.writing import Author


class Keeping:
    """What is known of entities."""

    def __init__(self, entities: EntityStore, clock: Clock) -> None:
        self._entities = entities
        self._clock = clock
        self._ids = Ids(clock)

    async def get_entity(self, request: GetEntity, call: Call) -> Entity:
        """One entity, in use or not.

        Raises:
            NotFound: No entity has this id.
        """
        return self._known(request.entity_id)

    async def list_entities(self, request: ListEntities, call: Call) -> EntityList:
        """A page of entities, in the order of their ids."""
        found = self._entities.page(request.type, request.after or "", request.limit + 1)
        page = found[: request.limit]
        return EntityList(
            entities=page, next_after=page[-1].entity_id if len(found) > len(page) else None
        )

    async def list_relations(self, request: ListRelations, call: Call) -> RelationList:
        """The arrows from and to an entity.

        Raises:
            NotFound: No entity has this id.
        """
        self._known(request.entity_id)
        return RelationList(relations=self._entities.relations(request.entity_id))

    async def list_history(self, request: ListHistory, call: Call) -> History:
        """Changes after a cursor, the oldest first."""
        changes = self._entities.history(request.entity_id, request.after, request.limit)
        return History(changes=changes, next_after=changes[-1].cursor if changes else request.after)

    async def create_entity(self, request: CreateEntity, call: Call) -> Entity:
        """Add an entity.

        Raises:
            InvalidArgument: A name or an external id cannot be one.
            Conflict: An external id belongs to another entity.
            NotFound: A relation leads to an entity that does not exist.
            FailedPrecondition: A relation leads to an entity that is not in use.
        """
        sent = msgspec.structs.replace(
            request,
            names=_checked_names(request.names, ""),
            aliases=_checked_aliases(request.aliases, ""),
            external=_checked_external(request.external, ""),
        )
        author = self._author("create_entity", call)
        entity = await self._entities.create(self._ids.new("ent"), sent, author)
        return entity

    async def add_alias(self, request: AddAlias, call: Call) -> Entity:
        """Add another name.

        Raises:
            InvalidArgument: The text cannot be a name.
            PermissionDenied: This requester may not vouch for a name in this way.
            NotFound: There is no such entity.
            FailedPrecondition: It is archived.
        """
        if not may_vouch(request.origin, call.requester):
            raise PermissionDenied(
                f"{call.requester} may not add a name as {request.origin!r}; a person confirms, an "
                "agent suggests.",
                reason="origin_foreign",
                field="origin",
            )
        sent = msgspec.structs.replace(request, text=_checked_name(request.text, "text"))
        entity = await self._entities.add_alias(sent, self._author("add_alias", call))
        return entity

    async def archive_entity(self, request: ArchiveEntity, call: Call) -> Entity:
        """Take an entity out of use.

        Raises:
            NotFound: There is no such entity.
        """
        author = self._author("archive_entity", call)
        entity = await self._entities.archive(request.entity_id, author)
        return entity

    async def apply_catalog(self, request: ApplyCatalog, call: Call) -> CatalogApplied:
        """Make a declared catalog so, all or nothing.

        Raises:
            InvalidArgument: A name, key or relation is wrong; the field says which.
            Conflict: An external id belongs to an entity that is not the entry's own.
            FailedPrecondition: A relation would make an entity contain itself.
        """
        entries = _checked_entries(request.entries)
        fresh = iter([self._ids.new("ent") for _ in entries])
        applied = await self._entities.apply_catalog(
            request.catalog, entries, lambda: next(fresh), self._author("apply_catalog", call)
        )
        return applied

    def _known(self, entity_id: str) -> Entity:
        entity = self._entities.get(entity_id)
        if entity is None:
            raise NotFound(
                f"There is no entity {entity_id}.", reason="entity_unknown", field="entity_id"
            )
        return entity

    def _author(self, operation: str, call: Call) -> Author:
        return Author(
            operation=operation,
            requester=call.requester,
            principal=call.principal,
            correlation_id=call.correlation_id,
            at=to_text(self._clock.now()),
        )


def _checked_entries(entries: list[CatalogEntry]) -> list[CatalogEntry]:
    keys: set[str] = set()
    checked: list[CatalogEntry] = []
    for at, entry in enumerate(entries):
        path = f"entries[{at}]."
        if entry.key in keys:
            raise InvalidArgument(f"The key {entry.key!r} appears twice.", field=f"{path}key")
        keys.add(entry.key)
        checked.append(
            msgspec.structs.replace(
                entry,
                names=_checked_names(entry.names, path),
                aliases=_checked_aliases(entry.aliases, path),
                external=_checked_external(entry.external, path),
            )
        )
    for at, entry in enumerate(entries):
        for predicate, named in entry.relations.items():
            for key in {named} - keys if isinstance(named, str) else set(named) - keys:
                raise InvalidArgument(
                    f"This catalog has no entry {key!r}.",
                    field=f"entries[{at}].relations.{predicate}",
                )
    return checked


def _checked_names(names: Names, path: str) -> Names:
    return {
        language: _checked_name(text, f"{path}names.{language}") for language, text in names.items()
    }


def _checked_aliases(aliases: list[str], path: str) -> list[str]:
    return [_checked_name(text, f"{path}aliases[{at}]") for at, text in enumerate(aliases)]


def _checked_name(text: str, field: str) -> str:
    fault = fault_in_name(text)
    if fault is not None:
        raise InvalidArgument(fault, field=field)
    return tidy(text)


def _checked_external(external: Mapping[str, str], path: str) -> dict[str, str]:
    for system, external_id in external.items():
        field = f"{path}external.{system}"
        if system == CATALOG_SYSTEM:
            raise InvalidArgument("Keys of catalogs are given by applying them.", field=field)
        fault = fault_in_external_id(external_id)
        if fault is not None:
            raise InvalidArgument(fault, field=field)
    return dict(external)

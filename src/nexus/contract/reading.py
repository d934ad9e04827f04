"""Questions that need no name: by id, by type, by relation, by what changed."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from kit.contract import Id, PageLimit, Reply, Request, Time, WaitSeconds
from nexus.contract.things import Change, Entity, EntityType, Predicate, Relation, Status

Cursor = Annotated[int, Meta(ge=0)]


class GetEntity(Request):
    """Show one entity; a merged id answers with its successor."""

    entity_id: Id


class ListEntities(Request):
    """Show entities in the order of their ids."""

    type: EntityType | None = None
    status: Status | None = None
    after: Id | None = None
    limit: PageLimit = 100


class EntityList(Reply):
    """A page of entities."""

    entities: list[Entity]
    next_after: Id | None = None


class ListRelations(Request):
    """Show what points at an entity (and from it)."""

    entity_id: Id


class RelationList(Reply):
    """The arrows that touch one entity."""

    relations: list[Relation]


class GetNeighbourhood(Request):
    """Show what surrounds an entity, step by step along its relations in both directions."""

    entity_id: Id
    depth: Annotated[int, Meta(ge=1, le=4)] = 1
    predicates: Annotated[list[Predicate], Meta(max_length=20)] = []
    """Only along these; empty means all."""
    limit: Annotated[int, Meta(ge=1, le=500)] = 200
    """Entities at most; the nearest are kept."""


class Neighbour(Reply):
    """One entity of a neighbourhood."""

    entity_id: Id
    type: EntityType
    names: dict[str, str]
    distance: int
    """Steps from where it was asked."""


class Neighbourhood(Reply):
    """Entities around one, and the arrows among them."""

    entities: list[Neighbour]
    relations: list[Relation]
    is_whole: bool
    """False where the limit left something out."""


class ListHistory(Request):
    """Show what changed, oldest first, of one entity or of all."""

    entity_id: Id | None = None
    after: Cursor = 0
    limit: PageLimit = 100


class History(Reply):
    """A page of changes."""

    changes: list[Change]
    next_after: int


class ListChanges(Request):
    """Follow which entities change, to keep what was read of them fresh."""

    after: Cursor = 0
    limit: PageLimit = 100
    wait_s: WaitSeconds = 0.0
    """How long to wait where nothing is new."""


class ChangedEntity(Reply):
    """That an entity changed; what it is now is asked for by its id."""

    cursor: int
    at: Time
    entity_id: Id
    operation: str
    status: Status
    revision: int


class ChangeList(Reply):
    """A page of changes, oldest first."""

    changes: list[ChangedEntity]
    next_after: int

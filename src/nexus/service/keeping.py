"""What is kept of entities, read: by id, by type, by relation, by what changed."""

from __future__ import annotations

from kit.trace import Call
from nexus.contract import (
    ChangeList,
    Entity,
    EntityList,
    GetEntity,
    GetNeighbourhood,
    History,
    ListChanges,
    ListEntities,
    ListHistory,
    ListRelations,
    Neighbourhood,
    RelationList,
)
from nexus.service.authored import Authored


class Keeping(Authored):
    """What is known of entities."""

    async def get_entity(self, request: GetEntity, call: Call) -> Entity:
        """One entity, in use or not; a former id answers with its successor.

        Raises:
            NotFound: No entity has this id.
        """
        return self._known(request.entity_id)

    async def list_entities(self, request: ListEntities, call: Call) -> EntityList:
        """A page of entities, in the order of their ids."""
        found = self._entities.page(
            request.type, request.after or "", request.limit + 1, request.status
        )
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

    async def get_neighbourhood(self, request: GetNeighbourhood, call: Call) -> Neighbourhood:
        """What surrounds an entity, the nearest first.

        Raises:
            NotFound: No entity has this id.
        """
        self._known(request.entity_id)
        return self._entities.neighbourhood(request)

    async def list_history(self, request: ListHistory, call: Call) -> History:
        """Changes after a cursor, the oldest first."""
        changes = self._entities.history(request.entity_id, request.after, request.limit)
        return History(changes=changes, next_after=changes[-1].cursor if changes else request.after)

    async def list_changes(self, request: ListChanges, call: Call) -> ChangeList:
        """Which entities changed after a cursor, the oldest first."""
        ends_at = self._clock.monotonic() + request.wait_s
        while True:
            changes = self._entities.changes(request.after, request.limit)
            # Nothing runs between this read and the wait, so no beat falls in between.
            remaining = ends_at - self._clock.monotonic()
            if changes or not await self._pulse.wait(remaining):
                after = changes[-1].cursor if changes else request.after
                return ChangeList(changes=changes, next_after=after)

"""Two entities that are one, and one that is two."""

from __future__ import annotations

from kit.errors import InvalidArgument
from kit.trace import Call
from nexus.contract import Entity, MergeEntities, SplitEntity
from nexus.service.authored import Authored
from nexus.service.checking import checked_text


class Merging(Authored):
    """Joins entities and parts them."""

    async def merge_entities(self, request: MergeEntities, call: Call) -> Entity:
        """Let the source's id lead to the target, which has all its names from now on.

        Raises:
            InvalidArgument: Source and target are the same.
            NotFound: One of them does not exist.
            Conflict: One of them is merged already, or the target was changed meanwhile.
            FailedPrecondition: One of them is archived, or an entity would contain itself.
        """
        if request.source == request.target:
            raise InvalidArgument(
                "An entity cannot be merged into itself.",
                reason="merge_into_itself",
                field="target",
            )
        author = self._author("merge_entities", call, checked_text(request.why, "why"))
        return self._settled(await self._entities.change(request, author))

    async def split_entity(self, request: SplitEntity, call: Call) -> Entity:
        """Undo a merge, and show the entity that stands for itself again.

        Raises:
            NotFound: One of them does not exist.
            Conflict: The entity is merged itself, or was changed meanwhile.
            FailedPrecondition: The entity is archived, the other does not lead to it, or an
                entity would contain itself.
        """
        author = self._author("split_entity", call, checked_text(request.why, "why"))
        return self._settled(await self._entities.change(request, author))

"""Ask Nexus about an entity; without its answer nothing is done to anything."""

from __future__ import annotations

from kit.errors import NotFound, ServiceError, Unavailable
from nexus.client import NexusClient
from nexus.contract import Entity, GetEntity

_WITHIN_S = 3.0


class Identities:
    """Entities as Nexus knows them now."""

    def __init__(self, nexus: NexusClient) -> None:
        self._nexus = nexus

    async def get(self, entity_id: str) -> Entity:
        """The entity, whatever its status.

        Raises:
            NotFound: Nexus knows no such entity.
            Unavailable: Nexus did not say.
        """
        try:
            return await self._nexus.get_entity(GetEntity(entity_id=entity_id), timeout_s=_WITHIN_S)
        except NotFound as error:
            raise NotFound(
                f"Nexus knows no entity {entity_id}.", reason="entity_unknown", field="entity_id"
            ) from error
        except ServiceError as error:
            raise Unavailable(
                f"Nexus cannot say what {entity_id} is ({error.message}); nothing was done.",
                reason="identity_unverifiable",
            ) from error

"""World state from Nexus: the entity the conversation is about, as it is now."""

from __future__ import annotations

from maven.domain.snapshot import PATIENCE_S
from maven.domain.turn import Turn
from maven.ports import Ports
from nexus.contract import GetEntity


class Entities:
    """What is in focus."""

    name = "nexus"
    source = "nexus.get_entity"

    async def collect(self, turn: Turn, ports: Ports) -> list[str]:
        """The first entity in focus; without one there is nothing to ask."""
        if not turn.dialogue.focus:
            return []
        asked = GetEntity(entity_id=turn.dialogue.focus[0].entity_id)
        entity = await ports.nexus.get_entity(asked, timeout_s=PATIENCE_S)
        return [f"{entity.entity_id} is {entity.type}, {entity.status}"]

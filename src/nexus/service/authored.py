"""What every service that changes entities needs: the store, the author, and news of the change."""

from __future__ import annotations

from typing import TypeVar

from kit.clock import Clock, to_text
from kit.errors import NotFound, PermissionDenied
from kit.ids import Ids
from kit.pulse import Pulse
from kit.trace import Call
from nexus.contract import Entity
from nexus.domain.entity import is_agent
from nexus.store import EntityStore
from nexus.store.finding import NameReader
from nexus.store.writing import Author

T = TypeVar("T")
_SUGGESTING = frozenset({"add_alias", "map_external", "propose_entities"})
"""What an agent may do; each leaves the decision to a person."""


class Authored:
    """Reads and changes entities on behalf of a caller."""

    def __init__(
        self, entities: EntityStore, names: NameReader, pulse: Pulse, clock: Clock
    ) -> None:
        self._entities = entities
        self._names = names
        self._pulse = pulse
        self._clock = clock
        self._ids = Ids(clock)

    def _settled(self, outcome: T) -> T:
        """What a write came to, once whoever waits for news of it was told."""
        self._pulse.beat()
        return outcome

    def _known(self, entity_id: str) -> Entity:
        entity = self._entities.get(entity_id)
        if entity is None:
            raise NotFound(
                f"There is no entity {entity_id}.", reason="entity_unknown", field="entity_id"
            )
        return entity

    def _author(self, operation: str, call: Call, why: str = "") -> Author:
        """Who changes something.

        Raises:
            PermissionDenied: It is on behalf of an agent, which may suggest and no more.
        """
        if is_agent(call.requester) and operation not in _SUGGESTING:
            raise PermissionDenied(
                f"{call.requester} is an agent and may only suggest: use"
                f" {', '.join(sorted(_SUGGESTING))}; a person decides.",
                reason="decision_foreign",
            )
        return Author(
            operation=operation,
            requester=call.requester,
            principal=call.principal,
            correlation_id=call.correlation_id,
            at=to_text(self._clock.now()),
            why=why,
        )

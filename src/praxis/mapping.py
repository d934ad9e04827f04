"""Ask Nexus which entity an item is about, where its source only gives a name for it."""

from __future__ import annotations

import re
from datetime import timedelta

import structlog

from kit.clock import Clock
from kit.errors import ServiceError
from kit.trace import originate, working_for
from nexus.client import NexusClient
from nexus.contract import Grade, Resolve, Resolved
from praxis.store.ledger import Ledger
from praxis.store.reading import Items

EVERY_S = 2.0
_AGAIN = timedelta(minutes=10)
"""How long after an answer that settled nothing Nexus is asked again."""
_FIRM: frozenset[Grade] = frozenset({"id", "external", "confirmed", "exact"})
"""Nobody is there to ask back, so only what Nexus is sure of is taken."""
_LABEL = re.compile(r"^[A-Za-z_][\w.]*=")
_PORT = re.compile(r":\d{1,5}$")
_TIMEOUT_S = 2.0


class Mapping:
    """Gives items without an entity the one their subject names."""

    def __init__(self, nexus: NexusClient, items: Items, ledger: Ledger, clock: Clock) -> None:
        self._nexus = nexus
        self._items = items
        self._ledger = ledger
        self._clock = clock

    async def look(self) -> None:
        """Ask about the subjects nobody has asked about lately; Nexus away, all waits."""
        with working_for(originate("service:praxis")):
            for item_id, subject in self._items.unmapped(self._clock.now() - _AGAIN):
                try:
                    entity_id = await self._entity_of(subject)
                except ServiceError as error:
                    structlog.get_logger().info("nexus_unreadable", error=error.message)
                    return
                await self._ledger.map(item_id, entity_id)

    async def _entity_of(self, subject: str) -> str | None:
        for text in names_in(subject):
            found = await self._nexus.resolve(Resolve(text=text), timeout_s=_TIMEOUT_S)
            if isinstance(found, Resolved) and found.grade in _FIRM:
                return found.entity_id
        return None


def names_in(subject: str) -> list[str]:
    """What in a subject may be a name, the fullest first: `instance=nas:9100` holds two."""
    name = _LABEL.sub("", subject).strip()
    return [each for each in dict.fromkeys((name, _PORT.sub("", name))) if each]

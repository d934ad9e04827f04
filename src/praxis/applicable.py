"""What could be done about an item, asked of Hexis's catalogue; Praxis has no way to do it."""

from __future__ import annotations

import structlog

from hexis.client.catalog import Catalog
from hexis.contract.catalog import ListCapabilities
from kit.errors import ServiceError
from praxis.contract import ApplicableCapabilities, ItemCapability

_log = structlog.get_logger()
_TIMEOUT_S = 2.0


class Applicable:
    """Reads the catalogue."""

    def __init__(self, catalog: Catalog | None) -> None:
        self._catalog = catalog

    async def to(self, entity_id: str | None) -> ApplicableCapabilities:
        """What may be done to an entity; known only while Hexis answers."""
        if entity_id is None:
            return ApplicableCapabilities([])
        if self._catalog is None:
            return ApplicableCapabilities([], known=False)
        try:
            listed = await self._catalog.list_capabilities(
                ListCapabilities(entity_id=entity_id), timeout_s=_TIMEOUT_S
            )
        except ServiceError as error:
            _log.info("catalogue_unreadable", error=error.message)
            return ApplicableCapabilities([], known=False)
        return ApplicableCapabilities(
            [
                ItemCapability(
                    capability_id=each.capability_id,
                    version=each.version,
                    action=each.action,
                    title=each.title,
                    risk=each.risk,
                )
                for each in listed.capabilities
            ]
        )

"""Declared catalogs: applied, planned and written out."""

from __future__ import annotations

import asyncio

import msgspec

from kit.trace import Call
from nexus.contract import ApplyCatalog, CatalogApplied, ExportCatalog, ExportedCatalog
from nexus.service.authored import Authored
from nexus.service.checking import checked_entries, checked_text


class Catalogs(Authored):
    """Takes and gives entities as files declare them."""

    async def apply_catalog(self, request: ApplyCatalog, call: Call) -> CatalogApplied:
        """Make a declared catalog so, all or nothing.

        Raises:
            InvalidArgument: A name, key or relation is wrong; the field says which.
            Conflict: An external id belongs to an entity that is not the entry's own.
            FailedPrecondition: A relation would make an entity contain itself.
        """
        author = self._author("apply_catalog", call, checked_text(request.why, "why"))
        entries = await asyncio.to_thread(checked_entries, request.entries)
        applied = await self._entities.apply_catalog(
            msgspec.structs.replace(request, entries=entries),
            lambda: self._ids.new("ent"),
            author,
        )
        return applied if request.plan else self._settled(applied)

    async def export_catalog(self, request: ExportCatalog, call: Call) -> ExportedCatalog:
        """A page of active entities as entries, in the order of their ids."""
        found = self._entities.export(
            request.type, request.catalog, request.after or "", request.limit + 1
        )
        page = found[: request.limit]
        return ExportedCatalog(
            entries=[entry for _, entry in page],
            next_after=page[-1][0] if len(found) > len(page) else None,
        )

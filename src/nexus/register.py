"""Keeps the index of names level with the store: at the start, and after every committed write."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from nexus.contract import Entity
from nexus.index import NameIndex
from nexus.morphology import case_forms
from nexus.store import EntityStore


class Register:
    """The index of names, never behind what was committed."""

    def __init__(self, entities: EntityStore) -> None:
        self.names = NameIndex()
        self._entities = entities
        self._cursor = 0
        self._turn = asyncio.Lock()

    async def load(self) -> None:
        """Read every entity."""
        self._cursor = self._entities.newest()
        for page in self._entities.pages():
            await self._put(page)

    async def catch_up(self) -> None:
        """Take in what was committed since; without news this costs one indexed read."""
        if self._entities.newest() == self._cursor:
            return
        async with self._turn:
            newest = self._entities.newest()
            await self._put(self._entities.changed_after(self._cursor))
            self._cursor = newest

    async def _put(self, entities: Sequence[Entity]) -> None:
        words = self.names.unbent(entities)
        forms = await asyncio.to_thread(case_forms, words) if words else {}
        for entity in entities:
            self.names.put(entity, forms)

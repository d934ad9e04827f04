"""The words that entities are described with: types, outside systems and predicates in use."""

from __future__ import annotations

from dataclasses import dataclass

from kit.store import Store


@dataclass(frozen=True, slots=True)
class InUse:
    """What at least one entity is, has or does, each in the order of the alphabet."""

    types: tuple[str, ...]
    systems: tuple[str, ...]
    predicates: tuple[str, ...]


class Vocabulary:
    """What is in use, read again once something has changed."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._cursor = -1
        self._known = InUse((), (), ())

    async def in_use(self) -> InUse:
        """The types of active entities, and the systems and predicates of all."""
        newest = self._store.read("SELECT coalesce(max(cursor), 0) FROM history")[0][0]
        if newest != self._cursor:
            self._known = InUse(
                types=await self._column(
                    "SELECT DISTINCT type FROM entity WHERE status = 'active'"
                ),
                systems=await self._column("SELECT DISTINCT system FROM external_reference"),
                predicates=await self._column("SELECT DISTINCT predicate FROM relation"),
            )
            self._cursor = newest
        return self._known

    async def _column(self, sql: str) -> tuple[str, ...]:
        return tuple(sorted(row[0] for row in await self._store.search(sql)))

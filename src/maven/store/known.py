"""Names of entities that Nexus has vouched for, kept for when it cannot be asked."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime

import msgspec

from kit.clock import to_text
from kit.store import Store
from maven.domain.dialogue import Known

MOST = 5000
"""Entities remembered; beyond that the ones learnt longest ago are forgotten."""
_FRESH = 500


class KnownEntities:
    """What each entity was last called; a memory for telling, never for acting."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._fresh: dict[str, Known] = {}
        self._unsaved: dict[str, Known] = {}

    def fresh(self, entity_id: str) -> Known | None:
        """The entity, if Nexus vouched for it lately."""
        return self._fresh.get(entity_id)

    def get(self, entity_id: str) -> Known | None:
        """The entity as it was last vouched for, however long ago."""
        return self._fresh.get(entity_id) or self._unsaved.get(entity_id) or self._stored(entity_id)

    def note(self, known: Known) -> Known:
        """Nexus has just vouched for this entity; it is stored with the turn that asked."""
        if self._fresh.get(known.entity_id) != known:
            if len(self._fresh) >= _FRESH:
                self._fresh.clear()
            if self._stored(known.entity_id) != known:
                self._unsaved[known.entity_id] = known
            self._fresh[known.entity_id] = known
        return known

    def age(self) -> None:
        """Take nothing for fresh any more."""
        self._fresh.clear()

    def unsaved(self) -> list[Known]:
        """What has been learnt and not been stored yet; whoever takes it stores it."""
        learnt, self._unsaved = list(self._unsaved.values()), {}
        return learnt

    def _stored(self, entity_id: str) -> Known | None:
        rows = self._store.read(
            "SELECT names, type FROM known_entity WHERE entity_id = ?", (entity_id,)
        )
        if not rows:
            return None
        names = msgspec.json.decode(rows[0]["names"], type=dict[str, str])
        return Known(entity_id, names, rows[0]["type"])


def put_known(connection: sqlite3.Connection, learnt: Sequence[Known], at: datetime) -> None:
    """Store what was learnt, in the transaction of a turn."""
    connection.executemany(
        "INSERT OR REPLACE INTO known_entity VALUES (?, ?, ?, ?)",
        [
            (each.entity_id, msgspec.json.encode(each.names).decode(), each.type, to_text(at))
            for each in learnt
        ],
    )


def drop_oldest(connection: sqlite3.Connection) -> None:
    """Keep no more than are worth remembering."""
    connection.execute(
        "DELETE FROM known_entity WHERE entity_id IN"
        " (SELECT entity_id FROM known_entity ORDER BY at DESC LIMIT -1 OFFSET ?)",
        (MOST,),
    )

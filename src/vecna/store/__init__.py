"""Fragments in SQLite: kept once, found by topic in recall order with a few bounded scans."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256

from kit.clock import from_text, to_text
from kit.store import Store
from vecna.contract import Connect, Connected, Fragment
from vecna.domain.recall import VITAL

_ONE = "SELECT * FROM fragment WHERE fragment_id = ?"
_SAID = """
    SELECT * FROM fragment WHERE said = ? AND created_at >= ? AND is_deprecated = 0
    ORDER BY created_at DESC LIMIT 1
"""
_INSERT = """
    INSERT INTO fragment (fragment_id, topic, sub_topic, content, source_agent, importance,
                          linear_ref, is_deprecated, created_at, said)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""


class FragmentStore:
    """What agents left, and how it is found again."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def add(
        self, fragment_id: str, sent: Connect, now: datetime, same_since: datetime | None
    ) -> Connected:
        """Store a fragment, or find the one that said the same since `same_since`."""
        said = _said(sent)

        def job(connection: sqlite3.Connection) -> Connected:
            if same_since is not None:
                found = connection.execute(_SAID, (said, to_text(same_since))).fetchone()
                if found is not None:
                    return Connected(fragment=_fragment(found), deduplicated=True)
            row = (
                fragment_id,
                sent.topic,
                sent.sub_topic,
                sent.content,
                sent.source_agent,
                sent.importance,
                sent.linear_ref,
                0,
                to_text(now),
            )
            connection.execute(_INSERT, (*row, said))
            kept = connection.execute(_ONE, (fragment_id,)).fetchone()
            return Connected(fragment=_fragment(kept), deduplicated=False)

        return await self._store.write(job)

    def get(self, fragment_id: str) -> Fragment | None:
        """One fragment, deprecated or not."""
        rows = self._store.read(_ONE, (fragment_id,))
        return _fragment(rows[0]) if rows else None

    def recall(
        self, topic: str, ticket: str | None, decayed: datetime, limit: int
    ) -> list[Fragment]:
        """The best `limit` fragments of a topic; the cost does not grow with the topic."""
        found: dict[str, Fragment] = {}
        passes = ([ticket] if ticket else []) + [None]
        for of_ticket in passes:
            for importance, old in _ranks():
                missing = limit - len(found)
                if missing <= 0:
                    return list(found.values())
                rows = self._scan(topic, of_ticket, importance, old, decayed, limit)
                for row in rows:
                    if len(found) < limit:
                        found.setdefault(row["fragment_id"], _fragment(row))
        return list(found.values())

    def _scan(
        self,
        topic: str,
        ticket: str | None,
        importance: int,
        old: bool | None,
        decayed: datetime,
        limit: int,
    ) -> list[sqlite3.Row]:
        where = "topic = :topic AND importance = :importance AND is_deprecated = 0"
        if ticket is not None:
            where += " AND linear_ref = :ticket"
        if old is not None:
            where += f" AND created_at {'<' if old else '>='} :decayed"
        return self._store.read(
            f"SELECT * FROM fragment WHERE {where}"  # noqa: S608 - the conditions are ours
            " ORDER BY created_at DESC, sequence DESC LIMIT :limit",
            {
                "topic": topic,
                "importance": importance,
                "ticket": ticket,
                "decayed": to_text(decayed),
                "limit": limit,
            },
        )


def _ranks() -> Iterator[tuple[int, bool | None]]:
    """Importance and whether decayed, best first: vital of any age, then recent, then old."""
    yield VITAL, None
    for old in (False, True):
        for importance in range(VITAL - 1, 0, -1):
            yield importance, old


def _said(sent: Connect) -> bytes:
    parts = (sent.topic, sent.source_agent, sent.content)
    return sha256("\0".join(f"{len(part)}:{part}" for part in parts).encode()).digest()


def _fragment(row: sqlite3.Row) -> Fragment:
    return Fragment(
        fragment_id=row["fragment_id"],
        topic=row["topic"],
        sub_topic=row["sub_topic"],
        content=row["content"],
        source_agent=row["source_agent"],
        importance=row["importance"],
        linear_ref=row["linear_ref"],
        is_deprecated=bool(row["is_deprecated"]),
        created_at=from_text(row["created_at"]),
    )

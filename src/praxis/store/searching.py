"""Find items by what they tell: full text over stems, brought up to date before it is asked."""

from __future__ import annotations

import sqlite3

from kit.store import Store
from kit.words import stems
from praxis.contract import Operational

_AT_ONCE = 100
"""Observations made findable in one transaction."""
_STEPS = 10
"""So many of those in one go, unless a search waits for all."""
_SHOWN = 12
"""Newest reports of an item that can be found."""
_MOST_WORDS = 24
_ABOUT = "SELECT number, source, key, facts ->> '$.kind' AS kind, facts ->> '$.title' AS title, \
subject, facts ->> '$.group' AS cause FROM item WHERE item_id = ?"


class Finder:
    """Searches items."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def catch_up(self, most: int | None = None) -> None:
        """Make what was told since the last time findable, in so many steps at most."""
        steps = 0
        while (most is None or steps < most) and self._is_behind():
            await self._store.write(_index)
            steps += 1

    async def keep_up(self) -> None:
        """Do a part of it, and leave the writer to others."""
        await self.catch_up(_STEPS)

    async def find(self, text: str, operational: Operational | None, limit: int) -> list[str]:
        """Ids of the items that tell of all these words, else of any; the best first."""
        words = list(dict.fromkeys(stems(text)))[:_MOST_WORDS]
        if not words:
            return []
        await self.catch_up()
        for joined in (" AND ", " OR "):
            query = joined.join(f'"{word}"*' for word in words)
            rows = await self._store.search(
                "SELECT item_id FROM item_text JOIN item ON number = item_text.rowid"
                " WHERE item_text MATCH ? AND episodes > 0"
                " AND operational = coalesce(?, operational)"
                " ORDER BY bm25(item_text, 4.0, 1.0), listed DESC, last_seen DESC LIMIT ?",
                (query, operational, limit),
            )
            if rows:
                return [row["item_id"] for row in rows]
        return []

    def _is_behind(self) -> bool:
        row = self._store.read(
            "SELECT coalesce((SELECT max(sequence) FROM observation), 0) > sequence AS behind"
            " FROM searchable"
        )[0]
        return bool(row["behind"])


def _index(connection: sqlite3.Connection) -> None:
    rows = connection.execute(
        "SELECT sequence, item_id FROM observation"
        " WHERE sequence > (SELECT sequence FROM searchable) ORDER BY sequence LIMIT ?",
        (_AT_ONCE,),
    ).fetchall()
    for item_id in dict.fromkeys(row["item_id"] for row in rows):
        _index_item(connection, item_id)
    if rows:
        connection.execute("UPDATE searchable SET sequence = ?", (rows[-1]["sequence"],))


def _index_item(connection: sqlite3.Connection, item_id: str) -> None:
    item = connection.execute(_ABOUT, (item_id,)).fetchone()
    told = connection.execute(
        "SELECT summary, details FROM observation WHERE item_id = ?"
        " ORDER BY observed_at DESC LIMIT ?",
        (item_id, _SHOWN),
    ).fetchall()
    title = " ".join(str(item[name] or "") for name in ("title", "kind", "source", "key"))
    around = " ".join(str(item[name] or "") for name in ("subject", "cause"))
    evidence = " ".join([around, *(f"{row['summary']} {row['details']}" for row in told)])
    connection.execute("DELETE FROM item_text WHERE rowid = ?", (item["number"],))
    connection.execute(
        "INSERT INTO item_text (rowid, title, evidence) VALUES (?, ?, ?)",
        (item["number"], " ".join(stems(title)), " ".join(stems(evidence))),
    )

"""Other ways to find the thing a name means, each with its own rule for when it is sure."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import psycopg
from rapidfuzz import fuzz, process, utils

from bench.cluster import Cluster

Hit = tuple[str, float]
"""An entity and how well it fits, from 0 to 1."""
_SHOWN = 20
_BLOCK = 100
"""Candidates that trigrams give to be weighed."""


class Peer(Protocol):
    """A way to find names."""

    sure: float
    """From here on it resolves, if no other entity comes near."""
    margin: float
    floor: float
    """Below, it finds nothing."""

    def build(self, names: Sequence[tuple[str, str]]) -> None:
        """Take in pairs of entity and name."""
        ...

    def find(self, text: str) -> list[Hit]:
        """The entities that fit best, best first."""
        ...

    def disk(self) -> int:
        """Bytes on disk."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...


def best_of_each(hits: Sequence[Hit]) -> list[Hit]:
    """Each entity once, by its best name."""
    best: dict[str, float] = {}
    for entity, score in hits:
        best[entity] = max(score, best.get(entity, 0.0))
    return sorted(best.items(), key=lambda hit: -hit[1])


def answer(peer: Peer, hits: list[Hit]) -> dict[str, Any]:
    """Resolved, ambiguous or not found, by the peer's rule."""
    if not hits or hits[0][1] < peer.floor:
        return {"status": "not_found", "candidates": [entity for entity, _ in hits]}
    alone = len(hits) == 1 or hits[0][1] - hits[1][1] >= peer.margin
    if hits[0][1] >= peer.sure and alone:
        return {"status": "resolved", "entity_id": hits[0][0], "candidates": []}
    return {"status": "ambiguous", "candidates": [entity for entity, _ in hits]}


class BruteForce:
    """rapidfuzz's WRatio against every name."""

    sure, margin, floor = 0.9, 0.04, 0.75

    def __init__(self, folder: Path) -> None:
        self._entities: list[str] = []
        self._names: list[str] = []

    def build(self, names: Sequence[tuple[str, str]]) -> None:
        """Keep every name ready to be compared."""
        self._entities = [entity for entity, _ in names]
        self._names = [utils.default_process(name) for _, name in names]

    def find(self, text: str) -> list[Hit]:
        """Compare with all."""
        asked = utils.default_process(text)
        found = process.extract(asked, self._names, scorer=fuzz.WRatio, limit=_SHOWN)
        return best_of_each([(self._entities[at], score / 100) for _, score, at in found])

    def disk(self) -> int:
        """Nothing."""
        return 0

    def close(self) -> None:
        """Nothing to let go of."""


class Trigrams:
    """SQLite's trigram index for candidates, WRatio to weigh them."""

    sure, margin, floor = 0.9, 0.04, 0.75

    def __init__(self, folder: Path) -> None:
        self._path = folder / "trigrams.db"
        self._connection = sqlite3.connect(self._path)

    def build(self, names: Sequence[tuple[str, str]]) -> None:
        """Index every name."""
        run = self._connection.execute
        run("PRAGMA journal_mode = OFF")
        run("CREATE VIRTUAL TABLE names USING fts5(name, entity UNINDEXED, tokenize = 'trigram')")
        rows = ((name, entity) for entity, name in names)
        self._connection.executemany("INSERT INTO names VALUES (?, ?)", rows)
        run("INSERT INTO names (names) VALUES ('optimize')")
        self._connection.commit()

    def find(self, text: str) -> list[Hit]:
        """Weigh what shares most trigrams."""
        asked = utils.default_process(text)
        grams = dict.fromkeys(asked[at : at + 3] for at in range(len(asked) - 2))
        if not grams:
            return []
        wanted = " OR ".join(f'"{gram}"' for gram in list(grams)[:60])
        rows = self._connection.execute(
            "SELECT entity, name FROM names WHERE names MATCH ? ORDER BY rank LIMIT ?",
            (wanted, _BLOCK),
        ).fetchall()
        hits = [
            (entity, fuzz.WRatio(asked, name, processor=utils.default_process) / 100)
            for entity, name in rows
        ]
        return best_of_each(hits)[:_SHOWN]

    def disk(self) -> int:
        """The database."""
        return self._path.stat().st_size

    def close(self) -> None:
        """Close the database."""
        self._connection.close()


class Postgres:
    """PostgreSQL's pg_trgm with its GIN index, on a cluster of its own."""

    sure, margin, floor = 0.6, 0.1, 0.3

    def __init__(self, folder: Path) -> None:
        self._cluster = Cluster(folder)
        self._connection: psycopg.Connection[Any] = psycopg.connect(
            self._cluster.start(), autocommit=True
        )

    def build(self, names: Sequence[tuple[str, str]]) -> None:
        """Copy every name, then index them."""
        run = self._connection.execute
        run("CREATE EXTENSION pg_trgm")
        run("CREATE TABLE names (entity text, name text)")
        with self._connection.cursor() as cursor, cursor.copy("COPY names FROM STDIN") as copy:
            for entity, name in names:
                copy.write_row((entity, name.lower()))
        run("CREATE INDEX names_trigrams ON names USING gin (name gin_trgm_ops)")
        run("ANALYZE names")

    def find(self, text: str) -> list[Hit]:
        """What is similar enough."""
        asked = text.lower().replace("\0", "")
        rows = self._connection.execute(
            "SELECT entity, similarity(name, %s) AS score FROM names WHERE name %% %s"
            " ORDER BY score DESC LIMIT 20",
            (asked, asked),
            prepare=True,
        ).fetchall()
        return best_of_each([(entity, float(score)) for entity, score in rows])

    def disk(self) -> int:
        """The table and its index."""
        row = self._connection.execute("SELECT pg_total_relation_size('names')").fetchone()
        return int(row[0]) if row else 0

    def close(self) -> None:
        """Stop the cluster."""
        self._connection.close()
        self._cluster.stop()

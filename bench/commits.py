"""Durable writes a second: one writer with shared commits, against a commit for each write."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from pathlib import Path

from bench.table import Row
from kit.store import Store

TASKS = 32
SECONDS = 2.0
PACKAGE = "vecna.store"
INSERT = """
    INSERT INTO fragment (fragment_id, topic, content, source_agent, importance, created_at, said)
    VALUES (?, 'topic', 'what an agent learned', 'agent', 3, '2026-11-30T12:00:00.000000Z', x'00')
"""


def measure(folder: Path) -> list[Row]:
    """Rows of the table."""
    shared = asyncio.run(_shared(folder / "shared.db"))
    inline = _inline(folder / "inline.db")
    ratio = f"×{shared / inline:.1f}"
    together = f"synchronous=FULL, {TASKS} tasks"
    return [
        Row("durable writes, a commit each", f"{inline:,.0f} /s", "synchronous=FULL, inline"),
        Row("durable writes, shared commits", f"{shared:,.0f} /s", together, ratio),
    ]


async def _shared(path: Path) -> float:
    store = Store(path, PACKAGE)
    until = time.monotonic() + SECONDS

    async def work(task: int) -> int:
        done = 0
        while time.monotonic() < until:
            await store.write(lambda c, key=f"{task}-{done}": c.execute(INSERT, (key,)).rowcount)
            done += 1
        return done

    counts = await asyncio.gather(*(work(task) for task in range(TASKS)))
    await store.close()
    return sum(counts) / SECONDS


def _inline(path: Path) -> float:
    async def prepare() -> None:
        await Store(path, PACKAGE).close()

    asyncio.run(prepare())
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous = FULL")
    until = time.monotonic() + SECONDS
    done = 0
    while time.monotonic() < until:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(INSERT, (f"{done}",))
        connection.execute("COMMIT")
        done += 1
    connection.close()
    return done / SECONDS

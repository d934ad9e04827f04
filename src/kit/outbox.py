"""Keyed events kept durably until the other side has answered: sent in order, never lost.

Only an event that carries a key of its own may be sent again (`contract.md`, *Sending again*).
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable

import structlog

from kit.clock import Clock, to_text
from kit.errors import Conflict, InvalidArgument, NotFound, ServiceError
from kit.store import Store

_log = structlog.get_logger()

SCHEMA = """
CREATE TABLE outbox (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    key      TEXT NOT NULL UNIQUE,
    payload  BLOB NOT NULL,
    at       TEXT NOT NULL,
    refused  TEXT
) STRICT;
"""
"""Copy it into a migration of the part that keeps an outbox."""


def put(connection: sqlite3.Connection, key: str, payload: bytes, clock: Clock) -> None:
    """Keep an event in the transaction that made it true; the same key twice is one event."""
    connection.execute(
        "INSERT OR IGNORE INTO outbox (key, payload, at) VALUES (?, ?, ?)",
        (key, payload, to_text(clock.now())),
    )


class Outbox:
    """Sends kept events, oldest first; an unreachable receiver makes them wait."""

    def __init__(self, store: Store, send: Callable[[bytes], Awaitable[None]]) -> None:
        self._store = store
        self._send = send
        self._sending = asyncio.Lock()

    async def deliver(self) -> None:
        """Send what waits; stop at the first that cannot be delivered now.

        An event the receiver calls wrong, or at odds with what it holds, is kept aside with the
        reason: sending it again would not help, and what follows must not wait for it.
        """
        async with self._sending:
            while rows := self._store.read(
                "SELECT sequence, key, payload FROM outbox WHERE refused IS NULL"
                " ORDER BY sequence LIMIT 50"
            ):
                for row in rows:
                    if not await self._deliver(row):
                        return

    def waiting(self) -> int:
        """How many events have not been answered."""
        rows = self._store.read("SELECT count(*) FROM outbox WHERE refused IS NULL")
        return int(rows[0][0])

    async def _deliver(self, row: sqlite3.Row) -> bool:
        sequence: int = row["sequence"]
        try:
            await self._send(row["payload"])
        except (InvalidArgument, NotFound, Conflict) as error:
            reason = f"{error.code}: {error.message}"
            _log.error("event_refused", key=row["key"], error=reason)
            await self._store.write(lambda connection: _put_aside(connection, sequence, reason))
        except ServiceError as error:
            _log.info("event_waits", key=row["key"], code=error.code)
            return False
        else:
            await self._store.write(lambda connection: _forget(connection, sequence))
        return True


def _put_aside(connection: sqlite3.Connection, sequence: int, reason: str) -> None:
    connection.execute("UPDATE outbox SET refused = ? WHERE sequence = ?", (reason, sequence))


def _forget(connection: sqlite3.Connection, sequence: int) -> None:
    connection.execute("DELETE FROM outbox WHERE sequence = ?", (sequence,))

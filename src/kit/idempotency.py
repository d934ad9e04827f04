"""The same key and body gets the first answer; the same key with another body is refused.

The key is recorded in the transaction of the first write the call makes, so a crash leaves either
nothing done or a key that says so.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import msgspec

from kit.clock import Clock, to_text
from kit.errors import Conflict

SCHEMA = """
CREATE TABLE IF NOT EXISTS kit_idempotency (
    principal TEXT NOT NULL,
    operation TEXT NOT NULL,
    key       TEXT NOT NULL,
    requester TEXT NOT NULL,
    digest    BLOB NOT NULL,
    reply     BLOB,
    at        TEXT NOT NULL,
    PRIMARY KEY (principal, operation, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS kit_idempotency_at ON kit_idempotency (at);
"""
KEPT = timedelta(hours=48)
"""How long a key is remembered."""
_SWEEP = 64
"""At most this many forgotten keys are removed with each new one."""


@dataclass(slots=True)
class Pending:
    """A keyed call whose answer is not stored yet."""

    principal: str
    operation: str
    key: str
    requester: str
    digest: bytes
    reply_type: object
    stored: bytes | None = None
    recorded: bool = False
    """Whether the key is on disk, or about to be with the writes beside it."""


_pending: ContextVar[Pending | None] = ContextVar("pending", default=None)


def current_pending() -> Pending | None:
    """The keyed call this task works on."""
    return _pending.get()


@contextmanager
def keyed(pending: Pending | None) -> Generator[Pending | None]:
    """Writes inside the block record the key; None: they are no part of the keyed call."""
    token = _pending.set(pending)
    try:
        yield pending
    finally:
        _pending.reset(token)


def record(connection: sqlite3.Connection, pending: Pending, result: Any, clock: Clock) -> None:
    """Note the key beside the call's first write, with the answer if the write made it.

    Raises:
        Conflict: Another call with this key came first.
    """
    if pending.recorded:
        return
    if isinstance(pending.reply_type, type) and isinstance(result, pending.reply_type):
        pending.stored = msgspec.json.encode(result)
    now = clock.now()
    try:
        connection.execute(
            "INSERT INTO kit_idempotency VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                pending.principal,
                pending.operation,
                pending.key,
                pending.requester,
                pending.digest,
                pending.stored,
                to_text(now),
            ),
        )
    except sqlite3.IntegrityError as error:
        raise Conflict(
            "A call with this idempotency key is under way.", reason="idempotency_in_progress"
        ) from error
    pending.recorded = True
    connection.execute(
        "DELETE FROM kit_idempotency WHERE (principal, operation, key) IN (SELECT principal,"
        " operation, key FROM kit_idempotency WHERE at < ? ORDER BY at LIMIT ?)",
        (to_text(now - KEPT), _SWEEP),
    )


def complete(connection: sqlite3.Connection, pending: Pending, reply: bytes | None) -> None:
    """Store the final answer of a keyed call; None when it failed after it had written."""
    connection.execute(
        "UPDATE kit_idempotency SET reply = ? WHERE principal = ? AND operation = ? AND key = ?",
        (reply, pending.principal, pending.operation, pending.key),
    )

"""How long records stay: the newest of each kind, trimmed a little at a time."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from kit.store import Store

_AT_ONCE = 500
"""Rows that go in one transaction, so that nobody waits for a long one."""
_ROUNDS = 200
"""Transactions of one trimming at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How many of the newest rows are kept; those of the audit are the schema's own floor."""

    executions: int = 10_000
    refused_calls: int = 100_000
    """Age in rows of the audit at which the row of a refused call goes."""
    decisions: int = 1_000_000
    """Age in rows of the audit at which any row goes."""


class Retention:
    """Keeps the store from growing without end."""

    def __init__(self, store: Store, limits: Limits | None = None) -> None:
        self._store = store
        self._limits = limits or Limits()

    async def trim(self) -> None:
        """Remove what is older than the newest rows to keep; what is not over stays."""
        limits = self._limits
        for _ in range(_ROUNDS):
            if not await self._store.write(lambda connection: _trim(connection, limits)):
                return


def _trim(connection: sqlite3.Connection, limits: Limits) -> int:
    return _trim_executions(connection, limits.executions) + sum(
        connection.execute(
            "DELETE FROM audit WHERE sequence IN (SELECT sequence FROM audit WHERE sequence <="  # noqa: S608 - our own words
            f" (SELECT max(sequence) FROM audit) - ?{which} ORDER BY sequence LIMIT ?)",
            (kept, _AT_ONCE),
        ).rowcount
        for kept, which in (
            (limits.refused_calls, " AND decision = 'refused' AND execution_id = ''"),
            (limits.decisions, ""),
        )
    )


def _trim_executions(connection: sqlite3.Connection, kept: int) -> int:
    oldest = connection.execute(
        "SELECT execution_id FROM execution ORDER BY execution_id DESC LIMIT 1 OFFSET ?",
        (kept - 1,),
    ).fetchone()
    if oldest is None:
        return 0
    rows = connection.execute(
        "SELECT execution_id FROM execution WHERE execution_id < ? AND state NOT IN"
        " ('awaiting_confirmation', 'queued', 'running') ORDER BY execution_id LIMIT ?",
        (oldest[0], _AT_ONCE),
    ).fetchall()
    gone = [(row[0],) for row in rows]
    connection.executemany(
        "DELETE FROM consumed_turn WHERE confirmation_id IN"
        " (SELECT confirmation_id FROM confirmation WHERE execution_id = ?)",
        gone,
    )
    for table in ("confirmation", "execution"):
        connection.executemany(f"DELETE FROM {table} WHERE execution_id = ?", gone)  # noqa: S608 - named right above
    return len(gone)

"""The change feed: appended in the transaction of what changed, read by cursor without a gap."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from kit.clock import from_text, to_text
from kit.errors import FailedPrecondition
from kit.store import Store
from praxis.contract import Change, ChangeList
from praxis.domain.changes import Step

_encode = msgspec.json.Encoder().encode
KEPT = 100_000
"""Changes kept at least."""
_SWEEP = 1000
"""At most this many are let go at a time."""


def append(connection: sqlite3.Connection, steps: Sequence[Step], now: datetime) -> None:
    """Put steps at the end of the feed, in their order."""
    at = to_text(now)
    connection.executemany(
        "INSERT INTO change (at, what, item_id, entity_id, source, execution_id, actor, details)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                at,
                step.what,
                step.item_id,
                step.entity_id,
                step.source,
                step.execution_id,
                step.actor,
                _encode(step.details).decode(),
            )
            for step in steps
        ],
    )


def sweep(connection: sqlite3.Connection) -> int:
    """Let go of the oldest changes beyond what is kept."""
    return connection.execute(
        "DELETE FROM change WHERE cursor IN (SELECT cursor FROM change WHERE cursor <="
        " (SELECT max(cursor) FROM change) - ? ORDER BY cursor LIMIT ?)",
        (KEPT, _SWEEP),
    ).rowcount


_CLOCK_SET_BACK = timedelta(hours=2)
"""How far a clock may have been set back without a change being overlooked."""


class Feed:
    """Reads the change feed."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def end(self) -> int:
        """The cursor of the newest change ever made."""
        rows = self._store.read("SELECT coalesce(max(cursor), 0) AS newest FROM change")
        return int(rows[0]["newest"])

    def page(
        self, after: int, since: datetime | None, entity_ids: list[str], limit: int
    ) -> ChangeList:
        """Changes beyond `after`, oldest first.

        Raises:
            FailedPrecondition: Changes after that cursor have been let go, or there never were any.
        """
        end = self.end()
        self._check(after, end, is_from_start=since is not None)
        where, values = ["cursor > ?", "cursor <= ?"], [after, end]
        parameters: list[object] = [*values]
        if since is not None:
            where.append("at >= ?")
            parameters.append(to_text(since))
            parameters[0] = max(after, self._milestone(since))
        if entity_ids:
            where.append(f"entity_id IN ({', '.join('?' * len(entity_ids))})")
            parameters += entity_ids
        rows = self._store.read(
            f"SELECT * FROM change WHERE {' AND '.join(where)}"  # noqa: S608 - the conditions are ours
            " ORDER BY cursor LIMIT ?",
            [*parameters, limit],
        )
        found = [_change(row) for row in rows]
        return ChangeList(
            changes=found, next_after=found[-1].cursor if len(found) == limit else end
        )

    def _milestone(self, since: datetime) -> int:
        """A change made before an instant, with at most a few dozen between them."""
        rows = self._store.read(
            "SELECT cursor FROM change WHERE cursor % 64 = 0 AND at < ? ORDER BY at DESC LIMIT 1",
            (to_text(since - _CLOCK_SET_BACK),),
        )
        return int(rows[0]["cursor"]) if rows else 0

    def _check(self, after: int, end: int, *, is_from_start: bool) -> None:
        if after > end:
            raise FailedPrecondition(
                f"There is no change {after} yet; the feed ends at {end}. Start again without"
                " `after`.",
                reason="cursor_unknown",
                field="after",
            )
        rows = self._store.read("SELECT min(cursor) AS first FROM change")
        first = rows[0]["first"]
        if not is_from_start and first is not None and after < first - 1:
            raise FailedPrecondition(
                f"Changes before {first} are no longer kept; read the items, then start again"
                " without `after`.",
                reason="cursor_expired",
                field="after",
            )


def _change(row: sqlite3.Row) -> Change:
    return Change(
        cursor=row["cursor"],
        at=from_text(row["at"]),
        what=row["what"],
        item_id=row["item_id"],
        entity_id=row["entity_id"],
        source=row["source"],
        execution_id=row["execution_id"],
        actor=row["actor"],
        details=msgspec.json.decode(row["details"], type=dict[str, str]),
    )

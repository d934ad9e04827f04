"""Watches, the place in Praxis's feed, and what Maven says unasked, in SQLite."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from datetime import datetime

import msgspec

from kit.clock import from_text, to_text
from kit.store import Store
from maven.contract import Notification
from maven.domain.dialogue import Dialogue, Known
from maven.domain.watch import Watch
from maven.store import put_dialogue

_FEED = "praxis"
_MOST = 200
"""Watches looked at together."""


class Watches:
    """Executions Maven keeps an eye on, and what it has to say about them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def begin(self, watch: Watch, dialogue: Dialogue) -> None:
        """Keep an eye on an execution from before it is confirmed; the proposal is used up."""
        row = (
            watch.execution_id,
            watch.requester,
            watch.conversation_id,
            watch.turn_id,
            watch.correlation_id,
            watch.language,
            watch.action,
            msgspec.json.encode(watch.target),
            int(watch.expects_recovery),
            to_text(watch.created_at),
            to_text(watch.give_up_at),
            watch.told,
        )

        def job(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT OR REPLACE INTO watch"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)",
                row,
            )
            put_dialogue(
                connection, watch.requester, watch.conversation_id, dialogue, watch.created_at
            )

        await self._store.write(job)

    async def end(self, execution_id: str, why: str) -> None:
        """Stop watching."""

        def job(connection: sqlite3.Connection) -> None:
            _close(connection, execution_id, why)

        await self._store.write(job)

    async def told(self, execution_id: str, state: str, at: datetime | None) -> None:
        """The person has heard that the execution came to this state, and when it did."""

        def job(connection: sqlite3.Connection) -> None:
            _tell(connection, execution_id, state, at)

        await self._store.write(job)

    def open(self, requester: str | None = None) -> list[Watch]:
        """What is being watched, oldest first."""
        rows = self._store.read(
            "SELECT * FROM watch WHERE closed IS NULL ORDER BY created_at LIMIT ?", (_MOST,)
        )
        watches = [_watch(row) for row in rows]
        return [each for each in watches if requester in (None, each.requester)]

    def cursor(self) -> int | None:
        """How far the feed has been read; none when nothing is being watched."""
        rows = self._store.read("SELECT cursor FROM follower WHERE name = ?", (_FEED,))
        return rows[0]["cursor"] if rows else None

    async def settle(
        self,
        notifications: Sequence[tuple[str, Notification]],
        told: Sequence[tuple[str, str, datetime]],
        closed: Sequence[tuple[str, str]],
        cursor: int | None,
    ) -> int:
        """Store what is to be said (with its requester), what was learnt, the place in the feed.

        The same kind of news of one execution is kept once. Without an open watch left the place
        is forgotten: the next watch begins at its own start.

        Returns:
            How many notifications are new.
        """

        def job(connection: sqlite3.Connection) -> int:
            new = sum(_add(connection, requester, each) for requester, each in notifications)
            for each in told:
                _tell(connection, *each)
            for execution_id, why in closed:
                _close(connection, execution_id, why)
            if cursor is not None:
                connection.execute("INSERT OR REPLACE INTO follower VALUES (?, ?)", (_FEED, cursor))
            connection.execute(
                "DELETE FROM follower WHERE NOT EXISTS (SELECT 1 FROM watch WHERE closed IS NULL)"
            )
            return new

        return await self._store.write(job)

    def notifications(
        self, requester: str, conversation_id: str | None, after: int, limit: int
    ) -> list[Notification]:
        """What a requester has to hear after a cursor, oldest first."""
        rows = self._store.read(
            "SELECT * FROM notification WHERE requester = :requester AND cursor > :after"
            " AND (:conversation IS NULL OR conversation_id = :conversation)"
            " ORDER BY cursor LIMIT :limit",
            {
                "requester": requester,
                "after": after,
                "conversation": conversation_id,
                "limit": limit,
            },
        )
        return [_notification(row) for row in rows]

    def told_since_turn(
        self, requester: str, conversation_id: str
    ) -> tuple[list[str], Known] | None:
        """Items of the last news that a channel fetched since the last turn, and their entity."""
        rows = self._store.read(
            "SELECT item_ids, target FROM notification JOIN watch USING (execution_id)"
            " WHERE notification.requester = :requester"
            " AND notification.conversation_id = :conversation"
            " AND surfaced_at IS NOT NULL AND notification.at > ("
            "  SELECT at FROM dialogue"
            "  WHERE requester = :requester AND conversation_id = :conversation)"
            " ORDER BY notification.at DESC LIMIT 1",
            {"requester": requester, "conversation": conversation_id},
        )
        if not rows:
            return None
        known = msgspec.json.decode(rows[0]["target"], type=Known)
        return json.loads(rows[0]["item_ids"]), known

    def newest(self) -> int:
        """The cursor of the newest notification of all."""
        rows = self._store.read("SELECT seq FROM sqlite_sequence WHERE name = 'notification'")
        return rows[0]["seq"] if rows else 0

    def unsurfaced(self, notifications: Sequence[Notification]) -> list[Notification]:
        """Those whose items have not been marked as shown."""
        marks = ", ".join("?" * len(notifications))
        rows = self._store.read(
            f"SELECT cursor FROM notification WHERE surfaced_at IS NULL AND cursor IN ({marks})",  # noqa: S608 - marks only
            [each.cursor for each in notifications],
        )
        waiting = {row["cursor"] for row in rows}
        return [each for each in notifications if each.cursor in waiting and each.item_ids]

    async def surfaced(self, notifications: Sequence[Notification], now: datetime) -> None:
        """Their items were marked as shown."""
        rows = [(to_text(now), each.cursor) for each in notifications]

        def job(connection: sqlite3.Connection) -> None:
            connection.executemany("UPDATE notification SET surfaced_at = ? WHERE cursor = ?", rows)

        await self._store.write(job)


def _tell(
    connection: sqlite3.Connection, execution_id: str, state: str, at: datetime | None
) -> None:
    connection.execute(
        "UPDATE watch SET told = ?, ended_at = ? WHERE execution_id = ?",
        (state, to_text(at) if at else None, execution_id),
    )


def _close(connection: sqlite3.Connection, execution_id: str, why: str) -> None:
    connection.execute(
        "UPDATE watch SET closed = ? WHERE execution_id = ? AND closed IS NULL", (why, execution_id)
    )


def _add(connection: sqlite3.Connection, requester: str, notification: Notification) -> int:
    return connection.execute(
        "INSERT OR IGNORE INTO notification (notification_id, requester, conversation_id, at, kind,"
        " text, language, item_ids, execution_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            notification.notification_id,
            requester,
            notification.conversation_id,
            to_text(notification.at),
            notification.kind,
            notification.text,
            notification.language,
            json.dumps(notification.item_ids),
            notification.execution_id,
        ),
    ).rowcount


def _watch(row: sqlite3.Row) -> Watch:
    return Watch(
        execution_id=row["execution_id"],
        requester=row["requester"],
        conversation_id=row["conversation_id"],
        turn_id=row["turn_id"],
        correlation_id=row["correlation_id"],
        language=row["language"],
        action=row["action"],
        target=msgspec.json.decode(row["target"], type=Known),
        expects_recovery=bool(row["expects_recovery"]),
        created_at=from_text(row["created_at"]),
        give_up_at=from_text(row["give_up_at"]),
        told=row["told"],
        ended_at=from_text(row["ended_at"]) if row["ended_at"] else None,
    )


def _notification(row: sqlite3.Row) -> Notification:
    return Notification(
        notification_id=row["notification_id"],
        cursor=row["cursor"],
        at=from_text(row["at"]),
        conversation_id=row["conversation_id"],
        kind=row["kind"],
        text=row["text"],
        language=row["language"],
        item_ids=json.loads(row["item_ids"]),
        execution_id=row["execution_id"],
    )

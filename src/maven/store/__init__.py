"""Conversations in SQLite: turns with their traces, and the state of each dialogue."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any

import msgspec

from kit.clock import from_text, to_text
from kit.store import Store
from maven.contract import Answer, TraceEntry, TurnRecord
from maven.domain.dialogue import Dialogue, Known
from maven.store.known import drop_oldest, put_known

_SWEEP = 2000
"""Old rows removed at once."""


class Conversations:
    """What was said, what it came to, and what waits for an answer."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def dialogue(self, requester: str, conversation_id: str) -> Dialogue:
        """The state of one conversation of one requester."""
        rows = self.store.read(
            "SELECT state FROM dialogue WHERE requester = ? AND conversation_id = ?",
            (requester, conversation_id),
        )
        return msgspec.json.decode(rows[0]["state"], type=Dialogue) if rows else Dialogue()

    def answered(self, turn_id: str) -> tuple[str, bytes, Answer] | None:
        """Who had this turn, the digest of what was said, and the answer."""
        rows = self.store.read(
            "SELECT requester, digest, answer FROM turn WHERE turn_id = ?", (turn_id,)
        )
        if not rows:
            return None
        answer = msgspec.json.decode(rows[0]["answer"], type=Answer)
        return rows[0]["requester"], rows[0]["digest"], answer

    async def keep(
        self,
        record: TurnRecord,
        digest: bytes,
        dialogue: Dialogue,
        learnt: Sequence[Known] = (),
    ) -> Answer:
        """Store a finished turn, its trace, the state it left and the names it learnt, at once."""
        answer = record.answer
        row = (
            record.turn_id,
            record.conversation_id,
            record.requester,
            record.channel,
            to_text(record.at),
            record.duration_ms,
            record.text,
            digest,
            msgspec.json.encode(answer),
        )
        entries = [_entry_row(entry) for entry in record.trace]

        def job(connection: sqlite3.Connection) -> Answer:
            connection.execute("INSERT INTO turn VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
            connection.executemany(
                "INSERT INTO trace VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", entries
            )
            put_dialogue(connection, record.requester, record.conversation_id, dialogue, record.at)
            if learnt:
                put_known(connection, learnt, record.at)
            return answer

        return await self.store.write(job)

    def turn(self, requester: str, turn_id: str | None) -> TurnRecord | None:
        """A turn with its trace; without an id, the newest of the requester."""
        where = "turn_id = ? AND requester = ?" if turn_id else "requester = ?"
        parameters = (turn_id, requester) if turn_id else (requester,)
        rows = self.store.read(
            f"SELECT * FROM turn WHERE {where} ORDER BY at DESC, rowid DESC LIMIT 1",  # noqa: S608 - the conditions are ours
            parameters,
        )
        if not rows:
            return None
        entries = self.store.read(
            "SELECT * FROM trace WHERE turn_id = ? ORDER BY sequence", (rows[0]["turn_id"],)
        )
        return _record(rows[0], [_entry(entry) for entry in entries])

    def turns(self, requester: str, conversation_id: str | None, limit: int) -> list[TurnRecord]:
        """Turns of a requester, newest first, without traces."""
        where = "requester = ?" + (" AND conversation_id = ?" if conversation_id else "")
        parameters = (requester, conversation_id) if conversation_id else (requester,)
        rows = self.store.read(
            f"SELECT * FROM turn WHERE {where} ORDER BY at DESC, rowid DESC LIMIT ?",  # noqa: S608 - the conditions are ours
            (*parameters, limit),
        )
        return [_record(row, []) for row in rows]

    async def forget(self, traces_before: datetime, turns_before: datetime) -> None:
        """Remove what is older than it is to be kept, a bounded piece at a time."""

        def job(connection: sqlite3.Connection) -> None:
            connection.execute(
                "DELETE FROM trace WHERE (turn_id, sequence) IN (SELECT turn_id, sequence"
                " FROM trace WHERE started_at < ? ORDER BY started_at LIMIT ?)",
                (to_text(traces_before), _SWEEP),
            )
            old = (to_text(turns_before), _SWEEP)
            connection.execute(
                "DELETE FROM turn WHERE rowid IN"
                " (SELECT rowid FROM turn WHERE at < ? ORDER BY at LIMIT ?)",
                old,
            )
            connection.execute(
                "DELETE FROM notification WHERE cursor IN"
                " (SELECT cursor FROM notification WHERE at < ? ORDER BY at LIMIT ?)",
                old,
            )
            connection.execute(
                "DELETE FROM watch WHERE closed IS NOT NULL AND execution_id IN"
                " (SELECT execution_id FROM watch WHERE created_at < ? LIMIT ?)",
                old,
            )
            drop_oldest(connection)

        await self.store.write(job)


def digest_of(text: str, conversation_id: str) -> bytes:
    """By which the same words in the same conversation are known again."""
    return sha256(f"{conversation_id}\0{text}".encode()).digest()


def put_dialogue(
    connection: sqlite3.Connection,
    requester: str,
    conversation_id: str,
    dialogue: Dialogue,
    at: datetime,
) -> None:
    """Replace the state of a conversation."""
    connection.execute(
        "INSERT OR REPLACE INTO dialogue VALUES (?, ?, ?, ?)",
        (requester, conversation_id, msgspec.json.encode(dialogue), to_text(at)),
    )


def _entry_row(entry: TraceEntry) -> Sequence[object]:
    return (
        entry.turn_id,
        entry.sequence,
        entry.correlation_id,
        entry.causation_id,
        entry.stage,
        entry.service,
        entry.operation,
        to_text(entry.started_at),
        entry.duration_ms,
        entry.status,
        entry.contract_version,
        entry.request_summary,
        entry.response_summary,
        entry.fallback_reason,
        entry.error_code,
    )


def _entry(row: sqlite3.Row) -> TraceEntry:
    values: dict[str, Any] = dict(row)
    return msgspec.convert(values | {"started_at": from_text(row["started_at"])}, TraceEntry)


def _record(row: sqlite3.Row, trace: list[TraceEntry]) -> TurnRecord:
    return TurnRecord(
        turn_id=row["turn_id"],
        conversation_id=row["conversation_id"],
        requester=row["requester"],
        channel=row["channel"],
        at=from_text(row["at"]),
        duration_ms=row["duration_ms"],
        text=row["text"],
        answer=msgspec.json.decode(row["answer"], type=Answer),
        trace=trace,
    )

"""Observations: appended once each, kept up to a bound per item."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta

import msgspec

from kit.clock import from_text, to_text
from praxis.domain.observation import Observation

DUPLICATES_KNOWN = timedelta(days=30)
"""How long a source's event id is remembered."""
_SWEEP = 8
"""At most this many forgotten event ids are removed with each new one."""


def known(connection: sqlite3.Connection, source: str, event_id: str) -> tuple[str, str] | None:
    """The observation and the item that a source's event became before."""
    row = connection.execute(
        "SELECT observation_id, item_id FROM received WHERE source = ? AND event_id = ?",
        (source, event_id),
    ).fetchone()
    return None if row is None else (row["observation_id"], row["item_id"])


def add(
    connection: sqlite3.Connection, item_id: str, observation: Observation, *, keep: bool
) -> None:
    """Remember the event, and keep the observation itself when asked to."""
    received_at = to_text(observation.received_at)
    connection.execute(
        "INSERT INTO received VALUES (?, ?, ?, ?, ?)",
        (
            observation.source,
            observation.event_id,
            observation.observation_id,
            item_id,
            received_at,
        ),
    )
    connection.execute(
        "DELETE FROM received WHERE (source, event_id) IN"
        " (SELECT source, event_id FROM received WHERE at < ? ORDER BY at LIMIT ?)",
        (to_text(observation.received_at - DUPLICATES_KNOWN), _SWEEP),
    )
    if not keep:
        return
    connection.execute(
        "INSERT INTO observation VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            observation.observation_id,
            item_id,
            observation.event_id,
            observation.kind,
            observation.state,
            observation.severity,
            observation.summary,
            msgspec.json.encode(observation.details).decode(),
            observation.entity_id,
            to_text(observation.observed_at),
            received_at,
            int(observation.is_look),
        ),
    )


def of_item(
    connection: sqlite3.Connection, item_id: str, source: str, key: str
) -> list[Observation]:
    """What is kept of an item, in the order it was observed."""
    rows = connection.execute(
        "SELECT * FROM observation WHERE item_id = ? ORDER BY observed_at, event_id", (item_id,)
    )
    return [
        Observation(
            observation_id=row["observation_id"],
            source=source,
            event_id=row["event_id"],
            key=key,
            kind=row["kind"],
            state=row["state"],
            severity=row["severity"],
            summary=row["summary"],
            observed_at=from_text(row["observed_at"]),
            received_at=from_text(row["received_at"]),
            entity_id=row["entity_id"],
            details=msgspec.json.decode(row["details"], type=dict[str, str]),
            is_look=bool(row["is_look"]),
        )
        for row in rows
    ]


def drop(connection: sqlite3.Connection, item_id: str, cut: datetime) -> None:
    """Let go of what has been settled."""
    connection.execute(
        "DELETE FROM observation WHERE item_id = ? AND observed_at <= ?", (item_id, to_text(cut))
    )

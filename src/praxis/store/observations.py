"""Observations: appended once each, kept up to a bound per item."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from datetime import datetime, timedelta

import msgspec

from kit.clock import from_text, to_text
from praxis.domain.observation import Observation

DUPLICATES_KNOWN = timedelta(days=30)
"""How long a source's event id is remembered."""
_STRETCH = 5000
"""So many remembered events are gone through at a time."""


class _More(msgspec.Struct, frozen=True, omit_defaults=True):
    """What few observations have."""

    subject: str = ""
    group: str = ""
    link: str = ""
    weight: int = 0


_NO_MORE = _More()
_encode = msgspec.json.Encoder().encode
_more = msgspec.json.Decoder(_More)


def known(connection: sqlite3.Connection, source: str, event_id: str) -> tuple[str, str] | None:
    """The observation and the item that a source's event became before."""
    row = connection.execute(
        "SELECT observation_id, item_id FROM received WHERE source = ? AND event_id = ?",
        (source, event_id),
    ).fetchone()
    return None if row is None else (row["observation_id"], row["item_id"])


def add(connection: sqlite3.Connection, seen: Iterable[tuple[str, Observation]]) -> None:
    """Keep observations, each with the item it is of."""
    connection.executemany(
        "INSERT INTO observation (observation_id, item_id, event_id, kind, state, severity,"
        " summary, details, entity_id, observed_at, received_at, is_look, more)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                observation.observation_id,
                item_id,
                observation.event_id,
                observation.kind,
                observation.state,
                observation.severity,
                observation.summary,
                _text(observation.details) if observation.details else "{}",
                observation.entity_id,
                to_text(observation.observed_at),
                to_text(observation.received_at),
                observation.is_look,
                _more_of(observation),
            )
            for item_id, observation in seen
        ],
    )


def _more_of(observation: Observation) -> str | None:
    more = _More(observation.subject, observation.group, observation.link, observation.weight)
    return None if more == _NO_MORE else _text(more)


def receive(connection: sqlite3.Connection, item_id: str, observation: Observation) -> None:
    """Remember the event of its source, so that it counts once."""
    connection.execute(
        "INSERT INTO received VALUES (?, ?, ?, ?, ?)",
        (
            observation.source,
            observation.event_id,
            observation.observation_id,
            item_id,
            to_text(observation.received_at),
        ),
    )


def sweep(connection: sqlite3.Connection, now: datetime, after: tuple[str, str]) -> tuple[str, str]:
    """Let go of events that need not be remembered any longer, a stretch at a time.

    Args:
        connection: the database.
        now: the present time.
        after: source and event id where the last stretch ended; empty ones begin anew.

    Returns:
        Where this stretch ended.
    """
    rows = connection.execute(
        "SELECT source, event_id, at FROM received WHERE (source, event_id) > (?, ?)"
        " ORDER BY source, event_id LIMIT ?",
        (*after, _STRETCH),
    ).fetchall()
    oldest = to_text(now - DUPLICATES_KNOWN)
    connection.executemany(
        "DELETE FROM received WHERE source = ? AND event_id = ?",
        [(row["source"], row["event_id"]) for row in rows if row["at"] < oldest],
    )
    return (rows[-1]["source"], rows[-1]["event_id"]) if len(rows) == _STRETCH else ("", "")


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
            **msgspec.structs.asdict(
                _NO_MORE if row["more"] is None else _more.decode(row["more"])
            ),
        )
        for row in rows
    ]


def drop(connection: sqlite3.Connection, item_id: str, cut: datetime) -> int:
    """Let go of what has been settled; returns how many."""
    return connection.execute(
        "DELETE FROM observation WHERE item_id = ? AND observed_at <= ?", (item_id, to_text(cut))
    ).rowcount


def _text(value: object) -> str:
    return _encode(value).decode()

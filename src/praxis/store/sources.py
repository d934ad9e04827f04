"""Sources: kept in SQLite, and in memory with what was heard since."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta

import msgspec
from msgspec.structs import replace

from kit.clock import from_text, to_text
from kit.store import Store
from praxis.contract import HealthCheck, Look
from praxis.domain.freshness import KnownSource
from praxis.domain.observation import Observation

_MAY_WAIT = timedelta(seconds=5)
"""How much older the word on disk may be than the last one heard."""


_look: msgspec.json.Decoder[Look] = msgspec.json.Decoder(Look)


class SourceBook:
    """Every source and the newest word of each.

    A word that changes nothing is only remembered; `unwritten` are the sources whose memory is
    newer than the disk. After a restart no more is known than was written.
    """

    def __init__(self, store: Store) -> None:
        rows = store.read("SELECT * FROM source")
        self._sources = {row["source"]: _source(row) for row in rows}
        self._heard: dict[str, datetime] = {}
        self._healthy: dict[str, Observation] = {}
        self._unwritten: set[str] = set()
        self._on_disk = dict(self._sources)

    def all(self) -> list[KnownSource]:
        """Every source, by name."""
        return [self._sources[name] for name in sorted(self._sources)]

    def get(self, name: str) -> KnownSource | None:
        """One source."""
        return self._sources.get(name)

    def heard_at(self, name: str) -> datetime | None:
        """When this process last heard of it, whatever it heard."""
        return self._heard.get(name)

    def hear(self, name: str, at: datetime) -> None:
        """It has been heard of."""
        self._heard[name] = at

    def put(self, source: KnownSource, healthy: Observation | None = None) -> None:
        """This is how the source stands now; `healthy` is a word that need not be written."""
        self._sources[source.source] = source
        self._unwritten.add(source.source)
        if healthy is not None and healthy.shows_health:
            self._healthy[source.source] = healthy

    def written(self, source: KnownSource) -> None:
        """This state of it is on disk."""
        self._on_disk[source.source] = source
        if self._sources.get(source.source) is source:
            self._unwritten.discard(source.source)

    def is_news(self, source: KnownSource) -> bool:
        """Whether this state of it must be written with what it told, and not in a while."""
        known = self._on_disk.get(source.source)
        if known is None or known.last_observed_at is None or source.last_observed_at is None:
            return True
        return (
            source.last_observed_at - known.last_observed_at >= _MAY_WAIT
            or source.last_state != known.last_state
            or source.named_entity_id != known.named_entity_id
        )

    def unwritten(self) -> list[KnownSource]:
        """The sources whose memory is newer than the disk."""
        return [self._sources[name] for name in sorted(self._unwritten)]

    def forget(self, name: str) -> None:
        """It is no longer known."""
        self._sources.pop(name, None)
        self._heard.pop(name, None)
        self._unwritten.discard(name)
        self._on_disk.pop(name, None)

    def healthy_since(self, entity_id: str, at: datetime) -> list[Observation]:
        """Words, written or not, that show an entity healthy after an instant."""
        return [
            each
            for each in self._healthy.values()
            if self._sources[each.source].entity_id == entity_id and each.observed_at > at
        ]


def after(source: KnownSource, observation: Observation) -> KnownSource:
    """The source once it has said this; an older word than its last changes nothing."""
    last = source.last_observed_at
    if last is not None and observation.observed_at < last:
        return source
    same = observation.state == source.last_state and source.last_change_at is not None
    # A source without an entity of its own goes on being about the one it named.
    before = None if source.entity_id else source.named_entity_id
    return replace(
        source,
        named_entity_id=observation.entity_id or before,
        last_observed_at=observation.observed_at,
        last_state=observation.state,
        last_severity=observation.severity,
        last_change_at=source.last_change_at if same else observation.observed_at,
    )


def save(connection: sqlite3.Connection, source: KnownSource) -> None:
    """Write a source as it is."""
    check = source.health_check
    connection.execute(
        "INSERT OR REPLACE INTO source VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            source.source,
            source.kind,
            source.entity_id,
            source.expected_every_s,
            None if check is None else msgspec.json.encode(check).decode(),
            to_text(source.registered_at),
            _text(source.last_observed_at),
            source.last_state,
            source.last_severity,
            _text(source.last_change_at),
            source.instance_id,
            _text(source.instance_started_at),
            int(source.is_stale),
            source.named_entity_id,
            None if source.look is None else msgspec.json.encode(source.look).decode(),
        ),
    )


def delete(connection: sqlite3.Connection, name: str) -> None:
    """Know it no longer."""
    connection.execute("DELETE FROM source WHERE source = ?", (name,))


def entity_of(connection: sqlite3.Connection, name: str) -> str | None:
    """The entity a source was registered for."""
    row = connection.execute("SELECT entity_id FROM source WHERE source = ?", (name,)).fetchone()
    return None if row is None else row["entity_id"]


def _text(at: datetime | None) -> str | None:
    return None if at is None else to_text(at)


def _time(text: str | None) -> datetime | None:
    return None if text is None else from_text(text)


def _source(row: sqlite3.Row) -> KnownSource:
    check = row["health_check"]
    return KnownSource(
        source=row["source"],
        kind=row["kind"],
        entity_id=row["entity_id"],
        expected_every_s=row["expected_every_s"],
        health_check=None if check is None else msgspec.json.decode(check, type=HealthCheck),
        registered_at=from_text(row["registered_at"]),
        last_observed_at=_time(row["last_observed_at"]),
        last_state=row["last_state"],
        last_severity=row["last_severity"],
        last_change_at=_time(row["last_change_at"]),
        instance_id=row["instance_id"],
        instance_started_at=_time(row["instance_started_at"]),
        is_stale=bool(row["is_stale"]),
        named_entity_id=row["named_entity_id"],
        look=None if row["look"] is None else _look.decode(row["look"]),
    )

"""Doors of sources, and the deliveries that did not fit their dialect, up to a bound."""

from __future__ import annotations

import secrets
import sqlite3
from dataclasses import dataclass
from datetime import datetime

import msgspec

from kit import redact
from kit.clock import from_text, to_text
from kit.errors import NotFound
from kit.store import Store
from kit.zones import zone_of
from praxis.contract import Deliver, ListRejected, Rejected, RejectedList

_KEPT_EACH = 200
"""Rejected deliveries kept of one source; the oldest go first."""
_EXCERPT = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """Where a source delivers in its own dialect."""

    source: str
    dialect: str
    token: str
    secret: str | None = None
    zone: str = "UTC"

    @property
    def path(self) -> str:
        """What follows the address of the listener."""
        return f"/in/{self.token}"


def new_token() -> str:
    """What stands in the path of a door and nobody can guess."""
    return secrets.token_urlsafe(24)


class Doors:
    """Every door, in memory as well."""

    def __init__(self, store: Store) -> None:
        self._by_source = {
            row["source"]: Door(
                source=row["source"],
                dialect=row["dialect"],
                token=row["token"],
                secret=row["secret"],
                zone=row["zone"],
            )
            for row in store.read("SELECT * FROM door")
        }
        for zone in {"UTC", *(door.zone for door in self._by_source.values())}:
            zone_of(zone)

    def of(self, source: str) -> Door | None:
        """The door of a source."""
        return self._by_source.get(source)

    def at(self, token: str) -> Door | None:
        """The door with this token; how long the look takes tells nothing of the others."""
        found = None
        for door in self._by_source.values():
            if secrets.compare_digest(door.token.encode(), token.encode(errors="replace")):
                found = door
        return found

    def put(self, door: Door) -> None:
        """This is the door of its source now."""
        self._by_source[door.source] = door


def save_door(connection: sqlite3.Connection, door: Door) -> None:
    """Write a door as it is."""
    connection.execute(
        "INSERT OR REPLACE INTO door VALUES (?, ?, ?, ?, ?)",
        (door.source, door.dialect, door.token, door.secret, door.zone),
    )


def keep_rejected(
    connection: sqlite3.Connection,
    rejected_id: str,
    delivery: Deliver,
    why: str,
    field: str,
    now: datetime,
) -> None:
    """Keep a delivery that did not fit, and let go of the oldest beyond the bound."""
    connection.execute(
        "INSERT INTO rejected VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            rejected_id,
            delivery.source,
            delivery.dialect,
            to_text(now),
            why,
            field,
            delivery.method,
            delivery.path,
            msgspec.json.encode(delivery.query).decode(),
            msgspec.json.encode(delivery.headers).decode(),
            delivery.body,
        ),
    )
    connection.execute(
        "DELETE FROM rejected WHERE rejected_id IN (SELECT rejected_id FROM rejected"
        " WHERE source = ? ORDER BY at DESC LIMIT -1 OFFSET ?)",
        (delivery.source, _KEPT_EACH),
    )


def forget_rejected(connection: sqlite3.Connection, rejected_id: str) -> None:
    """It fits by now, and was taken."""
    connection.execute("DELETE FROM rejected WHERE rejected_id = ?", (rejected_id,))


class RejectedReader:
    """Reads the deliveries that did not fit."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def list(self, request: ListRejected) -> RejectedList:
        """They, the newest first."""
        rows = self._store.read(
            "SELECT rejected_id, source, dialect, at, why, field, length(body) AS size,"
            " coalesce(substr(body, 1, 2000), x'') AS beginning FROM rejected"
            " WHERE source = coalesce(?, source) ORDER BY at DESC LIMIT ?",
            (request.source, request.limit),
        )
        total = self._store.read(
            "SELECT count(*) FROM rejected WHERE source = coalesce(?, source)", (request.source,)
        )[0][0]
        return RejectedList([_rejected(row) for row in rows], total)

    def get(self, rejected_id: str) -> Deliver:
        """One of them, as it came.

        Raises:
            NotFound: There is none of this id.
        """
        rows = self._store.read("SELECT * FROM rejected WHERE rejected_id = ?", (rejected_id,))
        if not rows:
            raise NotFound(f"There is no rejected delivery {rejected_id}.", field="rejected_id")
        row = rows[0]
        return Deliver(
            source=row["source"],
            dialect=row["dialect"],
            body=row["body"],
            headers=msgspec.json.decode(row["headers"], type=dict[str, str]),
            method=row["method"],
            path=row["path"],
            query=msgspec.json.decode(row["query"], type=dict[str, str]),
        )


def _rejected(row: sqlite3.Row) -> Rejected:
    return Rejected(
        rejected_id=row["rejected_id"],
        source=row["source"],
        dialect=row["dialect"],
        at=from_text(row["at"]),
        why=row["why"],
        field=row["field"],
        excerpt=redact.text(bytes(row["beginning"]).decode(errors="replace"), _EXCERPT),
        size=row["size"],
    )

"""Items as they are kept: the fold of their observations, and beside it the last decision."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import msgspec

from kit.clock import from_text, to_text
from kit.errors import NotFound
from kit.store import Store
from praxis.contract import Attention, Evidence, Item, ListItems, Ranked
from praxis.domain.attention import because, is_listed, rank
from praxis.domain.item import Decision, Facts, attention_of
from praxis.domain.reconcile import Base
from praxis.store import executions


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """One item, or one key that has told of no trouble yet."""

    item_id: str
    source: str
    key: str
    base: Base
    facts: Facts
    version: int
    evidence: list[Evidence]
    entity_id: str | None = None
    """The one it names, or else its source's."""
    decision: Decision | None = None
    was_resolved: bool = False
    """A person called it resolved once."""
    is_stale: bool = False

    @property
    def attention(self) -> Attention:
        """Where it stands with people."""
        return attention_of(self.facts, self.decision)


_DECIDED = (
    "SELECT *, EXISTS (SELECT 1 FROM decision WHERE item_id = :item AND attention = 'resolved')"
    " AS was_resolved FROM decision WHERE item_id = :item ORDER BY sequence DESC LIMIT 1"
)


def load(connection: sqlite3.Connection, item_id: str) -> Kept:
    """One item, for a change.

    Raises:
        NotFound: There is none of this id.
    """
    row = connection.execute("SELECT * FROM item WHERE item_id = ?", (item_id,)).fetchone()
    if row is None:
        raise NotFound(f"There is no item {item_id}.", field="item_id")
    decided = connection.execute(_DECIDED, {"item": item_id}).fetchone()
    return _kept(row, decided)


def find(connection: sqlite3.Connection, source: str, key: str) -> Kept | None:
    """The item a source means by a key."""
    row = connection.execute(
        "SELECT item_id FROM item WHERE source = ? AND key = ?", (source, key)
    ).fetchone()
    return None if row is None else load(connection, row["item_id"])


def save(connection: sqlite3.Connection, kept: Kept) -> None:
    """Write an item with everything that follows from it."""
    facts, attention = kept.facts, kept.attention
    lapses_at = facts.recover_by if facts.awaiting and facts.lapsed_at is None else None
    values = {
        "item_id": kept.item_id,
        "source": kept.source,
        "key": kept.key,
        "base": _text(kept.base),
        "facts": _text(facts),
        "evidence": _text(kept.evidence),
        "version": kept.version,
        "stale": int(kept.is_stale),
        "kind": facts.kind,
        "entity_id": kept.entity_id,
        "episodes": facts.episodes,
        "operational": facts.operational,
        "attention": attention,
        "awaiting": facts.awaiting,
        "lapses_at": _when(lapses_at),
        "recovered_at": _when(facts.recovered_at),
        "first_seen": _when(facts.first_seen),
        "last_seen": _when(facts.last_seen),
        "listed": int(is_listed(facts, attention)),
        "rank": rank(facts, attention, stale=kept.is_stale),
    }
    columns, named = ", ".join(values), ", ".join(f":{name}" for name in values)
    updates = ", ".join(f"{name} = excluded.{name}" for name in values)
    connection.execute(
        f"INSERT INTO item ({columns}) VALUES ({named})"  # noqa: S608 - our own names
        f" ON CONFLICT (item_id) DO UPDATE SET {updates}",
        values,
    )


def add_decision(
    connection: sqlite3.Connection,
    item_id: str,
    decision: Decision,
    *,
    requester: str,
    channel: str,
    note: str,
) -> None:
    """Write down what a person decided, who they are, and from where."""
    connection.execute(
        "INSERT INTO decision (item_id, attention, at, basis, severity, requester, channel, note)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            item_id,
            decision.attention,
            to_text(decision.at),
            to_text(decision.basis),
            decision.severity,
            requester,
            channel,
            note,
        ),
    )


def view(connection: sqlite3.Connection, kept: Kept) -> Item:
    """The item as others see it, inside a transaction."""
    return _view(kept, connection.execute(executions.OF_ITEM, (kept.item_id,)).fetchall())


class Items:
    """Reads items."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, item_id: str) -> Item | None:
        """One item."""
        rows = self._store.read("SELECT * FROM item WHERE item_id = ? AND episodes > 0", (item_id,))
        return self._view(self._kept(rows[0])) if rows else None

    def has_event(self, source: str, event_id: str) -> bool:
        """Whether a source has sent this already."""
        return bool(
            self._store.read(
                "SELECT 1 FROM received WHERE source = ? AND event_id = ?", (source, event_id)
            )
        )

    def attention(self, entity_ids: list[str], limit: int) -> tuple[list[Ranked], int]:
        """What needs attention, ranked, and how much there is of it."""
        where, parameters = _of_entities("listed = 1", entity_ids)
        rows = self._store.read(
            f"SELECT * FROM item WHERE {where}"  # noqa: S608 - the conditions are ours
            " ORDER BY rank, first_seen, item_id LIMIT ?",
            [*parameters, limit],
        )
        return [self._ranked(self._kept(row)) for row in rows], self._count(where, parameters)

    def list(self, request: ListItems) -> tuple[list[Item], int]:
        """Items, the newest first, and how many there are."""
        where, parameters = _of_entities("episodes > 0", request.entity_ids)
        for column, value in (
            ("operational", request.operational),
            ("attention", request.attention),
        ):
            if value is not None:
                where += f" AND {column} = ?"
                parameters.append(value)
        rows = self._store.read(
            f"SELECT * FROM item WHERE {where}"  # noqa: S608 - the conditions are ours
            " ORDER BY last_seen DESC, item_id DESC LIMIT ?",
            [*parameters, request.limit],
        )
        found = [self._view(self._kept(row)) for row in rows]
        return found, self._count(where, parameters)

    def needs_health(self, source: str, entity_id: str | None) -> bool:
        """Whether a healthy word of this source would change an item."""
        return bool(
            self._store.read(
                "SELECT 1 FROM item WHERE operational = 'active' AND source = ?"
                " UNION ALL SELECT 1 FROM item WHERE entity_id = ? AND operational = 'active'"
                " AND awaiting IS NOT NULL LIMIT 1",
                (source, entity_id),
            )
        )

    def overdue(self, horizon: datetime) -> list[str]:
        """Items whose wait for recovery has ended in vain and that do not say so yet."""
        rows = self._store.read(
            "SELECT item_id FROM item WHERE lapses_at <= ? ORDER BY lapses_at LIMIT 100",
            (to_text(horizon),),
        )
        return [row["item_id"] for row in rows]

    def _count(self, where: str, parameters: list[object]) -> int:
        counted = self._store.read(
            f"SELECT count(*) FROM item WHERE {where}",  # noqa: S608 - the conditions are ours
            parameters,
        )
        return int(counted[0][0])

    def _kept(self, row: sqlite3.Row) -> Kept:
        decided = self._store.read(_DECIDED, {"item": row["item_id"]})
        return _kept(row, decided[0] if decided else None)

    def _view(self, kept: Kept) -> Item:
        return _view(kept, self._store.read(executions.OF_ITEM, (kept.item_id,)))

    def _ranked(self, kept: Kept) -> Ranked:
        reasons = because(
            kept.facts, kept.attention, stale=kept.is_stale, was_resolved=kept.was_resolved
        )
        return Ranked(self._view(kept), reasons)


def _of_entities(where: str, entity_ids: list[str]) -> tuple[str, list[object]]:
    if not entity_ids:
        return where, []
    return f"{where} AND entity_id IN ({', '.join('?' * len(entity_ids))})", [*entity_ids]


def _view(kept: Kept, acts: Sequence[sqlite3.Row]) -> Item:
    facts = kept.facts
    if facts.first_seen is None or facts.last_seen is None:
        raise ValueError(f"{kept.item_id} has told of no trouble and is no item")
    return Item(
        item_id=kept.item_id,
        source=kept.source,
        key=kept.key,
        kind=facts.kind,
        entity_id=kept.entity_id,
        severity=facts.shown_severity,
        title=facts.title,
        operational=facts.operational,
        attention=kept.attention,
        first_seen=facts.first_seen,
        last_seen=facts.last_seen,
        count=facts.count,
        version=kept.version,
        stale=kept.is_stale,
        awaiting_recovery=facts.awaiting is not None,
        recover_by=facts.recover_by,
        recovered_at=facts.recovered_at,
        active_since=facts.episode_at if facts.is_active else None,
        episodes=facts.episodes,
        evidence=kept.evidence,
        executions=executions.newest_states(acts),
    )


def _kept(row: sqlite3.Row, decided: sqlite3.Row | None) -> Kept:
    return Kept(
        item_id=row["item_id"],
        source=row["source"],
        key=row["key"],
        base=msgspec.json.decode(row["base"], type=Base),
        facts=msgspec.json.decode(row["facts"], type=Facts),
        version=row["version"],
        evidence=msgspec.json.decode(row["evidence"], type=list[Evidence]),
        entity_id=row["entity_id"],
        decision=None if decided is None else _decision(decided),
        was_resolved=decided is not None and bool(decided["was_resolved"]),
        is_stale=bool(row["stale"]),
    )


def _decision(row: sqlite3.Row) -> Decision:
    return Decision(
        attention=row["attention"],
        at=from_text(row["at"]),
        basis=from_text(row["basis"]),
        severity=row["severity"],
    )


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _when(at: datetime | None) -> str | None:
    return None if at is None else to_text(at)

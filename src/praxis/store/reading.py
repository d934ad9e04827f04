"""Read items: what needs attention, what is set aside, one item with its evidence."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from datetime import datetime

import msgspec

from kit.clock import from_text, to_text
from kit.store import Store
from praxis.contract import Evidence, Ignoring, Item, LinkedExecution, ListItems, Ranked
from praxis.domain.attention import because
from praxis.store import executions
from praxis.store.items import Kept, kept_of

_EVIDENCE = 20
"""Reports shown with one item."""
_EVIDENCE_IN_LISTS = 3
_EVIDENCE_OF = (
    "SELECT item_id, observed_at, state, summary, details FROM json_each(?) AS asked"
    " CROSS JOIN observation ON sequence IN (SELECT sequence FROM observation AS newest"
    " WHERE newest.item_id = asked.value ORDER BY observed_at DESC, event_id DESC LIMIT ?)"
    " ORDER BY observed_at, event_id"
)
_EXECUTIONS_OF = (
    "SELECT item_execution.item_id AS of_item, execution.* FROM json_each(?) AS asked"
    " CROSS JOIN item_execution ON item_execution.item_id = asked.value"
    " CROSS JOIN execution USING (execution_id) ORDER BY execution.at, execution.execution_id"
)
_MOST_LOOKED_AT = 2000
"""Items looked at to find enough that are of different causes, and counted with them."""

_details = msgspec.json.Decoder(dict[str, str])


class Items:
    """Reads items; nothing here writes."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, item_id: str) -> Item | None:
        """One item."""
        rows = self._store.read("SELECT * FROM item WHERE item_id = ? AND episodes > 0", (item_id,))
        found = self._views([kept_of(row) for row in rows], _EVIDENCE)
        return found[0] if found else None

    def has_event(self, source: str, event_id: str) -> bool:
        """Whether a source has sent this already."""
        return bool(
            self._store.read(
                "SELECT 1 FROM received WHERE source = ? AND event_id = ?", (source, event_id)
            )
        )

    def is_active(self, source: str, key: str) -> bool:
        """Whether the item a source means by a key goes on."""
        return bool(
            self._store.read(
                "SELECT 1 FROM item WHERE source = ? AND key = ? AND operational = 'active'",
                (source, key),
            )
        )

    def attention(
        self, entity_ids: list[str], limit: int, *, together: bool = False
    ) -> tuple[list[Ranked], int]:
        """What needs attention, ranked, and how much there is of it.

        Args:
            entity_ids: only of these; empty means of any.
            limit: how many lines.
            together: put items of one cause on one line.
        """
        where, parameters = _of_entities("listed = 1", entity_ids)
        rows = self._store.read(
            f"SELECT * FROM item WHERE {where}"  # noqa: S608 - the conditions are ours
            " ORDER BY rank, first_seen, item_id LIMIT ?",
            [*parameters, _MOST_LOOKED_AT if together else limit],
        )
        alike: Counter[str] = Counter()
        if together:
            alike = Counter(row["cause"] for row in rows if row["cause"] is not None)
            rows = _first_of_each_cause(rows, limit)
        keeps = [kept_of(row) for row in rows]
        views = self._views(keeps, _EVIDENCE_IN_LISTS)
        ranked = [
            Ranked(view, _reasons(kept), max(1, alike[row["cause"]]))
            for kept, view, row in zip(keeps, views, rows, strict=True)
        ]
        return ranked, self._count(where, parameters)

    def aside(self, entity_ids: list[str], limit: int) -> list[Item]:
        """What goes on though a person set it aside, the newest first."""
        where, parameters = _of_entities("aside = 1", entity_ids)
        rows = self._store.read(
            f"SELECT * FROM item WHERE {where}"  # noqa: S608 - the conditions are ours
            " ORDER BY last_seen DESC LIMIT ?",
            [*parameters, limit],
        )
        return self._views([kept_of(row) for row in rows], _EVIDENCE_IN_LISTS)

    def list(self, request: ListItems) -> tuple[list[Item], int]:
        """Items, the newest first, and how many there are."""
        where, parameters = _of_entities("episodes > 0", request.entity_ids)
        for column, value in (
            ("operational", request.operational),
            ("attention", request.attention),
            ("source", request.source),
        ):
            if value is not None:
                where += f" AND {column} = ?"
                parameters.append(value)
        if request.before is not None:
            where += " AND last_seen < ?"
            parameters.append(to_text(request.before))
        rows = self._store.read(
            f"SELECT * FROM item WHERE {where}"  # noqa: S608 - the conditions are ours
            " ORDER BY last_seen DESC, item_id DESC LIMIT ?",
            [*parameters, request.limit],
        )
        found = self._views([kept_of(row) for row in rows], _EVIDENCE_IN_LISTS)
        return found, self._count(where, parameters)

    def these(self, item_ids: Sequence[str]) -> list[Item]:
        """These items, in this order."""
        rows = self._store.read(
            "SELECT item.* FROM json_each(?) AS asked CROSS JOIN item ON item_id = asked.value"
            " WHERE episodes > 0 ORDER BY asked.key",
            (_json(item_ids),),
        )
        return self._views([kept_of(row) for row in rows], _EVIDENCE_IN_LISTS)

    def needs_health(self, source: str, key: str, entity_id: str | None) -> bool:
        """Whether a healthy word of this source about this key would change an item."""
        return bool(
            self._store.read(
                "SELECT 1 FROM item WHERE operational = 'active' AND source = ? AND key = ?"
                " UNION ALL SELECT 1 FROM item WHERE entity_id = ? AND operational = 'active'"
                " AND awaiting IS NOT NULL LIMIT 1",
                (source, key, entity_id),
            )
        )

    def due(self, horizon: datetime) -> list[str]:
        """Items that time alone has changed and that do not say so yet."""
        rows = self._store.read(
            "SELECT item_id FROM item WHERE due_at <= ? ORDER BY due_at LIMIT 100",
            (to_text(horizon),),
        )
        return [row["item_id"] for row in rows]

    def unmapped(self, before: datetime) -> list[tuple[str, str]]:
        """Items without an entity whose subject Nexus was not asked about since then."""
        rows = self._store.read(
            "SELECT item_id, subject FROM item WHERE entity_id IS NULL AND subject > ''"
            " AND (mapped_at IS NULL OR mapped_at < ?) AND episodes > 0 LIMIT 50",
            (to_text(before),),
        )
        return [(row["item_id"], row["subject"]) for row in rows]

    def _count(self, where: str, parameters: list[object]) -> int:
        counted = self._store.read(
            f"SELECT count(*) FROM item WHERE {where}",  # noqa: S608 - the conditions are ours
            parameters,
        )
        return int(counted[0][0])

    def _views(self, keeps: Sequence[Kept], evidence: int) -> list[Item]:
        ids = _json([kept.item_id for kept in keeps])
        acts = self._store.read(_EXECUTIONS_OF, (ids,)) if keeps else []
        seen = self._store.read(_EVIDENCE_OF, (ids, evidence)) if keeps else []
        return _with_all(keeps, acts, seen)


def view(connection: sqlite3.Connection, kept: Kept) -> Item:
    """The item as others see it, inside a transaction."""
    ids = _json([kept.item_id])
    acts = connection.execute(_EXECUTIONS_OF, (ids,)).fetchall()
    seen = connection.execute(_EVIDENCE_OF, (ids, _EVIDENCE)).fetchall()
    return _with_all([kept], acts, seen)[0]


def _with_all(
    keeps: Sequence[Kept], acts: Sequence[sqlite3.Row], seen: Sequence[sqlite3.Row]
) -> list[Item]:
    evidence: dict[str, list[Evidence]] = {}
    for row in seen:
        evidence.setdefault(row["item_id"], []).append(
            Evidence(
                at=from_text(row["observed_at"]),
                state=row["state"],
                summary=row["summary"],
                details=_details.decode(row["details"]),
            )
        )
    done: dict[str, list[sqlite3.Row]] = {}
    for row in acts:
        done.setdefault(row["of_item"], []).append(row)
    return [
        _view(
            kept,
            evidence.get(kept.item_id, []),
            executions.newest_states(done.get(kept.item_id, [])),
        )
        for kept in keeps
    ]


def _view(kept: Kept, evidence: list[Evidence], done: list[LinkedExecution]) -> Item:
    facts, ignored = kept.facts, kept.standing.ignored
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
        subject=facts.subject,
        group=facts.group,
        link=facts.link,
        ignored=None if ignored is None else Ignoring(ignored.at, ignored.ends, ignored.until),
        pinned=kept.standing.is_pinned,
        flapping=facts.is_flapping,
        flaps=facts.flaps,
        evidence=evidence,
        executions=done,
    )


def _reasons(kept: Kept) -> list[str]:
    return because(
        kept.facts,
        kept.attention,
        stale=kept.is_stale,
        was_resolved=kept.standing.was_resolved,
        pinned=kept.standing.is_pinned,
    )


def _first_of_each_cause(rows: Sequence[sqlite3.Row], limit: int) -> list[sqlite3.Row]:
    seen: set[str] = set()
    first: list[sqlite3.Row] = []
    for row in rows:
        cause = row["cause"]
        if cause in seen:
            continue
        if cause is not None:
            seen.add(cause)
        first.append(row)
        if len(first) == limit:
            break
    return first


def _of_entities(where: str, entity_ids: list[str]) -> tuple[str, list[object]]:
    if not entity_ids:
        return where, []
    return f"{where} AND entity_id IN ({', '.join('?' * len(entity_ids))})", [*entity_ids]


def _json(values: Sequence[str]) -> str:
    return msgspec.json.encode(values).decode()

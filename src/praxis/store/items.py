"""Items as they are kept: the fold of their observations, and beside it what people decided."""

from __future__ import annotations

import sqlite3
from datetime import datetime

import msgspec

from kit.clock import to_text
from kit.errors import NotFound
from praxis.contract import Attention
from praxis.domain.attention import is_listed, rank
from praxis.domain.item import Facts
from praxis.domain.reconcile import Base
from praxis.domain.standing import Decision, Ignored, Standing, Verb, attention_of

_NO_FACTS = Facts()
_NOTHING = Base(_NO_FACTS)
_UNDECIDED = Standing()


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """One item, or one key that has told of no trouble yet."""

    item_id: str
    source: str
    key: str
    base: Base = _NOTHING
    facts: Facts = _NO_FACTS
    version: int = 0
    observations: int = 0
    """How many of its observations are kept."""
    entity_id: str | None = None
    """The one it names, or else its source's, or else the one Nexus knows by its subject."""
    mapped_id: str | None = None
    mapped_at: str | None = None
    """When Nexus was last asked about its subject."""
    standing: Standing = _UNDECIDED
    is_stale: bool = False

    @property
    def attention(self) -> Attention:
        """Where it stands with people."""
        return attention_of(self.facts, self.standing)

    @property
    def is_aside(self) -> bool:
        """Whether it goes on and a person set it aside."""
        is_done = self.attention == "resolved" and self.facts.awaiting is None
        return self.facts.is_active and (is_done or self.standing.ignored is not None)


_COLUMNS = (
    *("item_id", "source", "key", "base", "facts", "standing", "observations", "version", "stale"),
    *("mapped_id", "mapped_at", "kind", "entity_id", "cause", "subject", "episodes"),
    *("operational", "attention", "awaiting", "due_at", "recovered_at", "first_seen", "last_seen"),
    *("listed", "aside", "rank"),
)
_SAVE = (
    f"INSERT INTO item ({', '.join(_COLUMNS)})"  # noqa: S608 - our own names
    f" VALUES ({', '.join('?' * len(_COLUMNS))}) ON CONFLICT (item_id) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in _COLUMNS[3:])
)
_facts = msgspec.json.Decoder(Facts)
_base = msgspec.json.Decoder(Base)
_standing = msgspec.json.Decoder(Standing)
_encode = msgspec.json.Encoder().encode
_NO_STANDING = "{}"


def load(connection: sqlite3.Connection, item_id: str) -> Kept:
    """One item, for a change.

    Raises:
        NotFound: There is none of this id.
    """
    row = connection.execute("SELECT * FROM item WHERE item_id = ?", (item_id,)).fetchone()
    if row is None:
        raise NotFound(f"There is no item {item_id}.", field="item_id")
    return kept_of(row)


def find(connection: sqlite3.Connection, source: str, key: str) -> Kept | None:
    """The item a source means by a key."""
    row = connection.execute(
        "SELECT * FROM item WHERE source = ? AND key = ?", (source, key)
    ).fetchone()
    return None if row is None else kept_of(row)


def save(connection: sqlite3.Connection, kept: Kept) -> None:
    """Write an item with everything that follows from it."""
    facts, standing, attention = kept.facts, kept.standing, kept.attention
    is_ignored = standing.ignored is not None
    connection.execute(
        _SAVE,
        (
            kept.item_id,
            kept.source,
            kept.key,
            None if kept.base is _NOTHING else _text(kept.base),
            _text(facts),
            _text(standing),
            kept.observations,
            kept.version,
            kept.is_stale,
            kept.mapped_id,
            kept.mapped_at,
            facts.kind,
            kept.entity_id,
            f"{kept.source}:{facts.group}" if facts.group else kept.entity_id,
            facts.subject,
            facts.episodes,
            facts.operational,
            attention,
            facts.awaiting,
            _when(_due(facts, standing)),
            _when(facts.recovered_at),
            _when(facts.first_seen),
            _when(facts.last_seen),
            is_listed(facts, attention, ignored=is_ignored),
            kept.is_aside,
            rank(facts, attention, stale=kept.is_stale, pinned=standing.is_pinned),
        ),
    )


def save_more(connection: sqlite3.Connection, kept: Kept) -> None:
    """Write an item of which only more of the same was told."""
    connection.execute(
        "UPDATE item SET facts = ?, observations = ?, last_seen = ? WHERE item_id = ?",
        (_text(kept.facts), kept.observations, _when(kept.facts.last_seen), kept.item_id),
    )


def kept_of(row: sqlite3.Row) -> Kept:
    """The item in a row."""
    base, standing = row["base"], row["standing"]
    return Kept(
        item_id=row["item_id"],
        source=row["source"],
        key=row["key"],
        base=_NOTHING if base is None else _base.decode(base),
        facts=_facts.decode(row["facts"]),
        version=row["version"],
        observations=row["observations"],
        entity_id=row["entity_id"],
        mapped_id=row["mapped_id"],
        mapped_at=row["mapped_at"],
        standing=_UNDECIDED if standing == _NO_STANDING else _standing.decode(standing),
        is_stale=bool(row["stale"]),
    )


def add_decision(
    connection: sqlite3.Connection,
    kept: Kept,
    verb: Verb,
    at: datetime,
    *,
    requester: str,
    channel: str,
    note: str,
) -> None:
    """Write down what a person decided, what they could know, who they are, and from where."""
    facts, ignored = kept.facts, kept.standing.ignored
    how: Decision | Ignored | None = ignored if verb == "ignore" else kept.standing.decision
    connection.execute(
        "INSERT INTO decision (item_id, verb, at, basis, severity, requester, channel, note, ends,"
        " until) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            kept.item_id,
            verb,
            to_text(at),
            to_text(at if how is None else how.basis),
            facts.shown_severity,
            requester,
            channel,
            note,
            ignored.ends if verb == "ignore" and ignored else None,
            _when(ignored.until) if verb == "ignore" and ignored else None,
        ),
    )


def _due(facts: Facts, standing: Standing) -> datetime | None:
    """When time alone will change it: a wait ends, a calm is believed, an ignoring is over."""
    lapses_at = facts.recover_by if facts.awaiting and facts.lapsed_at is None else None
    until = None if standing.ignored is None else standing.ignored.until
    moments = [each for each in (lapses_at, facts.calm_at, until) if each is not None]
    return min(moments, default=None)


def _text(value: object) -> str:
    return _encode(value).decode()


def _when(at: datetime | None) -> str | None:
    return None if at is None else to_text(at)

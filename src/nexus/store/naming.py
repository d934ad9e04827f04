"""Aliases of an entity: added, confirmed and taken back."""

from __future__ import annotations

import json
from collections.abc import Sequence

from kit.errors import FailedPrecondition, NotFound
from nexus.contract import AliasLanguage, Origin
from nexus.store.writing import Change

_MEMBERS = "(SELECT ?1 UNION ALL SELECT entity_id FROM entity WHERE successor = ?1)"


def add_alias(change: Change, text: str, language: AliasLanguage, origin: Origin) -> None:
    """Let somebody vouch for a name; one that was rejected counts again."""
    change.connection.execute(
        "INSERT INTO alias (entity_id, text, origin, language, state, requester, at)"
        " VALUES (?, ?, ?, ?, 'active', ?, ?) ON CONFLICT DO UPDATE SET state = 'active',"
        " language = CASE excluded.language WHEN 'und' THEN language ELSE excluded.language END,"
        " requester = excluded.requester, at = excluded.at, catalog = NULL"
        " WHERE state != 'active' OR catalog IS NOT NULL"
        " OR excluded.language NOT IN ('und', language)",
        (change.entity_id, text, origin, language, change.author.requester, change.author.at),
    )


def declare_aliases(change: Change, texts: Sequence[str], catalog: str) -> None:
    """Add the names a catalog lists; one that a person rejected stays rejected."""
    author = change.author
    change.connection.executemany(
        "INSERT INTO alias (entity_id, text, origin, language, state, requester, at, catalog)"
        " VALUES (?, ?, 'imported', 'und', 'active', ?, ?, ?) ON CONFLICT DO NOTHING",
        [(change.entity_id, text, author.requester, author.at, catalog) for text in texts],
    )


def withdraw_aliases(change: Change, texts: Sequence[str], catalog: str) -> None:
    """Take away the names a catalog listed before and does not any more."""
    change.connection.execute(
        "DELETE FROM alias WHERE entity_id = ? AND catalog = ? AND state = 'active'"
        " AND withdrawn_by IS NULL AND text NOT IN (SELECT value FROM json_each(?))",
        (change.entity_id, catalog, json.dumps(texts)),
    )


def retract_alias(change: Change, text: str, origin: Origin | None) -> None:
    """Reject a name, or one way in which it is vouched for.

    What a former entity is called stays its own, and is only taken from the entity it leads to.

    Raises:
        NotFound: The entity has no such alias, and never had.
        FailedPrecondition: It is a display name.
    """
    before = change.before
    if before is not None and text in set(before.names.values()) - {
        alias.text for alias in before.aliases
    }:
        raise FailedPrecondition(
            f"{text!r} is what the entity is called; give it another name with `update_entity`.",
            reason="alias_is_name",
            field="text",
        )
    if _is_vouched_for(change, text, origin):
        _reject(change, text, origin)
    elif not _was_rejected(change, text, origin):
        raise NotFound(
            f"{change.entity_id} has no such alias {text!r}.", reason="alias_unknown", field="text"
        )


def retract_confirmation(change: Change, text: str) -> None:
    """Take back that a person confirmed a name.

    Raises:
        FailedPrecondition: Nobody did.
    """
    if not _is_vouched_for(change, text, "confirmed"):
        raise FailedPrecondition(
            f"Nobody has confirmed that {text!r} means {change.entity_id}.",
            reason="not_confirmed",
            field="text",
        )
    _reject(change, text, "confirmed")


def _is_vouched_for(change: Change, text: str, origin: Origin | None) -> bool:
    """Whether the entity, or a former one that leads to it, has this alias."""
    found = change.connection.execute(
        f"SELECT 1 FROM alias WHERE entity_id IN {_MEMBERS} AND text = ?2"  # noqa: S608
        " AND (?3 IS NULL OR origin = ?3) AND state = 'active' AND withdrawn_by IS NULL"
        " UNION ALL SELECT 1 FROM entity_name"
        " WHERE entity_id IN (SELECT entity_id FROM entity WHERE successor = ?1) AND text = ?2"
        " AND coalesce(?3, 'declared') = 'declared' AND withdrawn_by IS NULL LIMIT 1",
        (change.entity_id, text, origin),
    ).fetchone()
    return found is not None


def _was_rejected(change: Change, text: str, origin: Origin | None) -> bool:
    found = change.connection.execute(
        f"SELECT 1 FROM alias WHERE entity_id IN {_MEMBERS} AND text = ?2"  # noqa: S608
        " AND (?3 IS NULL OR origin = ?3)"
        " UNION ALL SELECT 1 FROM entity_name"
        " WHERE entity_id IN (SELECT entity_id FROM entity WHERE successor = ?1) AND text = ?2"
        " LIMIT 1",
        (change.entity_id, text, origin),
    ).fetchone()
    return found is not None


def _reject(change: Change, text: str, origin: Origin | None) -> None:
    run = change.connection.execute
    author = change.author
    run(
        "UPDATE alias SET state = 'rejected', requester = ?4, at = ?5"
        " WHERE entity_id = ?1 AND text = ?2 AND (?3 IS NULL OR origin = ?3)"
        " AND state = 'active'",
        (change.entity_id, text, origin, author.requester, author.at),
    )
    run(
        "UPDATE alias SET withdrawn_by = ?1 WHERE text = ?2 AND (?3 IS NULL OR origin = ?3)"
        " AND entity_id IN (SELECT entity_id FROM entity WHERE successor = ?1)"
        " AND state = 'active' AND withdrawn_by IS NULL",
        (change.entity_id, text, origin),
    )
    run(
        "UPDATE entity_name SET withdrawn_by = ?1"
        " WHERE text = ?2 AND coalesce(?3, 'declared') = 'declared' AND withdrawn_by IS NULL"
        " AND entity_id IN (SELECT entity_id FROM entity WHERE successor = ?1)",
        (change.entity_id, text, origin),
    )

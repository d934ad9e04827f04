"""Make a declared catalog so, all or nothing: its own statements change, everyone else's stay."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence

from nexus.contract import CatalogApplied, CatalogEntry
from nexus.domain.entity import CATALOG_SYSTEM
from nexus.store.writing import Author, Change


def apply(
    connection: sqlite3.Connection,
    catalog: str,
    entries: Sequence[CatalogEntry],
    new_id: Callable[[], str],
    author: Author,
) -> CatalogApplied:
    """Create and change what the entries declare.

    An entity keeps its identity through its key, whatever it is called. What was archived by hand
    stays archived.

    Raises:
        Conflict: An external id belongs to an entity that is not the entry's own.
        FailedPrecondition: Two entries would contain each other.
    """
    changes: list[Change] = []
    for entry in entries:
        known = connection.execute(
            "SELECT entity_id FROM external_reference WHERE system = ? AND external_id = ?",
            (CATALOG_SYSTEM, f"{catalog}:{entry.key}"),
        ).fetchone()
        change = Change(connection, known["entity_id"] if known else new_id(), author)
        if known is None:
            change.begin(entry.type)
        changes.append(change)
    ids = {entry.key: change.entity_id for entry, change in zip(entries, changes, strict=True)}
    for change in changes:
        change.withdraw(catalog)
    for at, (entry, change) in enumerate(zip(entries, changes, strict=True)):
        change.describe(entry.type, dict(entry.names), entry.description)
        for text in entry.aliases:
            change.add_alias(text, "und", "imported", catalog)
        change.map_external(CATALOG_SYSTEM, f"{catalog}:{entry.key}", f"entries[{at}].key", catalog)
        for system, external_id in entry.external.items():
            change.map_external(system, external_id, f"entries[{at}].external.{system}", catalog)
    for at, (entry, change) in enumerate(zip(entries, changes, strict=True)):
        for predicate, keys in entry.relations.items():
            field = f"entries[{at}].relations.{predicate}"
            for key in [keys] if isinstance(keys, str) else keys:
                change.relate(predicate, ids[key], field, catalog)
    created = updated = 0
    for change in changes:
        after = change.finish()
        created += change.before is None
        updated += change.before is not None and change.before.revision != after.revision
    return CatalogApplied(
        entity_ids=ids,
        created=created,
        updated=updated,
        unchanged=len(changes) - created - updated,
    )

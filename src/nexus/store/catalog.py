"""Make a declared catalog so, all or nothing: its own statements change, everyone else's stay."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable

from nexus.contract import ApplyCatalog, CatalogApplied, CatalogEntry, PlannedChange, Predicate
from nexus.domain.differences import differences
from nexus.domain.entity import CATALOG_SYSTEM
from nexus.domain.relations import HIERARCHICAL, find_cycle
from nexus.store.mapping import declare_external, withdraw_external
from nexus.store.naming import declare_aliases, withdraw_aliases
from nexus.store.reading import among
from nexus.store.relating import cycle, declare_relations, hierarchy, withdraw_relations
from nexus.store.writing import Author, Change, begin_all, finish_all

_WAY_OUT = "leave one of the relations of this ring out of the catalog"
_MOST_SHOWN = 1000
"""Changes told of in an answer."""
_Arrows = list[tuple[Predicate, str]]


def apply(
    connection: sqlite3.Connection, sent: ApplyCatalog, new_id: Callable[[], str], author: Author
) -> CatalogApplied:
    """Create and change what the entries declare; a plan is undone again.

    An entity keeps its identity through its key, whatever it is called, and also while it is
    merged into another. What was archived by hand stays archived.

    Raises:
        Conflict: An external id belongs to an entity that is not the entry's own.
        FailedPrecondition: Two entries would contain each other.
    """
    connection.execute("SAVEPOINT applying")
    applied = _Applying(connection, sent, new_id, author).run()
    if sent.plan:
        connection.execute("ROLLBACK TO applying")
    connection.execute("RELEASE applying")
    return applied


class _Applying:
    """One application of one catalog."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        sent: ApplyCatalog,
        new_id: Callable[[], str],
        author: Author,
    ) -> None:
        self._connection = connection
        self._sent = sent
        self._author = author
        self._known = _keys_of(connection, sent.catalog)
        self._ids = {
            entry.key: self._known[entry.key] if entry.key in self._known else new_id()
            for entry in sent.entries
        }
        self._arrows = [self._arrows_of(entry) for entry in sent.entries]
        self._successors: dict[str, str] = {}
        """Who answers for the entries that are merged."""
        self._changes: dict[str, Change] = {}

    def run(self) -> CatalogApplied:
        """Do it, and tell what was done."""
        self._begin()
        self._withdraw()
        self._declare()
        self._require_no_cycle()
        pruned = self._prune() if self._sent.prune else []
        finish_all(self._connection, list(self._changes.values()))
        return self._told(pruned)

    def _begin(self) -> None:
        kept = [each for key in self._ids if (each := self._known.get(key)) is not None]
        begun = begin_all(self._connection, kept, self._author)
        self._successors = {
            row["entity_id"]: row["successor"]
            for row in self._connection.execute(
                "SELECT entity_id, successor FROM entity WHERE successor IS NOT NULL"
                " AND entity_id IN (SELECT value FROM json_each(?))",
                (among(kept),),
            )
        }
        answering = set(self._successors.values()) - set(kept)
        begun += begin_all(self._connection, answering, self._author)
        self._changes = {change.entity_id: change for change in begun}
        for entry in self._sent.entries:
            if entry.key not in self._known:
                change = Change(self._connection, self._ids[entry.key], self._author, None)
                change.begin(entry.type)
                self._changes[change.entity_id] = change

    def _withdraw(self) -> None:
        catalog = self._sent.catalog
        for entry, arrows in zip(self._sent.entries, self._arrows, strict=True):
            change = self._changes[self._ids[entry.key]]
            if change.before is not None:
                withdraw_aliases(change, entry.aliases, catalog)
                withdraw_external(change, self._external_of(entry), catalog)
                withdraw_relations(change, arrows, catalog)

    def _declare(self) -> None:
        catalog = self._sent.catalog
        for at, (entry, arrows) in enumerate(zip(self._sent.entries, self._arrows, strict=True)):
            change = self._changes[self._ids[entry.key]]
            change.describe(
                entity_type=entry.type,
                description=entry.description,
                attributes=entry.attributes,
            )
            self._call(change, entry)
            declare_aliases(change, entry.aliases, catalog)
            for system, external_id in self._external_of(entry).items():
                own = "key" if system == CATALOG_SYSTEM else f"external.{system}"
                declare_external(change, system, external_id, f"entries[{at}].{own}", catalog)
            for predicate, target in arrows:
                if target == change.entity_id:
                    field = f"entries[{at}].relations.{predicate}"
                    raise cycle(f"`{entry.key}`", predicate, field, _WAY_OUT)
            self._connection.execute(
                "UPDATE entity SET status = 'active', pruned_by = NULL"
                " WHERE entity_id = ? AND pruned_by IS NOT NULL",
                (change.entity_id,),
            )
        for change, arrows in zip(self._own_changes(), self._arrows, strict=True):
            declare_relations(change, arrows, catalog)

    def _call(self, change: Change, entry: CatalogEntry) -> None:
        for language in change.before.names.keys() - entry.names.keys() if change.before else ():
            self._connection.execute(
                "DELETE FROM entity_name WHERE entity_id = ? AND language = ?",
                (change.entity_id, language),
            )
        change.call(entry.names)

    def _require_no_cycle(self) -> None:
        declared = {predicate for arrows in self._arrows for predicate, _ in arrows}
        for predicate in sorted(HIERARCHICAL & declared):
            ring = find_cycle(hierarchy(self._connection, predicate))
            below = dict(zip(ring, [*ring[1:], *ring[:1]], strict=True))
            for at in reversed(range(len(self._arrows))):
                change = self._changes[self._ids[self._sent.entries[at].key]]
                above = below.get(self._answering(change.entity_id))
                if any(
                    each == predicate and self._answering(target) == above
                    for each, target in self._arrows[at]
                ):
                    field = f"entries[{at}].relations.{predicate}"
                    raise cycle(f"`{self._sent.entries[at].key}`", predicate, field, _WAY_OUT)

    def _prune(self) -> list[tuple[str, Change]]:
        """Archive what is declared no more, unless a declared entry leads to it."""
        declared = {self._answering(entity_id) for entity_id in self._ids.values()}
        dropped = {
            entity_id: key
            for key, entity_id in self._known.items()
            if key not in self._ids and entity_id not in declared
        }
        pruned: list[tuple[str, Change]] = []
        for change in begin_all(self._connection, dropped, self._author):
            if change.before is not None and change.before.status == "active":
                change.set_status("archived", self._sent.catalog)
                self._changes[change.entity_id] = change
                pruned.append((dropped[change.entity_id], change))
        return pruned

    def _told(self, pruned: list[tuple[str, Change]]) -> CatalogApplied:
        changes: list[PlannedChange] = []
        created = updated = 0
        for entry, change in zip(self._sent.entries, self._own_changes(), strict=True):
            if change.before is None:
                created += 1
                made = None if self._sent.plan else change.entity_id
                changes.append(PlannedChange(key=entry.key, action="create", entity_id=made))
                continue
            told = [change, self._changes[self._answering(change.entity_id)]]
            news = [each for each in told if each.is_news]
            if news:
                updated += 1
                changes.append(
                    PlannedChange(
                        key=entry.key,
                        action="update",
                        entity_id=news[-1].entity_id,
                        differences=list(dict.fromkeys(_differences(news))),
                    )
                )
        changes += (
            PlannedChange(key=key, action="archive", entity_id=change.entity_id)
            for key, change in pruned
        )
        return CatalogApplied(
            entity_ids={
                key: self._answering(entity_id)
                for key, entity_id in self._ids.items()
                if key in self._known or not self._sent.plan
            },
            created=created,
            updated=updated,
            unchanged=len(self._sent.entries) - created - updated,
            archived=len(pruned),
            stay_archived=[
                entry.key
                for entry, change in zip(self._sent.entries, self._own_changes(), strict=True)
                if change.before is not None and change.before.status == "archived"
                if not self._is_active(change.entity_id)
            ],
            changes=changes[:_MOST_SHOWN],
            applied=not self._sent.plan,
        )

    def _is_active(self, entity_id: str) -> bool:
        row = self._connection.execute(
            "SELECT status FROM entity WHERE entity_id = ?", (entity_id,)
        ).fetchone()
        return row["status"] == "active"

    def _own_changes(self) -> list[Change]:
        return [self._changes[self._ids[entry.key]] for entry in self._sent.entries]

    def _answering(self, entity_id: str) -> str:
        return self._successors.get(entity_id, entity_id)

    def _arrows_of(self, entry: CatalogEntry) -> _Arrows:
        return [
            (predicate, self._ids[key])
            for predicate, keys in entry.relations.items()
            for key in ([keys] if isinstance(keys, str) else keys)
        ]

    def _external_of(self, entry: CatalogEntry) -> dict[str, str]:
        return {CATALOG_SYSTEM: f"{self._sent.catalog}:{entry.key}", **entry.external}


def _keys_of(connection: sqlite3.Connection, catalog: str) -> dict[str, str]:
    """Every key the catalog has declared, with its entity."""
    rows = connection.execute(
        "SELECT external_id, entity_id FROM external_reference"
        " WHERE system = ? AND external_id >= ? AND external_id < ?",
        (CATALOG_SYSTEM, f"{catalog}:", f"{catalog};"),  # `;` follows `:`
    )
    return {row["external_id"].partition(":")[2]: row["entity_id"] for row in rows}


def _differences(news: Iterable[Change]) -> list[str]:
    return [
        difference
        for each in news
        if each.before is not None and each.after is not None
        for difference in differences(each.before, each.after)
    ]

"""Changes to entities inside one transaction, each with its line of history."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from kit.errors import Conflict, FailedPrecondition, NotFound
from nexus.contract import AliasLanguage, Entity, Predicate
from nexus.domain.entity import HIERARCHICAL, Origin, makes_cycle, stronger
from nexus.store.naming import NameWriter
from nexus.store.reading import on, read_entity


@dataclass(frozen=True, slots=True)
class Author:
    """Who changes something, for whom, because of what, and when."""

    operation: str
    requester: str
    principal: str
    correlation_id: str
    at: str


class Change:
    """What one entity was, and what is done to it."""

    def __init__(self, connection: sqlite3.Connection, entity_id: str, author: Author) -> None:
        self._connection = connection
        self._author = author
        self.entity_id = entity_id
        self.before = read_entity(on(connection), entity_id)

    def begin(self, entity_type: str) -> None:
        """Make the entity exist."""
        self._connection.execute(
            "INSERT INTO entity VALUES (?, ?, 'active', '{}', 0)", (self.entity_id, entity_type)
        )

    def require_active(self) -> None:
        """Refuse to change what does not exist or is not in use any more.

        Raises:
            NotFound: There is no such entity.
            FailedPrecondition: It is archived.
        """
        if self.before is None:
            raise _unknown(self.entity_id, "entity_id")
        if self.before.status != "active":
            raise _out_of_use(self.entity_id, self.before.status, "entity_id")

    def describe(
        self, entity_type: str, names: dict[Any, str], description: dict[Any, str]
    ) -> None:
        """Set what the entity is, is called and is said to be."""
        run = self._connection.execute
        run(
            "UPDATE entity SET type = ?, description = ? WHERE entity_id = ?",
            (entity_type, msgspec.json.encode(description).decode(), self.entity_id),
        )
        run("DELETE FROM entity_name WHERE entity_id = ?", (self.entity_id,))
        for language, text in names.items():
            run("INSERT INTO entity_name VALUES (?, ?, ?)", (self.entity_id, language, text))

    def archive(self) -> None:
        """Take the entity out of use."""
        self._connection.execute(
            "UPDATE entity SET status = 'archived' WHERE entity_id = ?", (self.entity_id,)
        )

    def add_alias(
        self, text: str, language: AliasLanguage, origin: Origin, catalog: str | None = None
    ) -> None:
        """Add a name; one that is there already may gain a stronger origin, never a weaker one."""
        kept = self._connection.execute(
            "SELECT language, origin, catalog FROM alias WHERE entity_id = ? AND text = ?",
            (self.entity_id, text),
        ).fetchone()
        if kept is not None:
            origin = stronger(kept["origin"], origin)
            language = kept["language"] if language == "und" else language
            catalog = kept["catalog"] or catalog if origin == "imported" else None
        self._connection.execute(
            "INSERT OR REPLACE INTO alias VALUES (?, ?, ?, ?, ?)",
            (self.entity_id, text, language, origin, catalog),
        )

    def map_external(
        self, system: str, external_id: str, field: str, catalog: str | None = None
    ) -> None:
        """Say what another system calls the entity.

        Raises:
            Conflict: It calls another entity so.
        """
        run = self._connection.execute
        owner = run(
            "SELECT entity_id FROM external_reference WHERE system = ? AND external_id = ?",
            (system, external_id),
        ).fetchone()
        if owner is None:
            run(
                "INSERT INTO external_reference VALUES (?, ?, ?, ?)",
                (system, external_id, self.entity_id, catalog),
            )
        elif owner["entity_id"] != self.entity_id:
            raise Conflict(
                f"{system}:{external_id} already belongs to {owner['entity_id']}.",
                reason="external_taken",
                field=field,
            )

    def relate(
        self, predicate: Predicate, target: str, field: str, catalog: str | None = None
    ) -> None:
        """Draw an arrow to another entity.

        Raises:
            NotFound: There is no such entity.
            FailedPrecondition: The other is archived, or the entity would contain itself.
        """
        run = self._connection.execute
        found = run("SELECT status FROM entity WHERE entity_id = ?", (target,)).fetchone()
        if found is None:
            raise _unknown(target, field)
        if found["status"] != "active":
            raise _out_of_use(target, found["status"], field)
        if predicate in HIERARCHICAL and makes_cycle(
            self.entity_id, target, lambda entity: self._objects(entity, predicate)
        ):
            raise FailedPrecondition(
                f"{self.entity_id} would be {predicate} itself.",
                reason="relation_cycle",
                field=field,
            )
        run(
            "INSERT OR IGNORE INTO relation VALUES (?, ?, ?, ?)",
            (self.entity_id, predicate, target, catalog),
        )

    def withdraw(self, catalog: str) -> None:
        """Take away what a catalog said of the entity, so that it may say it anew."""
        run = self._connection.execute
        mine = (self.entity_id, catalog)
        run("DELETE FROM alias WHERE entity_id = ? AND catalog = ?", mine)
        run("DELETE FROM external_reference WHERE entity_id = ? AND catalog = ?", mine)
        run("DELETE FROM relation WHERE subject = ? AND catalog = ?", mine)

    def finish(self) -> Entity:
        """The entity as it is now, with a new revision and a line of history if that is new."""
        query = on(self._connection)
        after = read_entity(query, self.entity_id)
        if after is None:
            raise _unknown(self.entity_id, "entity_id")
        if after == self.before:
            return after
        self._connection.execute(
            "UPDATE entity SET revision = revision + 1 WHERE entity_id = ?", (self.entity_id,)
        )
        after = msgspec.structs.replace(after, revision=after.revision + 1)
        NameWriter(self._connection).put(after)
        author = self._author
        self._connection.execute(
            "INSERT INTO history (at, entity_id, operation, requester, principal, correlation_id,"
            " before, after) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                author.at,
                self.entity_id,
                author.operation,
                author.requester,
                author.principal,
                author.correlation_id,
                _text(self.before),
                _text(after),
            ),
        )
        return after

    def _objects(self, entity_id: str, predicate: Predicate) -> Iterator[str]:
        for row in self._connection.execute(
            "SELECT object FROM relation WHERE subject = ? AND predicate = ?",
            (entity_id, predicate),
        ):
            yield row["object"]


def _unknown(entity_id: str, field: str) -> NotFound:
    return NotFound(f"There is no entity {entity_id}.", reason="entity_unknown", field=field)


def _out_of_use(entity_id: str, status: str, field: str) -> FailedPrecondition:
    return FailedPrecondition(f"{entity_id} is {status}.", reason="entity_not_active", field=field)


def _text(entity: Entity | None) -> str | None:
    return None if entity is None else msgspec.json.encode(entity).decode()

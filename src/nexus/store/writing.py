"""Changes to entities inside one transaction, each with its line of history.

Every change of an entity, whatever it is called, begins as a `Change` and ends in `finish`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import msgspec

from kit.errors import Conflict, FailedPrecondition, NotFound
from nexus.contract import Entity, Status
from nexus.domain.differences import is_same
from nexus.store.indexing import NameWriter
from nexus.store.reading import on, read_each, read_entity


@dataclass(frozen=True, slots=True)
class Author:
    """Who changes something, for whom, because of what, when and why."""

    operation: str
    requester: str
    principal: str
    correlation_id: str
    at: str
    why: str = ""


class Change:
    """What one entity was, and what became of it."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        entity_id: str,
        author: Author,
        before: Entity | None,
    ) -> None:
        self.connection = connection
        self.author = author
        self.entity_id = entity_id
        self.before = before
        self.after: Entity | None = None

    @classmethod
    def of(cls, connection: sqlite3.Connection, entity_id: str, author: Author) -> Self:
        """A change of the entity as it is now."""
        return cls(connection, entity_id, author, read_entity(on(connection), entity_id))

    @property
    def is_news(self) -> bool:
        """Whether the entity, once finished, is another than it was."""
        return self.after is not None and (
            self.before is None or self.before.revision != self.after.revision
        )

    def begin(self, entity_type: str) -> None:
        """Make the entity exist."""
        self.connection.execute(
            "INSERT INTO entity (entity_id, type, status, description, revision)"
            " VALUES (?, ?, 'active', '{}', 0)",
            (self.entity_id, entity_type),
        )

    def require_unmerged(self, field: str, if_revision: int | None = None) -> Entity:
        """The entity as it was, if it stands for itself.

        Raises:
            NotFound: There is no such entity.
            Conflict: It is merged into another, or was changed since that revision.
        """
        if self.before is None:
            raise unknown(self.entity_id, field)
        if self.before.status == "merged":
            raise merged(self.connection, self.entity_id, field)
        if if_revision not in {None, self.before.revision}:
            raise Conflict(
                f"{self.entity_id} is at revision {self.before.revision}, not {if_revision}; look"
                " at what changed and ask again.",
                reason="revision_stale",
                field="if_revision",
            )
        return self.before

    def require_active(self, field: str, if_revision: int | None = None) -> Entity:
        """The entity as it was, if it is in use.

        Raises:
            NotFound: There is no such entity.
            Conflict: It is merged into another, or was changed since that revision.
            FailedPrecondition: It is archived.
        """
        before = self.require_unmerged(field, if_revision)
        if before.status != "active":
            raise archived(self.entity_id, field)
        return before

    def describe(
        self,
        *,
        entity_type: str,
        description: Mapping[Any, str],
        attributes: Mapping[str, Any],
    ) -> None:
        """Set what the entity is and is said to be."""
        said = (entity_type, _text(description), _text(attributes))
        self.connection.execute(
            "UPDATE entity SET type = ?2, description = ?3, attributes = ?4 WHERE entity_id = ?1"
            " AND (type, description, attributes) IS NOT (?2, ?3, ?4)",
            (self.entity_id, *said),
        )

    def call(self, names: Mapping[Any, str]) -> None:
        """Give the entity display names, one for each of these languages."""
        self.connection.executemany(
            "INSERT INTO entity_name (entity_id, language, text) VALUES (?, ?, ?)"
            " ON CONFLICT DO UPDATE SET text = excluded.text, withdrawn_by = NULL"
            " WHERE text != excluded.text",
            [(self.entity_id, language, text) for language, text in names.items()],
        )

    def set_status(self, status: Status, pruned_by: str | None = None) -> None:
        """Take the entity out of use, or back into it."""
        self.connection.execute(
            "UPDATE entity SET status = ?, pruned_by = ? WHERE entity_id = ?",
            (status, pruned_by, self.entity_id),
        )

    def finish(self) -> Entity:
        """The entity as it is now, with a new revision and a line of history if that is new."""
        after = read_entity(on(self.connection), self.entity_id)
        if after is None:
            raise unknown(self.entity_id, "entity_id")
        with NameWriter(self.connection) as names:
            return self.finish_as(after, names)

    def finish_as(self, after: Entity, names: NameWriter) -> Entity:
        """The entity as it is now, with a new revision and a line of history if that is new.

        Args:
            after: the entity as it is now.
            names: where its names are kept level.
        """
        self.after = after
        if self.before is not None and is_same(self.before, after):
            return after
        self.connection.execute(
            "UPDATE entity SET revision = revision + 1 WHERE entity_id = ?", (self.entity_id,)
        )
        self.after = after = msgspec.structs.replace(after, revision=after.revision + 1)
        names.put(after)
        author = self.author
        self.connection.execute(
            "INSERT INTO history (at, entity_id, operation, requester, principal, correlation_id,"
            " before, after, why) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                author.at,
                self.entity_id,
                author.operation,
                author.requester,
                author.principal,
                author.correlation_id,
                None if self.before is None else _text(self.before),
                _text(after),
                author.why,
            ),
        )
        return after


def finish_all(connection: sqlite3.Connection, changes: Sequence[Change]) -> None:
    """Finish many changes; what the entities are now is read together."""
    of = {change.entity_id: change for change in changes}
    with NameWriter(connection) as names:
        for after in list(read_each(on(connection), list(of))):
            of[after.entity_id].finish_as(after, names)


def begin_all(
    connection: sqlite3.Connection, entity_ids: Iterable[str], author: Author
) -> list[Change]:
    """Begin to change many entities that exist; what they are is read together."""
    return [
        Change(connection, before.entity_id, author, before)
        for before in list(read_each(on(connection), sorted(set(entity_ids))))
    ]


def unknown(entity_id: str, field: str) -> NotFound:
    """That no entity has this id."""
    return NotFound(f"There is no entity {entity_id}.", reason="entity_unknown", field=field)


def archived(entity_id: str, field: str) -> FailedPrecondition:
    """That an entity is out of use."""
    return FailedPrecondition(
        f"{entity_id} is archived; `update_entity` with status `active` takes it back into use.",
        reason="entity_not_active",
        field=field,
    )


def merged(connection: sqlite3.Connection, entity_id: str, field: str) -> Conflict:
    """That another entity stands for this one."""
    successor = connection.execute(
        "SELECT successor FROM entity WHERE entity_id = ?", (entity_id,)
    ).fetchone()["successor"]
    return Conflict(
        f"{entity_id} is merged into {successor}; name that one.",
        reason="entity_merged",
        field=field,
    )


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()

"""What each operation does to one entity, inside one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

from nexus.contract import (
    AddAlias,
    ArchiveEntity,
    CreateEntity,
    Entity,
    GiveFeedback,
    MapExternal,
    MergeEntities,
    Relate,
    RetractAlias,
    SplitEntity,
    UnmapExternal,
    Unrelate,
    UpdateEntity,
)
from nexus.domain.entity import replaced
from nexus.store.mapping import map_external, unmap_external
from nexus.store.merging import merge, split
from nexus.store.naming import add_alias, retract_alias, retract_confirmation
from nexus.store.relating import relate, unrelate
from nexus.store.writing import Author, Change

EntityChange = (
    UpdateEntity
    | ArchiveEntity
    | MergeEntities
    | SplitEntity
    | AddAlias
    | RetractAlias
    | GiveFeedback
    | MapExternal
    | UnmapExternal
    | Relate
    | Unrelate
)
"""What may be asked of an entity that exists."""


def create(
    connection: sqlite3.Connection, entity_id: str, sent: CreateEntity, author: Author
) -> Entity:
    """Add an entity with all that was said of it."""
    change = Change(connection, entity_id, author, None)
    change.begin(sent.type)
    change.describe(entity_type=sent.type, description=sent.description, attributes=sent.attributes)
    change.call(sent.names)
    for text in sent.aliases:
        add_alias(change, text, "und", "declared")
    for system, external_id in sent.external.items():
        map_external(change, system, external_id, f"external.{system}")
    for at, relation in enumerate(sent.relations):
        relate(change, relation.predicate, relation.object, f"relations[{at}].object")
    return change.finish()


def perform(connection: sqlite3.Connection, sent: EntityChange, author: Author) -> Entity:
    """Do what was asked of an entity."""
    return _PERFORMERS[type(sent)](connection, sent, author)


def _update(connection: sqlite3.Connection, sent: UpdateEntity, author: Author) -> Entity:
    change = Change.of(connection, sent.entity_id, author)
    if sent.status == "active" or (sent.status == "archived" and not _says_more(sent)):
        before = change.require_unmerged("entity_id", sent.if_revision)
    else:
        before = change.require_active("entity_id", sent.if_revision)
    given = sent.description or {}
    described = {
        language: text for language, text in {**before.description, **given}.items() if text
    }
    change.describe(
        entity_type=sent.type or before.type,
        description=described,
        attributes=before.attributes if sent.attributes is None else sent.attributes,
    )
    names: dict[Any, str] = dict(sent.names or {})
    for language, text in replaced(before.names, names):
        add_alias(change, text, "ru" if language == "ru" else "en", "declared")
    change.call(names)
    if sent.status is not None:
        change.set_status(sent.status)
    return change.finish()


def _says_more(sent: UpdateEntity) -> bool:
    said = (sent.type, sent.names, sent.description, sent.attributes)
    return any(each is not None for each in said)


def _archive(connection: sqlite3.Connection, sent: ArchiveEntity, author: Author) -> Entity:
    change = Change.of(connection, sent.entity_id, author)
    change.require_unmerged("entity_id", sent.if_revision)
    change.set_status("archived")
    return change.finish()


def _add_alias(connection: sqlite3.Connection, sent: AddAlias, author: Author) -> Entity:
    change = Change.of(connection, sent.entity_id, author)
    change.require_active("entity_id")
    add_alias(change, sent.text, sent.language, sent.origin)
    return change.finish()


def _retract_alias(connection: sqlite3.Connection, sent: RetractAlias, author: Author) -> Entity:
    change = Change.of(connection, sent.entity_id, author)
    change.require_active("entity_id")
    retract_alias(change, sent.text, sent.origin)
    return change.finish()


def _give_feedback(connection: sqlite3.Connection, sent: GiveFeedback, author: Author) -> Entity:
    change = Change.of(connection, sent.entity_id, author)
    change.require_active("entity_id")
    if sent.verdict == "confirm":
        add_alias(change, sent.text, sent.language, "confirmed")
    else:
        retract_confirmation(change, sent.text)
    return change.finish()


def _map_external(connection: sqlite3.Connection, sent: MapExternal, author: Author) -> Entity:
    change = Change.of(connection, sent.entity_id, author)
    change.require_active("entity_id")
    map_external(
        change,
        sent.system,
        sent.external_id,
        "external_id",
        origin=sent.origin,
        confidence=sent.confidence,
    )
    return change.finish()


def _unmap_external(connection: sqlite3.Connection, sent: UnmapExternal, author: Author) -> Entity:
    change = Change.of(connection, sent.entity_id, author)
    change.require_active("entity_id")
    unmap_external(change, sent.system, sent.external_id)
    return change.finish()


def _relate(connection: sqlite3.Connection, sent: Relate, author: Author) -> Entity:
    change = Change.of(connection, sent.subject, author)
    change.require_active("subject")
    relate(change, sent.predicate, sent.object, "object")
    return change.finish()


def _unrelate(connection: sqlite3.Connection, sent: Unrelate, author: Author) -> Entity:
    change = Change.of(connection, sent.subject, author)
    change.require_active("subject")
    Change.of(connection, sent.object, author).require_unmerged("object")
    unrelate(change, sent.predicate, sent.object)
    return change.finish()


_PERFORMERS: dict[type, Callable[[sqlite3.Connection, Any, Author], Entity]] = {
    UpdateEntity: _update,
    ArchiveEntity: _archive,
    MergeEntities: merge,
    SplitEntity: split,
    AddAlias: _add_alias,
    RetractAlias: _retract_alias,
    GiveFeedback: _give_feedback,
    MapExternal: _map_external,
    UnmapExternal: _unmap_external,
    Relate: _relate,
    Unrelate: _unrelate,
}

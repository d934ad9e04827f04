"""Things as Nexus shows them: an entity, its names, what others call it, how it relates."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from kit.contract import Id, Reply, Short, Text, Time

EntityType = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$(?!\n)", max_length=80)]
"""Dotted and matched by prefix: `service` matches `service.supervised`."""
Language = Literal["ru", "en"]
AliasLanguage = Literal["ru", "en", "und"]
Origin = Literal["declared", "imported", "confirmed", "suggested"]
"""Who vouches: a person's declaration, an import, a person's answer; nobody yet for `suggested`."""
Predicate = Annotated[
    str,
    Meta(
        pattern=(
            r"^(part_of|runs_on|depends_on|source_of|owned_by|located_in|works_on|tracks|uses"
            r"|provides|consumes|member_of|controls|monitors|x_[a-z0-9_]+)$(?!\n)"
        ),
        max_length=60,
    ),
]
"""How the subject stands to the object; one's own predicates begin with `x_`."""
System = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_.-]*$(?!\n)", max_length=60)]
"""The outside system that gave an external id, such as `supervisor`."""
Names = dict[Language, Short]
"""Display name per language; at least one."""
Descriptions = dict[Language, Text]
"""What it is, in a sentence per language."""
Attributes = Annotated[dict[Short, str | int | float | bool], Meta(max_length=50)]
"""Further facts, such as an address or a version; no names, they are not searched."""
Status = Literal["active", "archived", "merged"]
Revision = Annotated[int, Meta(ge=1)]
"""The revision the caller saw; a change since then is a conflict."""
Why = Annotated[str, Meta(max_length=500)]
"""The reason, for the history."""


class Alias(Reply):
    """Another name of an entity."""

    text: Short
    language: AliasLanguage
    origin: Origin
    """The strongest of those who vouch for it."""


class ExternalReference(Reply):
    """What another system calls the entity; unique per system."""

    system: System
    external_id: Short
    origin: Origin = "declared"
    confidence: float = 1.0


class RelatedEntity(Reply):
    """The far end of a relation that starts at the entity shown."""

    predicate: Predicate
    entity_id: Id
    type: EntityType
    names: dict[str, str]


class Entity(Reply):
    """One real thing, as Nexus knows it."""

    entity_id: Id
    type: EntityType
    names: dict[str, str]
    status: Status
    description: dict[str, str] = {}
    attributes: dict[str, Any] = {}
    aliases: list[Alias] = []
    external: list[ExternalReference] = []
    relations: list[RelatedEntity] = []
    revision: int = 1
    """Grows with every change; a stale one is how a caller sees that something moved."""
    merged: list[Id] = []
    """Former ids that lead here."""


class Relation(Reply):
    """A typed arrow between two entities."""

    subject: Id
    predicate: Predicate
    object: Id
    inverse: str = ""
    """How the object stands to the subject, in words of the same kind, such as `has_part`."""
    origin: Origin = "declared"


class Change(Reply):
    """One recorded change of an entity."""

    cursor: int
    at: Time
    entity_id: Id
    operation: str
    requester: str
    correlation_id: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    why: str = ""

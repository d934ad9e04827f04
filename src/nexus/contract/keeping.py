"""Changes to one entity or two, and what a person answered about a name."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from kit.contract import Id, Request, Short
from nexus.contract.things import (
    AliasLanguage,
    Attributes,
    Descriptions,
    EntityType,
    Names,
    Origin,
    Predicate,
    Revision,
    System,
    Why,
)

Aliases = Annotated[list[Short], Meta(max_length=50)]
External = Annotated[dict[System, Short], Meta(max_length=50)]
"""System to the id it uses for this entity."""


class Outgoing(Request):
    """A relation to make from the new entity."""

    predicate: Predicate
    object: Id


class CreateEntity(Request):
    """Add one entity by hand."""

    type: EntityType
    names: Annotated[Names, Meta(min_length=1)]
    aliases: Aliases = []
    description: Descriptions = {}
    attributes: Attributes = {}
    external: External = {}
    relations: Annotated[list[Outgoing], Meta(max_length=50)] = []
    why: Why = ""


class UpdateEntity(Request):
    """Change what an entity is, is called or is said to be; what is left out stays."""

    entity_id: Id
    type: EntityType | None = None
    names: Names | None = None
    """Display names to set, per language; a former name stays as an alias."""
    description: Descriptions | None = None
    attributes: Attributes | None = None
    status: Literal["active", "archived"] | None = None
    """`active` takes an archived entity back into use."""
    if_revision: Revision | None = None
    why: Why = ""


class ArchiveEntity(Request):
    """Take an entity out of use; its id keeps answering."""

    entity_id: Id
    if_revision: Revision | None = None
    why: Why = ""


class MergeEntities(Request):
    """Say that two entities are one; the source's id answers with the target from then on."""

    source: Id
    target: Id
    if_revision: Revision | None = None
    """The target's."""
    why: Why = ""


class SplitEntity(Request):
    """Undo a merge: the former entity gets back what it brought along."""

    entity_id: Id
    restore: Id
    """The former id, which now leads to the entity."""
    if_revision: Revision | None = None
    why: Why = ""


class AddAlias(Request):
    """Add another name to an entity."""

    entity_id: Id
    text: Short
    language: AliasLanguage = "und"
    origin: Origin = "declared"
    why: Why = ""


class RetractAlias(Request):
    """Take a name away again; it stays in the history."""

    entity_id: Id
    text: Short
    origin: Origin | None = None
    """Only what was added in this way; left out, every way."""
    why: Why = ""


class MapExternal(Request):
    """Say what another system calls an entity."""

    entity_id: Id
    system: System
    external_id: Short
    origin: Origin = "declared"
    confidence: Annotated[float, Meta(ge=0, le=1)] = 1.0
    why: Why = ""


class UnmapExternal(Request):
    """Say that another system no longer calls an entity so."""

    entity_id: Id
    system: System
    external_id: Short
    why: Why = ""


class Relate(Request):
    """Draw an arrow from one entity to another."""

    subject: Id
    predicate: Predicate
    object: Id
    why: Why = ""


class Unrelate(Request):
    """Take an arrow away."""

    subject: Id
    predicate: Predicate
    object: Id
    why: Why = ""


class GiveFeedback(Request):
    """Record what a person answered when asked which thing a text means."""

    text: Short
    entity_id: Id
    verdict: Literal["confirm", "retract"] = "confirm"
    """`retract` takes an earlier confirmation back."""
    language: AliasLanguage = "und"
    why: Why = ""

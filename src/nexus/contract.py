"""What Nexus offers: entities, their names and relations, and which one a name means."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from kit.contract import Contract, Id, Operation, PageLimit, Reply, Request, Short, Text, Time

EntityType = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$(?!\n)", max_length=80)]
"""Dotted and matched by prefix: `service` matches `service.supervised`."""
Language = Literal["ru", "en"]
AliasLanguage = Literal["ru", "en", "und"]
Predicate = Literal[
    "part_of", "runs_on", "depends_on", "source_of", "owned_by", "located_in", "works_on"
]
System = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_.-]*$(?!\n)", max_length=60)]
"""The outside system that gave an external id, such as `supervisor`."""
Names = dict[Language, Short]
"""Display name per language; at least one."""

Descriptions = dict[Language, Text]
"""What it is, in a sentence per language."""

Purpose = Literal["read", "mutate"]
"""`mutate` lets only a verified name come back as resolved."""
Grade = Literal[
    "id", "external", "exact", "inflected", "transliterated", "reordered", "partial", "typo"
]
"""By which rule a name matched; the last two never resolve for `mutate`."""


class Alias(Reply):
    """Another name of an entity."""

    text: Short
    language: AliasLanguage
    origin: Literal["declared", "imported", "confirmed", "suggested"]


class ExternalReference(Reply):
    """What another system calls the entity; unique per system."""

    system: System
    external_id: Short


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
    status: Literal["active", "archived", "merged"]
    description: dict[str, str] = {}
    aliases: list[Alias] = []
    external: list[ExternalReference] = []
    relations: list[RelatedEntity] = []
    revision: int = 1
    """Grows with every change; a stale one is how a caller sees that something moved."""


class Candidate(Reply):
    """One thing a name may mean."""

    entity_id: Id
    type: EntityType
    names: dict[str, str]
    label: str
    """The display name in the language of the question."""
    grade: Grade
    evidence: str
    """Which alias matched."""
    confidence: float
    distinguished_by: str = ""
    """What tells it from the other candidates: its own words, type or host."""


class Resolved(Reply, tag_field="status", tag="resolved"):
    """The name means exactly this entity."""

    entity_id: Id
    type: EntityType
    names: dict[str, str]
    label: str
    grade: Grade
    evidence: str
    confidence: float
    revision: int


class Ambiguous(Reply, tag_field="status", tag="ambiguous"):
    """The name may mean several entities, or one that is not certain enough; ask."""

    candidates: list[Candidate]


class NotFound(Reply, tag_field="status", tag="not_found"):
    """No entity has this name."""

    suggestions: list[Candidate] = []
    """Below the bar; for showing, never for acting."""


Resolution = Resolved | Ambiguous | NotFound


class Resolve(Request):
    """Which entity does this text mean?"""

    text: Annotated[str, Meta(min_length=1, max_length=500)]
    types: Annotated[list[EntityType], Meta(max_length=50)] = []
    """Only entities of these types, by prefix; empty means any."""
    language: Language | None = None
    """The language of the question, for labels."""
    purpose: Purpose = "read"
    focus: Annotated[list[Id], Meta(max_length=20)] = []
    """Entities the conversation is about; they order unlike candidates, they never decide."""


class GetEntity(Request):
    """Show one entity; a merged id answers with its successor."""

    entity_id: Id


class ListEntities(Request):
    """Show entities in the order of their ids."""

    type: EntityType | None = None
    after: Id | None = None
    limit: PageLimit = 100


class EntityList(Reply):
    """A page of entities."""

    entities: list[Entity]
    next_after: Id | None = None


class ListRelations(Request):
    """Show what points at an entity (and from it)."""

    entity_id: Id


class Relation(Reply):
    """A typed arrow between two entities."""

    subject: Id
    predicate: Predicate
    object: Id


class RelationList(Reply):
    """The arrows that touch one entity."""

    relations: list[Relation]


class Outgoing(Request):
    """A relation to make from the new entity."""

    predicate: Predicate
    object: Id


class CreateEntity(Request):
    """Add one entity by hand."""

    type: EntityType
    names: Annotated[Names, Meta(min_length=1)]
    aliases: Annotated[list[Short], Meta(max_length=50)] = []
    description: Descriptions = {}
    external: Annotated[dict[System, Short], Meta(max_length=50)] = {}
    """System to the id it uses for this entity."""
    relations: Annotated[list[Outgoing], Meta(max_length=50)] = []


class AddAlias(Request):
    """Add another name to an entity."""

    entity_id: Id
    text: Short
    language: AliasLanguage = "und"
    origin: Literal["declared", "imported", "confirmed", "suggested"] = "declared"


class ArchiveEntity(Request):
    """Take an entity out of use; its id keeps answering."""

    entity_id: Id


class CatalogEntry(Request):
    """One entity of a declared catalog, known by the catalog's own key."""

    key: Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9_.:-]*$(?!\n)", max_length=80)]
    """Stable name inside the catalog; it becomes the external id `catalog:<catalog>:<key>`."""
    type: EntityType
    names: Annotated[Names, Meta(min_length=1)]
    aliases: Annotated[list[Short], Meta(max_length=50)] = []
    description: Descriptions = {}
    external: Annotated[dict[System, Short], Meta(max_length=50)] = {}
    relations: dict[Predicate, str] = {}
    """Predicate to the key of another entry of the same catalog."""


class ApplyCatalog(Request):
    """Make the declared entities so; applying the same catalog again changes nothing."""

    catalog: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_-]*$(?!\n)", max_length=40)]
    entries: Annotated[list[CatalogEntry], Meta(max_length=2000)]


class CatalogApplied(Reply):
    """What applying a catalog did."""

    entity_ids: dict[str, Id]
    """Key of each entry to the entity it names."""
    created: int
    updated: int
    unchanged: int


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


class ListHistory(Request):
    """Show what changed, oldest first, of one entity or of all."""

    entity_id: Id | None = None
    after: Annotated[int, Meta(ge=0)] = 0
    limit: PageLimit = 100


class History(Reply):
    """A page of changes."""

    changes: list[Change]
    next_after: int


RESOLVE: Operation[Resolve, Resolution] = Operation(
    name="resolve",
    request=Resolve,
    reply=Resolution,
    scope="nexus.read",
    summary="Say which entity a text means, that it is ambiguous, or that there is none.",
    positional=("text",),
)
GET_ENTITY: Operation[GetEntity, Entity] = Operation(
    name="get_entity",
    request=GetEntity,
    reply=Entity,
    scope="nexus.read",
    summary="Show one entity with its names, external ids and relations.",
    positional=("entity_id",),
    alias="show",
)
LIST_ENTITIES: Operation[ListEntities, EntityList] = Operation(
    name="list_entities",
    request=ListEntities,
    reply=EntityList,
    scope="nexus.read",
    summary="List entities, all or of one type.",
)
LIST_RELATIONS: Operation[ListRelations, RelationList] = Operation(
    name="list_relations",
    request=ListRelations,
    reply=RelationList,
    scope="nexus.read",
    summary="List the relations that start or end at an entity.",
    positional=("entity_id",),
)
LIST_HISTORY: Operation[ListHistory, History] = Operation(
    name="list_history",
    request=ListHistory,
    reply=History,
    scope="nexus.read",
    summary="List recorded changes, who made them and for whom.",
)
CREATE_ENTITY: Operation[CreateEntity, Entity] = Operation(
    name="create_entity",
    request=CreateEntity,
    reply=Entity,
    scope="nexus.write",
    effect="write",
    summary="Add one entity.",
)
ADD_ALIAS: Operation[AddAlias, Entity] = Operation(
    name="add_alias",
    request=AddAlias,
    reply=Entity,
    scope="nexus.write",
    effect="write",
    summary="Add another name to an entity.",
    positional=("entity_id", "text"),
)
ARCHIVE_ENTITY: Operation[ArchiveEntity, Entity] = Operation(
    name="archive_entity",
    request=ArchiveEntity,
    reply=Entity,
    scope="nexus.write",
    effect="write",
    summary="Take an entity out of use; its id keeps answering.",
    positional=("entity_id",),
)
APPLY_CATALOG: Operation[ApplyCatalog, CatalogApplied] = Operation(
    name="apply_catalog",
    request=ApplyCatalog,
    reply=CatalogApplied,
    scope="nexus.write",
    effect="write",
    summary="Make a declared set of entities so, all or nothing.",
    timeout_s=30.0,
)

CONTRACT = Contract(
    "nexus",
    "1.0",
    RESOLVE,
    GET_ENTITY,
    LIST_ENTITIES,
    LIST_RELATIONS,
    LIST_HISTORY,
    CREATE_ENTITY,
    ADD_ALIAS,
    ARCHIVE_ENTITY,
    APPLY_CATALOG,
)

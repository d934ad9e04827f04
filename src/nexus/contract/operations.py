"""The operations of Nexus, one row each."""

from __future__ import annotations

from kit.contract import Contract, Operation
from nexus.contract.catalog import (
    ApplyCatalog,
    CatalogApplied,
    ExportCatalog,
    ExportedCatalog,
)
from nexus.contract.keeping import (
    AddAlias,
    ArchiveEntity,
    CreateEntity,
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
from nexus.contract.proposals import (
    AcceptProposal,
    ListProposals,
    Proposal,
    ProposalList,
    Proposed,
    ProposeEntities,
    RejectProposal,
)
from nexus.contract.reading import (
    ChangeList,
    EntityList,
    GetEntity,
    GetNeighbourhood,
    History,
    ListChanges,
    ListEntities,
    ListHistory,
    ListRelations,
    Neighbourhood,
    RelationList,
)
from nexus.contract.resolution import (
    BatchResolution,
    Candidates,
    Resolution,
    Resolve,
    ResolveBatch,
    Search,
    Suggest,
)
from nexus.contract.things import (
    Entity,
)

RESOLVE: Operation[Resolve, Resolution] = Operation(
    name="resolve",
    request=Resolve,
    reply=Resolution,
    scope="nexus.read",
    summary="Say which entity a text means, that it is ambiguous, or that there is none.",
    positional=("text",),
)
RESOLVE_BATCH: Operation[ResolveBatch, BatchResolution] = Operation(
    name="resolve_batch",
    request=ResolveBatch,
    reply=BatchResolution,
    scope="nexus.read",
    summary="Resolve many texts in one call.",
    timeout_s=30.0,
)
SEARCH: Operation[Search, Candidates] = Operation(
    name="search",
    request=Search,
    reply=Candidates,
    scope="nexus.read",
    summary="List entities that a text may be about, the likeliest first.",
    positional=("text",),
)
SUGGEST: Operation[Suggest, Candidates] = Operation(
    name="suggest",
    request=Suggest,
    reply=Candidates,
    scope="nexus.read",
    summary="Complete a name that somebody has begun to type.",
    positional=("prefix",),
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
GET_NEIGHBOURHOOD: Operation[GetNeighbourhood, Neighbourhood] = Operation(
    name="get_neighbourhood",
    request=GetNeighbourhood,
    reply=Neighbourhood,
    scope="nexus.read",
    summary="Show the entities around one, step by step along relations.",
    positional=("entity_id",),
)
LIST_HISTORY: Operation[ListHistory, History] = Operation(
    name="list_history",
    request=ListHistory,
    reply=History,
    scope="nexus.read",
    summary="List recorded changes, who made them, for whom and why.",
)
LIST_CHANGES: Operation[ListChanges, ChangeList] = Operation(
    name="list_changes",
    request=ListChanges,
    reply=ChangeList,
    scope="nexus.read",
    summary="Follow which entities change.",
    waits=True,
    timeout_s=65.0,
)
EXPORT_CATALOG: Operation[ExportCatalog, ExportedCatalog] = Operation(
    name="export_catalog",
    request=ExportCatalog,
    reply=ExportedCatalog,
    scope="nexus.read",
    summary="Show active entities as entries of a catalog.",
)
GIVE_FEEDBACK: Operation[GiveFeedback, Entity] = Operation(
    name="give_feedback",
    request=GiveFeedback,
    reply=Entity,
    scope="nexus.feedback",
    effect="write",
    summary="Record which entity a person meant by a text, or take that back.",
    positional=("text", "entity_id"),
)
CREATE_ENTITY: Operation[CreateEntity, Entity] = Operation(
    name="create_entity",
    request=CreateEntity,
    reply=Entity,
    scope="nexus.write",
    effect="write",
    summary="Add one entity.",
)
UPDATE_ENTITY: Operation[UpdateEntity, Entity] = Operation(
    name="update_entity",
    request=UpdateEntity,
    reply=Entity,
    scope="nexus.write",
    effect="write",
    summary="Change the type, names, description, attributes or status of an entity.",
    positional=("entity_id",),
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
MERGE_ENTITIES: Operation[MergeEntities, Entity] = Operation(
    name="merge_entities",
    request=MergeEntities,
    reply=Entity,
    scope="nexus.write",
    effect="write",
    summary="Make two entities one; the source's id then leads to the target.",
    positional=("source", "target"),
)
SPLIT_ENTITY: Operation[SplitEntity, Entity] = Operation(
    name="split_entity",
    request=SplitEntity,
    reply=Entity,
    scope="nexus.write",
    effect="write",
    summary="Undo a merge; the former id stands for itself again.",
    positional=("entity_id", "restore"),
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
RETRACT_ALIAS: Operation[RetractAlias, Entity] = Operation(
    name="retract_alias",
    request=RetractAlias,
    reply=Entity,
    scope="nexus.write",
    effect="write",
    summary="Take a name of an entity away again.",
    positional=("entity_id", "text"),
)
MAP_EXTERNAL: Operation[MapExternal, Entity] = Operation(
    name="map_external",
    request=MapExternal,
    reply=Entity,
    scope="nexus.write",
    effect="write",
    summary="Say what another system calls an entity.",
    positional=("entity_id", "system", "external_id"),
)
UNMAP_EXTERNAL: Operation[UnmapExternal, Entity] = Operation(
    name="unmap_external",
    request=UnmapExternal,
    reply=Entity,
    scope="nexus.write",
    effect="write",
    summary="Say that another system no longer calls an entity so.",
    positional=("entity_id", "system", "external_id"),
)
RELATE: Operation[Relate, Entity] = Operation(
    name="relate",
    request=Relate,
    reply=Entity,
    scope="nexus.write",
    effect="write",
    summary="Draw a relation from one entity to another.",
    positional=("subject", "predicate", "object"),
)
UNRELATE: Operation[Unrelate, Entity] = Operation(
    name="unrelate",
    request=Unrelate,
    reply=Entity,
    scope="nexus.write",
    effect="write",
    summary="Take a relation away.",
    positional=("subject", "predicate", "object"),
)
APPLY_CATALOG: Operation[ApplyCatalog, CatalogApplied] = Operation(
    name="apply_catalog",
    request=ApplyCatalog,
    reply=CatalogApplied,
    scope="nexus.write",
    effect="write",
    summary="Make a declared set of entities so, all or nothing.",
    timeout_s=120.0,
    largest_body=64 << 20,
)
PROPOSE_ENTITIES: Operation[ProposeEntities, Proposed] = Operation(
    name="propose_entities",
    request=ProposeEntities,
    reply=Proposed,
    scope="nexus.feedback",
    effect="write",
    summary="Put discovered things before a person.",
    timeout_s=30.0,
)
LIST_PROPOSALS: Operation[ListProposals, ProposalList] = Operation(
    name="list_proposals",
    request=ListProposals,
    reply=ProposalList,
    scope="nexus.write",
    summary="List what was discovered and waits for a person's answer.",
)
ACCEPT_PROPOSAL: Operation[AcceptProposal, Entity] = Operation(
    name="accept_proposal",
    request=AcceptProposal,
    reply=Entity,
    scope="nexus.write",
    effect="write",
    summary="Make a proposal an entity, or part of one that exists.",
    positional=("proposal_id",),
)
REJECT_PROPOSAL: Operation[RejectProposal, Proposal] = Operation(
    name="reject_proposal",
    request=RejectProposal,
    reply=Proposal,
    scope="nexus.write",
    effect="write",
    summary="Say that a proposal is not wanted.",
    positional=("proposal_id",),
)

CONTRACT = Contract(
    "nexus",
    "1.1",
    RESOLVE,
    RESOLVE_BATCH,
    SEARCH,
    SUGGEST,
    GET_ENTITY,
    LIST_ENTITIES,
    LIST_RELATIONS,
    GET_NEIGHBOURHOOD,
    LIST_HISTORY,
    LIST_CHANGES,
    EXPORT_CATALOG,
    GIVE_FEEDBACK,
    CREATE_ENTITY,
    UPDATE_ENTITY,
    ARCHIVE_ENTITY,
    MERGE_ENTITIES,
    SPLIT_ENTITY,
    ADD_ALIAS,
    RETRACT_ALIAS,
    MAP_EXTERNAL,
    UNMAP_EXTERNAL,
    RELATE,
    UNRELATE,
    APPLY_CATALOG,
    PROPOSE_ENTITIES,
    LIST_PROPOSALS,
    ACCEPT_PROPOSAL,
    REJECT_PROPOSAL,
)

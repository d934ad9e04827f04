"""Two entities become one and two again, and nothing of either is lost on the way."""

from __future__ import annotations

from typing import Any

import pytest

from kit.contract import Operation
from kit.errors import Conflict, FailedPrecondition, InvalidArgument, NotFound, ServiceError
from nexus import contract as table
from nexus.client import NexusClient
from nexus.contract import (
    AcceptProposal,
    AddAlias,
    ArchiveEntity,
    CreateEntity,
    Discovery,
    Entity,
    GetEntity,
    GetNeighbourhood,
    GiveFeedback,
    ListEntities,
    ListHistory,
    ListProposals,
    ListRelations,
    MapExternal,
    MergeEntities,
    Outgoing,
    ProposeEntities,
    Relate,
    RetractAlias,
    SplitEntity,
    UnmapExternal,
    Unrelate,
    UpdateEntity,
)
from tests.requirements import requirement

NOBODY = "ent_00000000000000000000000000"


async def make(nexus: NexusClient, name: str, **more: Any) -> Entity:
    return await nexus.create_entity(CreateEntity(type="service", names={"en": name}, **more))


async def show(nexus: NexusClient, entity: Entity) -> Entity:
    return await nexus.get_entity(GetEntity(entity_id=entity.entity_id))


async def merge(nexus: NexusClient, source: Entity, target: Entity) -> Entity:
    return await nexus.merge_entities(
        MergeEntities(source=source.entity_id, target=target.entity_id)
    )


async def split(nexus: NexusClient, entity: Entity, restore: Entity) -> Entity:
    return await nexus.split_entity(
        SplitEntity(entity_id=entity.entity_id, restore=restore.entity_id)
    )


def but_revision(entity: Entity) -> tuple[Any, ...]:
    return (
        entity.names,
        entity.status,
        entity.type,
        entity.description,
        entity.attributes,
        entity.aliases,
        entity.external,
        entity.relations,
        entity.merged,
    )


async def test_the_target_has_all_that_the_source_had(nexus: NexusClient) -> None:
    host, part = await make(nexus, "Shelf"), await make(nexus, "Part")
    source = await make(
        nexus,
        "Векна",
        aliases=["мозг"],
        external={"unit": "vecna"},
        relations=[Outgoing("runs_on", host.entity_id)],
    )
    target = await make(nexus, "Vecna", relations=[Outgoing("runs_on", host.entity_id)])
    await nexus.add_alias(AddAlias(source.entity_id, "память", "ru", "confirmed"))
    await nexus.relate(Relate(part.entity_id, "part_of", source.entity_id))
    await nexus.relate(Relate(source.entity_id, "uses", target.entity_id))

    merged = await merge(nexus, source, target)

    assert [(each.text, each.origin) for each in merged.aliases] == [
        ("Векна", "declared"),
        ("мозг", "declared"),
        ("память", "confirmed"),
    ]
    assert [each.external_id for each in merged.external] == ["vecna"]
    assert [(each.predicate, each.entity_id) for each in merged.relations] == [
        ("runs_on", host.entity_id)
    ]
    assert merged.merged == [source.entity_id]
    assert [each.entity_id for each in (await show(nexus, part)).relations] == [target.entity_id]
    assert await show(nexus, source) == merged
    asked = ListRelations(source.entity_id)
    assert {each.predicate for each in (await nexus.list_relations(asked)).relations} == {
        "part_of",
        "runs_on",
    }


@requirement("nexus.model.merge")
async def test_a_split_gives_back_exactly_what_was_merged(nexus: NexusClient) -> None:
    host = await make(nexus, "Shelf")
    source = await make(
        nexus,
        "Vecna",
        aliases=["brain"],
        description={"en": "Memory."},
        attributes={"port": 7},
        external={"unit": "vecna"},
        relations=[Outgoing("runs_on", host.entity_id)],
    )
    target = await make(nexus, "Venka", aliases=["brain"])
    await merge(nexus, source, target)
    await nexus.retract_alias(RetractAlias(target.entity_id, "Vecna"))
    await nexus.unmap_external(UnmapExternal(target.entity_id, "unit", "vecna"))
    await nexus.unrelate(Unrelate(target.entity_id, "runs_on", host.entity_id))
    await nexus.update_entity(UpdateEntity(target.entity_id, attributes={"port": 8}))

    restored = await split(nexus, target, source)
    survivor = await show(nexus, target)

    assert but_revision(restored) == but_revision(source)
    assert restored == await show(nexus, source)
    assert [alias.text for alias in survivor.aliases] == ["brain"]
    assert (survivor.external, survivor.relations, survivor.merged) == ([], [], [])


async def test_what_others_were_given_meanwhile_stays_theirs(nexus: NexusClient) -> None:
    source = await make(nexus, "Vecna", external={"unit": "vecna"})
    target, other = await make(nexus, "Venka"), await make(nexus, "Other")
    await merge(nexus, source, target)
    await nexus.add_alias(AddAlias(target.entity_id, "Vecna", origin="confirmed"))
    await nexus.unmap_external(UnmapExternal(target.entity_id, "unit", "vecna"))
    await nexus.map_external(MapExternal(other.entity_id, "unit", "vecna"))

    restored = await split(nexus, target, source)

    assert restored.external == []
    assert [each.external_id for each in (await show(nexus, other)).external] == ["vecna"]
    assert [alias.text for alias in (await show(nexus, target)).aliases] == ["Vecna"]


@requirement("nexus.model.merge")
@pytest.mark.parametrize("leaving", ["first", "second"])
async def test_a_chain_answers_with_its_end_and_splits_anywhere(
    nexus: NexusClient, leaving: str
) -> None:
    first, second, last = [await make(nexus, name) for name in ("First", "Second", "Last")]
    await merge(nexus, first, second)
    before = await show(nexus, second)
    merged = await merge(nexus, second, last)

    assert await show(nexus, first) == merged
    assert merged.merged == sorted([first.entity_id, second.entity_id])
    restored = await split(nexus, last, first if leaving == "first" else second)

    if leaving == "second":
        assert but_revision(restored) == but_revision(before)
        assert await show(nexus, first) == restored
        assert (await show(nexus, last)).aliases == []
    else:
        assert but_revision(restored) == but_revision(first)
        assert (await show(nexus, last)).merged == [second.entity_id]
        assert [each.text for each in (await show(nexus, last)).aliases] == ["Second"]


async def test_both_have_a_line_of_history_that_says_why(nexus: NexusClient) -> None:
    source, target = await make(nexus, "Source"), await make(nexus, "Target")
    await nexus.merge_entities(
        MergeEntities(source.entity_id, target.entity_id, why="the same box")
    )

    for entity in (source, target):
        history = await nexus.list_history(ListHistory(entity_id=entity.entity_id))

        assert [each.operation for each in history.changes] == ["create_entity", "merge_entities"]
        assert history.changes[-1].why == "the same box"
    merged = await nexus.list_entities(ListEntities(status="merged"))
    assert [each.entity_id for each in merged.entities] == [source.entity_id]


async def test_what_cannot_be_one_stays_two(nexus: NexusClient) -> None:
    one, other, gone, lower = [await make(nexus, f"Number {number}") for number in range(4)]
    between = await make(nexus, "Between", relations=[Outgoing("part_of", one.entity_id)])
    await nexus.relate(Relate(lower.entity_id, "part_of", between.entity_id))
    await nexus.archive_entity(ArchiveEntity(gone.entity_id))
    refused: list[tuple[MergeEntities, type[ServiceError], str]] = [
        (MergeEntities(one.entity_id, one.entity_id), InvalidArgument, "target"),
        (MergeEntities(NOBODY, one.entity_id), NotFound, "source"),
        (MergeEntities(one.entity_id, NOBODY), NotFound, "target"),
        (MergeEntities(gone.entity_id, one.entity_id), FailedPrecondition, "source"),
        (MergeEntities(one.entity_id, gone.entity_id), FailedPrecondition, "target"),
        (MergeEntities(lower.entity_id, one.entity_id), FailedPrecondition, "source"),
        (MergeEntities(one.entity_id, other.entity_id, if_revision=9), Conflict, "if_revision"),
    ]
    before = await nexus.list_history(ListHistory(limit=500))

    for request, failure, field in refused:
        with pytest.raises(failure) as caught:
            await nexus.merge_entities(request)
        assert caught.value.field == field
    with pytest.raises(FailedPrecondition) as caught:
        await split(nexus, one, other)

    assert (caught.value.reason, caught.value.field) == ("not_merged", "restore")
    assert await nexus.list_history(ListHistory(limit=500)) == before


async def test_whoever_changes_a_merged_entity_is_told_its_successor(nexus: NexusClient) -> None:
    first, second, last = [await make(nexus, name) for name in ("First", "Second", "Last")]
    await merge(nexus, first, second)
    await merge(nexus, second, last)
    discovery = Discovery(system="unit", external_id="x", type="service", names={"en": "X"})
    await nexus.propose_entities(ProposeEntities([discovery]))
    proposal = (await nexus.list_proposals(ListProposals())).proposals[0]
    former, there = first.entity_id, last.entity_id
    requests: list[tuple[Operation[Any, Any], Any, str]] = [
        (table.UPDATE_ENTITY, UpdateEntity(former, status="active"), "entity_id"),
        (table.ARCHIVE_ENTITY, ArchiveEntity(former), "entity_id"),
        (table.MERGE_ENTITIES, MergeEntities(former, there), "source"),
        (table.MERGE_ENTITIES, MergeEntities(there, former), "target"),
        (table.SPLIT_ENTITY, SplitEntity(former, there), "entity_id"),
        (table.ADD_ALIAS, AddAlias(former, "x"), "entity_id"),
        (table.RETRACT_ALIAS, RetractAlias(former, "x"), "entity_id"),
        (table.MAP_EXTERNAL, MapExternal(former, "unit", "x"), "entity_id"),
        (table.UNMAP_EXTERNAL, UnmapExternal(former, "unit", "x"), "entity_id"),
        (table.RELATE, Relate(former, "uses", there), "subject"),
        (table.RELATE, Relate(there, "uses", former), "object"),
        (table.UNRELATE, Unrelate(former, "uses", there), "subject"),
        (table.UNRELATE, Unrelate(there, "uses", former), "object"),
        (table.GIVE_FEEDBACK, GiveFeedback("x", former), "entity_id"),
        (table.ACCEPT_PROPOSAL, AcceptProposal(proposal.proposal_id, into=former), "into"),
        (
            table.CREATE_ENTITY,
            CreateEntity("x", {"en": "X"}, relations=[Outgoing("uses", former)]),
            "relations[0].object",
        ),
    ]

    for operation, request, field in requests:
        with pytest.raises(Conflict, match=last.entity_id) as caught:
            await nexus.call(operation, request)

        assert (caught.value.reason, caught.value.field) == ("entity_merged", field)


async def test_a_split_that_would_let_a_thing_contain_itself_is_refused(
    nexus: NexusClient,
) -> None:
    target, shelf = await make(nexus, "Target"), await make(nexus, "Shelf")
    source = await make(nexus, "Source", relations=[Outgoing("part_of", shelf.entity_id)])
    await nexus.relate(Relate(target.entity_id, "part_of", source.entity_id))
    await merge(nexus, source, target)
    await nexus.unrelate(Unrelate(target.entity_id, "part_of", shelf.entity_id))
    await nexus.relate(Relate(shelf.entity_id, "part_of", target.entity_id))

    with pytest.raises(FailedPrecondition) as caught:
        await split(nexus, target, source)

    assert caught.value.reason == "relation_cycle"
    around = await nexus.get_neighbourhood(GetNeighbourhood(source.entity_id))
    assert {each.entity_id for each in around.entities} == {target.entity_id, shelf.entity_id}

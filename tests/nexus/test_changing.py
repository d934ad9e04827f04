"""An entity is updated, confirmed, mapped and related; what is taken back can be given again."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from kit.errors import (
    Conflict,
    FailedPrecondition,
    InvalidArgument,
    NotFound,
    PermissionDenied,
)
from nexus.client import NexusClient
from nexus.contract import (
    AddAlias,
    ArchiveEntity,
    CreateEntity,
    Entity,
    GetEntity,
    GiveFeedback,
    ListEntities,
    ListHistory,
    ListRelations,
    MapExternal,
    Outgoing,
    Relate,
    RetractAlias,
    UnmapExternal,
    Unrelate,
    UpdateEntity,
)
from tests.nexus.conftest import Connect
from tests.requirements import requirement

NOBODY = "ent_00000000000000000000000000"


async def make(nexus: NexusClient, name: str = "Vecna", **more: Any) -> Entity:
    return await nexus.create_entity(CreateEntity(type="service", names={"en": name}, **more))


def aliases(entity: Entity) -> list[tuple[str, str]]:
    return [(alias.text, alias.origin) for alias in entity.aliases]


async def test_what_is_left_out_of_an_update_stays(nexus: NexusClient) -> None:
    made = await make(nexus, description={"en": "Memory."}, attributes={"port": 7})

    renamed = await nexus.update_entity(UpdateEntity(made.entity_id, names={"ru": "Векна"}))
    described = await nexus.update_entity(
        UpdateEntity(made.entity_id, type="application", description={"ru": "Память.", "en": ""})
    )

    assert renamed.names == {"en": "Vecna", "ru": "Векна"}
    assert (renamed.description, renamed.attributes) == ({"en": "Memory."}, {"port": 7})
    assert (described.names, described.attributes) == (renamed.names, {"port": 7})
    assert (described.type, described.description) == ("application", {"ru": "Память."})


async def test_a_replaced_name_stays_as_an_alias_and_a_swapped_one_does_not(
    nexus: NexusClient,
) -> None:
    made = await nexus.create_entity(CreateEntity("service", {"en": "Vecna", "ru": "Векна"}))

    swapped = await nexus.update_entity(
        UpdateEntity(made.entity_id, names={"en": "Векна", "ru": "Vecna"})
    )
    renamed = await nexus.update_entity(UpdateEntity(made.entity_id, names={"en": "Venka"}))

    assert swapped.aliases == []
    assert [(each.text, each.language, each.origin) for each in renamed.aliases] == [
        ("Векна", "en", "declared")
    ]


async def test_an_archived_entity_is_taken_back_into_use_with_all_it_had(
    nexus: NexusClient,
) -> None:
    made = await make(nexus, aliases=["brain"], external={"unit": "vecna"})
    await nexus.archive_entity(ArchiveEntity(made.entity_id))
    with pytest.raises(FailedPrecondition, match="update_entity"):
        await nexus.update_entity(UpdateEntity(made.entity_id, names={"en": "X"}))

    restored = await nexus.update_entity(UpdateEntity(made.entity_id, status="active"))
    again = await nexus.update_entity(UpdateEntity(made.entity_id, status="active"))

    assert restored == again
    assert (restored.status, restored.aliases, restored.external) == (
        "active",
        made.aliases,
        made.external,
    )


async def test_a_stale_revision_is_a_conflict_and_changes_nothing(nexus: NexusClient) -> None:
    made = await make(nexus)
    changed = await nexus.add_alias(AddAlias(made.entity_id, "brain"))

    with pytest.raises(Conflict) as update:
        await nexus.update_entity(UpdateEntity(made.entity_id, names={"en": "X"}, if_revision=1))
    with pytest.raises(Conflict) as archive:
        await nexus.archive_entity(ArchiveEntity(made.entity_id, if_revision=1))
    shown = await nexus.get_entity(GetEntity(made.entity_id))

    for caught in (update.value, archive.value):
        assert (caught.reason, caught.field) == ("revision_stale", "if_revision")
    assert shown == changed
    assert (
        await nexus.archive_entity(ArchiveEntity(made.entity_id, if_revision=2))
    ).status == "archived"


@requirement("nexus.model.alias")
async def test_one_text_is_shown_once_with_the_strongest_who_vouches(nexus: NexusClient) -> None:
    made = await make(nexus)
    for origin in ("imported", "confirmed", "declared", "suggested"):
        await nexus.add_alias(AddAlias(made.entity_id, "brain", origin=origin))
    shown = await nexus.get_entity(GetEntity(made.entity_id))

    weaker = await nexus.retract_alias(RetractAlias(made.entity_id, "brain", "confirmed"))
    gone = await nexus.retract_alias(RetractAlias(made.entity_id, "brain"))
    still_gone = await nexus.retract_alias(RetractAlias(made.entity_id, "brain"))
    back = await nexus.add_alias(AddAlias(made.entity_id, "brain", origin="imported"))

    assert aliases(shown) == [("brain", "confirmed")]
    assert aliases(weaker) == [("brain", "declared")]
    assert gone.aliases == []
    assert still_gone == gone
    assert aliases(back) == [("brain", "imported")]


async def test_what_is_no_alias_cannot_be_retracted(nexus: NexusClient) -> None:
    made = await make(nexus)

    with pytest.raises(FailedPrecondition, match="update_entity") as name:
        await nexus.retract_alias(RetractAlias(made.entity_id, "Vecna"))
    with pytest.raises(NotFound) as unknown:
        await nexus.retract_alias(RetractAlias(made.entity_id, "brain"))

    assert (name.value.reason, name.value.field) == ("alias_is_name", "text")
    assert (unknown.value.reason, unknown.value.field) == ("alias_unknown", "text")


@requirement("nexus.resolution.feedback")
async def test_an_answer_is_kept_once_and_taken_back_alone(nexus: NexusClient) -> None:
    made = await make(nexus, aliases=["brain"])
    first = await nexus.give_feedback(GiveFeedback("мозг", made.entity_id, why="asked"))
    second = await nexus.give_feedback(GiveFeedback("мозг", made.entity_id))
    named = await nexus.give_feedback(GiveFeedback("Vecna", made.entity_id))
    both = await nexus.give_feedback(GiveFeedback("brain", made.entity_id))
    history = await nexus.list_history(ListHistory(made.entity_id))

    for text in ("мозг", "Vecna", "brain"):
        taken = await nexus.give_feedback(GiveFeedback(text, made.entity_id, verdict="retract"))
    with pytest.raises(FailedPrecondition) as nothing:
        await nexus.give_feedback(GiveFeedback("brain", made.entity_id, verdict="retract"))

    assert first == second
    assert aliases(first) == [("brain", "declared"), ("мозг", "confirmed")]
    assert ("Vecna", "confirmed") in aliases(named)
    assert ("brain", "confirmed") in aliases(both)
    assert [(each.operation, each.why) for each in history.changes][1:] == [
        ("give_feedback", "asked"),
        ("give_feedback", ""),
        ("give_feedback", ""),
    ]
    assert aliases(taken) == [("brain", "declared")]
    assert (nothing.value.reason, nothing.value.field) == ("not_confirmed", "text")


@pytest.mark.parametrize("verdict", ["confirm", "retract"])
async def test_only_a_person_answers(connect: Connect, verdict: Any) -> None:
    made = await make(connect())
    await connect().give_feedback(GiveFeedback("brain", made.entity_id))

    for requester in ("agent:max", "service:mavend"):
        with pytest.raises(PermissionDenied) as caught:
            await connect(requester=requester).give_feedback(
                GiveFeedback("brain", made.entity_id, verdict=verdict)
            )

        assert caught.value.reason == "origin_foreign"
    with pytest.raises(NotFound):
        await connect().give_feedback(GiveFeedback("Vecna", NOBODY, verdict=verdict))


async def test_an_external_id_has_one_owner_at_a_time(nexus: NexusClient) -> None:
    one, other = await make(nexus, "One"), await make(nexus, "Other")
    mapped = await nexus.map_external(MapExternal(one.entity_id, "unit", "x", confidence=0.5))
    again = await nexus.map_external(MapExternal(one.entity_id, "unit", "x", confidence=0.5))

    for call in (
        nexus.map_external(MapExternal(other.entity_id, "unit", "x")),
        nexus.unmap_external(UnmapExternal(other.entity_id, "unit", "x")),
    ):
        with pytest.raises(Conflict, match=one.entity_id) as caught:
            await call
        assert caught.value.reason == "external_taken"
    free = await nexus.unmap_external(UnmapExternal(one.entity_id, "unit", "x"))
    still = await nexus.unmap_external(UnmapExternal(one.entity_id, "unit", "x"))
    moved = await nexus.map_external(MapExternal(other.entity_id, "unit", "x"))

    assert mapped == again
    assert [(each.external_id, each.confidence) for each in mapped.external] == [("x", 0.5)]
    assert free.external == []
    assert still == free
    assert [each.external_id for each in moved.external] == ["x"]


@requirement("nexus.model.mapping")
async def test_writers_at_the_same_time_never_map_an_external_id_twice(connect: Connect) -> None:
    clients = [connect() for _ in range(6)]
    made = [await make(clients[0], f"Number {number}") for number in range(6)]

    outcomes = await asyncio.gather(
        *(
            client.map_external(MapExternal(entity.entity_id, "unit", f"x{number % 3}"))
            for number in range(6)
            for client, entity in zip(clients, made, strict=True)
        ),
        return_exceptions=True,
    )
    shown = (await clients[0].list_entities(ListEntities())).entities

    assert {type(each) for each in outcomes} == {Entity, Conflict}
    owned = [each.external_id for entity in shown for each in entity.external]
    assert sorted(owned) == ["x0", "x1", "x2"]


async def test_keys_of_catalogs_are_not_mapped_by_hand(nexus: NexusClient) -> None:
    made = await make(nexus)

    for call in (
        nexus.map_external(MapExternal(made.entity_id, "catalog", "home:x")),
        nexus.unmap_external(UnmapExternal(made.entity_id, "catalog", "home:x")),
    ):
        with pytest.raises(InvalidArgument) as caught:
            await call
        assert (caught.value.reason, caught.value.field) == ("system_reserved", "system")


async def test_an_agent_maps_no_more_than_it_may_vouch_for(connect: Connect) -> None:
    made = await make(connect())
    agent = connect(requester="agent:max")

    with pytest.raises(PermissionDenied) as caught:
        await agent.map_external(MapExternal(made.entity_id, "unit", "x"))
    suggested = await agent.map_external(MapExternal(made.entity_id, "unit", "x", "suggested"))

    assert caught.value.field == "origin"
    assert suggested.external[0].origin == "suggested"


@requirement("nexus.model.relation")
async def test_a_relation_reads_from_both_ends_and_is_drawn_once(nexus: NexusClient) -> None:
    shelf, vecna = await make(nexus, "Shelf"), await make(nexus)

    drawn = await nexus.relate(Relate(vecna.entity_id, "located_in", shelf.entity_id))
    again = await nexus.relate(Relate(vecna.entity_id, "located_in", shelf.entity_id))
    await nexus.relate(Relate(vecna.entity_id, "x_fed_by", shelf.entity_id))
    seen = await nexus.list_relations(ListRelations(shelf.entity_id))
    await nexus.unrelate(Unrelate(vecna.entity_id, "located_in", shelf.entity_id))
    gone = await nexus.unrelate(Unrelate(vecna.entity_id, "x_fed_by", shelf.entity_id))

    assert drawn == again
    assert [each.inverse for each in seen.relations] == ["contains", "inverse of x_fed_by"]
    assert gone.relations == []


@requirement("nexus.model.relation")
@pytest.mark.parametrize("predicate", ["part_of", "located_in", "member_of"])
async def test_nothing_contains_itself(nexus: NexusClient, predicate: str) -> None:
    top = await make(nexus, "Top")
    middle = await make(nexus, "Middle", relations=[Outgoing(predicate, top.entity_id)])
    low = await make(nexus, "Low", relations=[Outgoing(predicate, middle.entity_id)])

    for far in (low, top):
        with pytest.raises(FailedPrecondition) as caught:
            await nexus.relate(Relate(top.entity_id, predicate, far.entity_id))

        assert (caught.value.reason, caught.value.field) == ("relation_cycle", "object")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"names": {"en": "\x07"}}, "names.en"),
        ({"description": {"en": "a\x1b[31m"}}, "description.en"),
        ({"attributes": {"a\n": 1}}, "attributes.a\n"),
        ({"attributes": {"a": "\x00"}}, "attributes.a"),
        ({"attributes": {"a": "x" * 2001}}, "attributes.a"),
        ({"why": "\x1b[2J"}, "why"),
    ],
)
async def test_what_cannot_be_said_is_refused_by_its_field(
    nexus: NexusClient, change: dict[str, Any], field: str
) -> None:
    made = await make(nexus)

    with pytest.raises(InvalidArgument) as caught:
        await nexus.update_entity(UpdateEntity(made.entity_id, **change))

    assert caught.value.field == field
    assert await nexus.get_entity(GetEntity(made.entity_id)) == made

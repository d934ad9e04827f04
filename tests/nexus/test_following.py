"""What changed is followed by a cursor, and what is around an entity is walked step by step."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from kit.address import Address
from kit.errors import NotFound
from kit.testing import FrozenClock, grants, hosting
from nexus.app import open_part
from nexus.client import NexusClient
from nexus.contract import (
    AddAlias,
    ArchiveEntity,
    CreateEntity,
    Entity,
    GetNeighbourhood,
    ListChanges,
    ListEntities,
    ListHistory,
    MergeEntities,
    Neighbourhood,
    Relate,
    UpdateEntity,
)
from nexus.settings import Settings
from tests.nexus.conftest import KEEPER, Connect
from tests.requirements import requirement


async def make(nexus: NexusClient, name: str, **more: Any) -> Entity:
    return await nexus.create_entity(CreateEntity(type="service", names={"en": name}, **more))


@requirement("nexus.surface.changes")
async def test_every_change_is_followed_once_and_in_order(
    nexus: NexusClient, clock: FrozenClock
) -> None:
    one, other = await make(nexus, "One"), await make(nexus, "Other")
    await nexus.add_alias(AddAlias(one.entity_id, "first"))
    await nexus.merge_entities(MergeEntities(one.entity_id, other.entity_id))

    first = await nexus.list_changes(ListChanges(limit=2))
    rest = await nexus.list_changes(ListChanges(after=first.next_after))
    end = await nexus.list_changes(ListChanges(after=rest.next_after))

    told = [*first.changes, *rest.changes]
    assert [(each.operation, each.entity_id, each.status, each.revision) for each in told] == [
        ("create_entity", one.entity_id, "active", 1),
        ("create_entity", other.entity_id, "active", 1),
        ("add_alias", one.entity_id, "active", 2),
        ("merge_entities", one.entity_id, "merged", 3),
        ("merge_entities", other.entity_id, "active", 2),
    ]
    assert {each.at for each in told} == {clock.now()}
    assert (end.changes, end.next_after) == ([], rest.next_after)


async def test_who_waits_for_news_is_woken_by_a_change(connect: Connect) -> None:
    follower, nexus = connect(), connect()

    waiting = asyncio.ensure_future(follower.list_changes(ListChanges(wait_s=30)))
    made = await make(nexus, "One")
    async with asyncio.timeout(10):
        news = await waiting

    assert [each.entity_id for each in news.changes] == [made.entity_id]


async def test_who_waits_for_news_does_not_keep_the_part_from_stopping(folder: Path) -> None:
    known = grants(folder / "grants.json", "nexus", KEEPER)
    address = Address(path=str(folder / "s"))
    async with (
        hosting(open_part(Settings(), folder, known), folder / "s") as running,
        NexusClient(address, KEEPER.secret, requester="user:anna") as follower,
    ):
        for pulse in running.pulses:  # as a part that stops does first
            pulse.close()
        async with asyncio.timeout(10):
            news = await follower.list_changes(ListChanges(wait_s=50))

    assert news.changes == []


@requirement("nexus.model.history", "invariant.10")
async def test_history_says_why(nexus: NexusClient) -> None:
    made = await make(nexus, "One", why="new here")
    await nexus.update_entity(UpdateEntity(made.entity_id, names={"en": "Two"}, why="renamed"))
    await nexus.archive_entity(ArchiveEntity(made.entity_id, why="gone"))

    history = await nexus.list_history(ListHistory(made.entity_id))

    assert [each.why for each in history.changes] == ["new here", "renamed", "gone"]


async def chain(nexus: NexusClient, length: int) -> list[Entity]:
    """Entities of which each uses the next."""
    made = [await make(nexus, f"Number {number}") for number in range(length)]
    for one, following in pairwise(made):
        await nexus.relate(Relate(one.entity_id, "uses", following.entity_id))
    return made


def distances(around: Neighbourhood) -> dict[str, int]:
    return {each.names["en"]: each.distance for each in around.entities}


@requirement("nexus.surface.neighbourhood")
async def test_a_neighbourhood_is_walked_in_both_directions_to_its_depth(
    nexus: NexusClient,
) -> None:
    made = await chain(nexus, 6)
    middle = made[2].entity_id

    near = await nexus.get_neighbourhood(GetNeighbourhood(middle))
    far = await nexus.get_neighbourhood(GetNeighbourhood(middle, depth=2))
    none = await nexus.get_neighbourhood(GetNeighbourhood(middle, 4, ["part_of"]))

    assert distances(near) == {"Number 2": 0, "Number 1": 1, "Number 3": 1}
    assert distances(far) == {**distances(near), "Number 0": 2, "Number 4": 2}
    assert next(each.names["en"] for each in far.entities) == "Number 2"
    assert len(far.relations) == 4
    assert {each.inverse for each in far.relations} == {"used_by"}
    assert near.is_whole
    assert far.is_whole
    assert distances(none) == {"Number 2": 0}


@requirement("nexus.surface.neighbourhood")
async def test_where_there_is_too_much_the_nearest_are_kept(nexus: NexusClient) -> None:
    made = await chain(nexus, 5)
    hub = await make(nexus, "Hub")
    for each in made:
        await nexus.relate(Relate(each.entity_id, "runs_on", hub.entity_id))

    around = await nexus.get_neighbourhood(GetNeighbourhood(made[0].entity_id, depth=2, limit=4))

    assert not around.is_whole
    assert list(distances(around).values()) == [0, 1, 1, 2]
    kept = {each.entity_id for each in around.entities}
    assert {each.subject for each in around.relations} <= kept
    assert {each.object for each in around.relations} <= kept


async def test_what_surrounds_a_former_id_is_around_its_successor(nexus: NexusClient) -> None:
    made = await chain(nexus, 3)
    target = await make(nexus, "Target")
    await nexus.merge_entities(MergeEntities(made[1].entity_id, target.entity_id))

    around = await nexus.get_neighbourhood(GetNeighbourhood(made[1].entity_id))
    with pytest.raises(NotFound) as unknown:
        await nexus.get_neighbourhood(GetNeighbourhood("ent_0"))

    assert distances(around) == {"Target": 0, "Number 0": 1, "Number 2": 1}
    assert unknown.value.field == "entity_id"


async def test_entities_are_listed_by_status_and_type_together(nexus: NexusClient) -> None:
    kinds = ["service", "service.web", "services", "a", "service.web"]
    made = [await nexus.create_entity(CreateEntity(kind, {"en": f"N {kind}"})) for kind in kinds]
    await nexus.archive_entity(ArchiveEntity(made[1].entity_id))

    async def listed(**asked: Any) -> list[int]:
        found = await nexus.list_entities(ListEntities(**asked))
        return [made.index(msg) for msg in made if msg.entity_id in ids_of(found.entities)]

    assert await listed(type="service") == [0, 1, 4]
    assert await listed(type="service", status="active") == [0, 4]
    assert await listed(status="archived") == [1]
    assert await listed(type="nothing") == []


def ids_of(entities: list[Entity]) -> list[str]:
    return [each.entity_id for each in entities]

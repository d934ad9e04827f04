"""Whose items they are: of the entity a report names, or else of its source's, now and later."""

import msgspec
import pytest

from kit.testing import FrozenClock
from praxis.contract import ListAttention, ListChanges, ListItems, PutSource
from tests.praxis.conftest import ENTITY, World
from tests.requirements import requirement

NAS = PutSource(source="backup:nas", kind="backup", expected_every_s=90_000, entity_id=ENTITY)
BETA = "ent_beta"


async def report(world: World, state: str = "problem", **said: object) -> None:
    """The source reports, and names no entity unless told to."""
    observation = world.report(source="backup:nas", kind="backup", entity_id=None)
    await world.praxis.observe(msgspec.structs.replace(observation, state=state, **said))


async def found(world: World, entity_id: str) -> list[str]:
    """The sources of the items found by an entity, in both lists."""
    listed = await world.praxis.list_items(ListItems(entity_ids=[entity_id]))
    attention = await world.praxis.list_attention(ListAttention(entity_ids=[entity_id]))
    items = [item.source for item in listed.items]
    assert [ranked.item.source for ranked in attention.items] == items
    return items


async def test_an_item_is_of_its_source_s_entity_when_it_names_none(world: World) -> None:
    await world.praxis.put_source(NAS)

    await report(world)

    page = await world.praxis.list_changes(ListChanges(after=0, entity_ids=[ENTITY]))
    assert (await world.item("backup:nas")).entity_id == ENTITY
    assert await found(world, ENTITY) == ["backup:nas"]
    assert [change.what for change in page.changes] == ["item_opened"]


async def test_an_entity_that_is_named_wins_over_the_source_s(
    world: World, clock: FrozenClock
) -> None:
    await world.praxis.put_source(NAS)
    await report(world, entity_id=BETA)
    clock.advance(1)
    await report(world)

    assert await found(world, BETA) == ["backup:nas"]
    assert await found(world, ENTITY) == []


@pytest.mark.parametrize("first", [None, BETA])
async def test_items_follow_their_source_to_its_entity(world: World, first: str | None) -> None:
    await world.praxis.put_source(msgspec.structs.replace(NAS, entity_id=first))
    await report(world)

    await world.praxis.put_source(NAS)

    assert await found(world, ENTITY) == ["backup:nas"]
    assert await found(world, BETA) == []


async def test_items_follow_a_source_that_is_registered_only_later(world: World) -> None:
    await report(world)
    before = (await world.item("backup:nas")).entity_id

    await world.praxis.put_source(NAS)

    assert before is None
    assert await found(world, ENTITY) == ["backup:nas"]


async def test_an_item_that_names_its_entity_follows_nobody(world: World) -> None:
    await world.praxis.put_source(NAS)
    await report(world, entity_id="ent_gamma")

    await world.praxis.put_source(msgspec.structs.replace(NAS, entity_id=BETA))

    assert await found(world, "ent_gamma") == ["backup:nas"]


async def test_an_item_has_no_entity_once_its_source_has_none(world: World) -> None:
    await world.praxis.put_source(NAS)
    await report(world)

    await world.praxis.put_source(msgspec.structs.replace(NAS, entity_id=None))

    assert (await world.item("backup:nas")).entity_id is None
    assert await found(world, ENTITY) == []


async def test_the_item_of_a_silent_source_follows_it_too(world: World) -> None:
    await world.praxis.put_source(msgspec.structs.replace(NAS, expected_every_s=10))
    await world.pass_time(40)
    silent = await found(world, ENTITY)

    await world.praxis.put_source(msgspec.structs.replace(NAS, expected_every_s=10, entity_id=BETA))

    assert silent == ["praxis"]
    assert await found(world, BETA) == ["praxis"]


@requirement("arch.8")
async def test_an_execution_on_the_entity_reaches_the_items_that_inherited_it(
    world: World, clock: FrozenClock
) -> None:
    await world.praxis.put_source(NAS)
    await report(world)
    clock.advance(1)

    reported = await world.praxis.report_execution(world.done())

    item = await world.item("backup:nas")
    assert reported.item_ids == [item.item_id]
    assert item.awaiting_recovery


@requirement("arch.8")
@pytest.mark.parametrize("entity_first", [True, False])
@pytest.mark.parametrize("execution_first", [True, False])
async def test_a_healthy_word_counts_for_the_entity_of_its_source_whatever_came_first(
    world: World, entity_first: bool, execution_first: bool
) -> None:
    watcher = PutSource(source="watcher", kind="health", expected_every_s=90_000, entity_id=ENTITY)
    if entity_first:
        await world.praxis.put_source(watcher)
    if execution_first:
        await world.praxis.report_execution(world.done(at=-10))
    await world.praxis.observe(
        world.report("ok", at=-5, source="watcher", kind="health", entity_id=None)
    )
    if not execution_first:
        await world.praxis.report_execution(world.done(at=-10))
    if not entity_first:
        await world.praxis.put_source(watcher)

    item = await world.item("hexis")
    assert (item.operational, item.recovered_at) == ("recovered", world.at(-5))


@requirement("arch.8", "invariant.7")
async def test_success_goes_on_being_waited_on_when_the_item_leaves_its_entity(
    world: World, clock: FrozenClock
) -> None:
    await world.praxis.put_source(NAS)
    await report(world)
    clock.advance(1)
    await world.praxis.report_execution(world.done())

    await world.praxis.put_source(msgspec.structs.replace(NAS, entity_id=BETA))

    left, waits = await world.item("backup:nas"), await world.item("hexis")
    assert (left.entity_id, left.awaiting_recovery) == (BETA, False)
    assert (waits.entity_id, waits.awaiting_recovery) == (ENTITY, True)


async def test_success_goes_on_being_waited_on_when_a_report_names_another_entity(
    world: World, clock: FrozenClock
) -> None:
    await report(world, entity_id=ENTITY)
    clock.advance(1)
    await world.praxis.report_execution(world.done())
    clock.advance(1)

    await report(world, entity_id=BETA)

    assert not (await world.item("backup:nas")).awaiting_recovery
    assert (await world.item("hexis")).awaiting_recovery


async def test_inherited_entities_outlive_a_restart(world: World) -> None:
    await world.praxis.put_source(NAS)
    await report(world)

    await world.restart()

    assert await found(world, ENTITY) == ["backup:nas"]

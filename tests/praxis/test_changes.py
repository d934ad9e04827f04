"""The change feed: complete, in order, each change once, and news without delay."""

import asyncio

import pytest

from kit.errors import FailedPrecondition
from kit.testing import FrozenClock
from praxis.client import PraxisClient
from praxis.contract import Change, ListChanges, ObservedState, Transition
from tests.praxis.conftest import KEEPER, World
from tests.requirements import requirement


async def follow(praxis: PraxisClient, count: int) -> list[Change]:
    """Read the feed from its beginning as a careful reader does, until so many are seen."""
    seen: list[Change] = []
    after = 0
    while len(seen) < count:
        page = await praxis.list_changes(ListChanges(after=after, limit=7, wait_s=10))
        assert page.changes, f"{len(seen)} of {count} changes came"
        seen += page.changes
        after = page.next_after
    return seen


@requirement("phase.4.change-cursor")
async def test_readers_beside_many_writers_see_every_change_once_and_in_order(
    world: World,
) -> None:
    reader = world.connect(KEEPER, "user:boris")

    states: list[ObservedState] = ["problem", "ok", "problem", "ok"]

    async def write(number: int) -> None:
        for step, state in enumerate(states):
            report = world.report(state, at=step - 9, source=f"log:{number}")
            await world.praxis.observe(report)

    reading = asyncio.gather(follow(world.praxis, 80), follow(reader, 80))
    await asyncio.gather(*(write(number) for number in range(20)))
    first, second = await reading

    assert [change.cursor for change in first] == list(range(1, 81))
    assert first == second
    for number in range(20):
        told = [change.what for change in first if change.source == f"log:{number}"]
        assert told == ["item_opened", "item_recovered", "item_reopened", "item_flapping"]
    reader.close()


async def test_without_a_cursor_the_feed_begins_at_its_end(world: World) -> None:
    await world.praxis.observe(world.report())

    page = await world.praxis.list_changes(ListChanges())

    assert (page.changes, page.next_after) == ([], 1)


async def test_whoever_waits_is_woken_by_news(world: World) -> None:
    waiting = asyncio.ensure_future(world.praxis.list_changes(ListChanges(wait_s=30)))
    reader = world.connect(KEEPER, "user:boris")
    await reader.list_changes(ListChanges())  # so that the other one waits by now

    opened = await reader.observe(world.report())

    async with asyncio.timeout(5):
        page = await waiting
    assert [change.item_id for change in page.changes] == [opened.item_id]
    reader.close()


async def test_a_wait_without_news_ends_empty_and_keeps_its_place(world: World) -> None:
    await world.praxis.observe(world.report())

    page = await world.praxis.list_changes(ListChanges(after=1, wait_s=0.05))

    assert (page.changes, page.next_after) == ([], 1)


async def test_news_of_others_does_not_end_a_wait_for_one_entity(world: World) -> None:
    reader = world.connect(KEEPER, "user:boris")
    wanted = ListChanges(after=0, wait_s=30, entity_ids=["ent_b"])
    waiting = asyncio.ensure_future(reader.list_changes(wanted))

    await world.praxis.observe(world.report(source="log:a", entity_id="ent_a"))
    await world.praxis.observe(world.report(source="log:b", entity_id="ent_b"))

    async with asyncio.timeout(5):
        page = await waiting
    assert [change.entity_id for change in page.changes] == ["ent_b"]
    assert page.next_after == 2
    reader.close()


async def test_changes_since_an_instant(world: World, clock: FrozenClock) -> None:
    await world.praxis.observe(world.report(source="log:a"))
    clock.advance(60)
    await world.praxis.observe(world.report(source="log:b"))

    page = await world.praxis.list_changes(ListChanges(since=world.at(-30)))

    assert [change.source for change in page.changes] == ["log:b"]
    assert page.next_after == 2


async def test_a_cursor_the_feed_does_not_know_is_refused(world: World) -> None:
    with pytest.raises(FailedPrecondition) as refusal:
        await world.praxis.list_changes(ListChanges(after=5))

    assert (refusal.value.reason, refusal.value.field) == ("cursor_unknown", "after")


async def test_a_refused_decision_leaves_no_trace_in_the_feed(world: World) -> None:
    opened = await world.praxis.observe(world.report())

    with pytest.raises(Exception, match="moved on"):
        await world.praxis.resolve(Transition(item_id=opened.item_id or "", if_version=7))
    await world.praxis.observe(world.report(source="log:b"))

    assert [change.cursor for change in await world.changes()] == [1, 2]


async def test_the_feed_goes_on_after_a_restart(world: World) -> None:
    await world.praxis.observe(world.report(source="log:a"))

    await world.restart()
    await world.praxis.observe(world.report(source="log:b"))

    page = await world.praxis.list_changes(ListChanges(after=1))
    assert [(change.cursor, change.source) for change in page.changes] == [(2, "log:b")]


async def test_a_part_that_stops_lets_its_readers_go(world: World) -> None:
    reader = world.connect(KEEPER, "user:boris")
    waiting = asyncio.ensure_future(reader.list_changes(ListChanges(wait_s=60)))
    await world.praxis.list_changes(ListChanges())

    async with asyncio.timeout(5):
        await world.stop()
        page = await waiting

    assert page.changes == []
    reader.close()

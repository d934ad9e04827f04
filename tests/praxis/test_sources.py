"""Sources: how fresh each is, and what their silence does and does not mean."""

import msgspec
import pytest

from kit.errors import InvalidArgument
from kit.testing import FrozenClock
from praxis.contract import (
    HealthCheck,
    ListAttention,
    ListItems,
    ListSources,
    ObservedState,
    PutSource,
    SourceState,
)
from tests.praxis.conftest import ENTITY, World
from tests.requirements import requirement

LOG = PutSource(source="log:alpha", kind="log", expected_every_s=10, entity_id=ENTITY)


async def state(world: World, source: str = "log:alpha") -> SourceState:
    listed = await world.praxis.list_sources(ListSources())
    (found,) = [each for each in listed.sources if each.source == source]
    return found


async def test_an_empty_list_comes_with_the_sources_it_rests_on(world: World) -> None:
    await world.praxis.put_source(LOG)
    await world.praxis.observe(world.report("ok"))

    attention = await world.praxis.list_attention(ListAttention())

    assert attention.items == []
    assert [(each.source, each.freshness) for each in attention.sources] == [("log:alpha", "fresh")]


@requirement("invariant.7")
async def test_a_silent_source_is_an_item_and_makes_its_items_stale_not_resolved(
    world: World,
) -> None:
    await world.praxis.put_source(LOG)
    await world.praxis.observe(world.report())

    await world.pass_time(40)

    item, silence = await world.item(), await world.item("praxis")
    assert (item.stale, item.operational, item.attention) == (True, "active", "new")
    assert (silence.kind, silence.key, silence.entity_id) == ("source", "source:log:alpha", ENTITY)
    assert (await state(world)).freshness == "stale"
    assert (await world.happened())[-2:] == ["source_stale", "item_opened"]
    attention = await world.praxis.list_attention(ListAttention())
    assert "stale" in attention.items[0].because


async def test_a_source_that_is_heard_again_recovers_its_own_item_and_nothing_else(
    world: World,
) -> None:
    await world.praxis.put_source(LOG)
    await world.praxis.observe(world.report())
    await world.pass_time(40)

    await world.praxis.observe(world.report("info"))
    await world.pass_time(1)

    item, silence = await world.item(), await world.item("praxis")
    assert (item.stale, item.operational) == (False, "active")
    assert silence.operational == "recovered"
    assert (await world.happened())[-2:] == ["source_fresh", "item_recovered"]


async def test_an_old_report_that_comes_late_makes_no_source_fresh(world: World) -> None:
    await world.praxis.put_source(LOG)
    await world.praxis.observe(world.report("ok"))
    await world.pass_time(40)

    await world.praxis.observe(world.report("ok", at=-38))
    await world.pass_time(1)

    assert (await state(world)).freshness == "stale"
    assert "source_fresh" not in await world.happened()


async def test_a_source_that_never_speaks_becomes_an_item_too(world: World) -> None:
    await world.praxis.put_source(LOG)
    never = (await state(world)).freshness

    await world.pass_time(40)

    assert never == "never"
    assert (await world.item("praxis")).operational == "active"


async def test_a_restart_makes_nothing_stale_at_once_and_nothing_fresh(
    world: World, clock: FrozenClock
) -> None:
    await world.praxis.put_source(LOG)
    await world.praxis.observe(world.report())
    await world.stop()
    clock.advance(3600)

    await world.start()
    await world.pass_time(20)
    early, shown = await world.happened(), (await state(world)).freshness
    await world.pass_time(40)

    assert "source_stale" not in early
    assert shown == "stale", "it is shown by what is known"
    assert "source_stale" in await world.happened()


async def test_having_been_frozen_is_not_the_silence_of_others(
    world: World, clock: FrozenClock
) -> None:
    await world.praxis.put_source(LOG)
    await world.praxis.observe(world.report("ok"))

    clock.advance(3600)
    await world.running.tickers[0].tick()

    assert await world.happened() == []


async def test_a_source_and_its_silence_survive_a_restart(world: World) -> None:
    await world.praxis.put_source(LOG)
    await world.praxis.observe(world.report())
    await world.pass_time(40)
    before = await state(world)

    await world.restart()
    await world.pass_time(5)

    assert await state(world) == before
    assert (await world.happened()).count("source_stale") == 1
    assert (await world.item()).stale


async def named(world: World, entity_id: str) -> list[str]:
    listed = await world.praxis.list_sources(ListSources(entity_ids=[entity_id]))
    return [each.source for each in listed.sources]


@pytest.mark.parametrize("is_registered", [True, False])
@pytest.mark.parametrize("told", ["ok", "problem"])
async def test_how_a_thing_is_can_be_told_from_the_source_that_reports_on_it(
    world: World, clock: FrozenClock, told: ObservedState, is_registered: bool
) -> None:
    if is_registered:
        await world.praxis.put_source(LOG)
    await world.praxis.observe(world.report(told, entity_id=None if is_registered else ENTITY))
    clock.advance(5)

    listed = await world.praxis.list_sources(ListSources(entity_ids=[ENTITY]))

    (found,) = listed.sources
    assert (found.source, found.entity_id, found.kind) == ("log:alpha", ENTITY, "log")
    assert (found.freshness, found.last_state) == ("fresh", told)
    assert found.last_observed_at == found.last_change_at == world.at(-5)
    assert found.expected_every_s == (10 if is_registered else None)


async def test_a_source_is_found_by_its_own_entity_and_by_the_one_it_named_last(
    world: World, clock: FrozenClock
) -> None:
    await world.praxis.put_source(LOG)
    await world.praxis.observe(world.report("ok", entity_id="ent_beta"))
    both = await named(world, ENTITY), await named(world, "ent_beta")
    shown = (await state(world)).entity_id

    clock.advance(1)
    await world.praxis.observe(world.report("ok", entity_id=None))

    assert both == (["log:alpha"], ["log:alpha"])
    assert shown == ENTITY
    assert (await named(world, ENTITY), await named(world, "ent_beta")) == (["log:alpha"], [])


async def test_a_source_without_an_entity_stays_with_the_one_it_named(
    world: World, clock: FrozenClock
) -> None:
    await world.praxis.observe(world.report())
    clock.advance(1)
    await world.praxis.observe(world.report("ok", entity_id=None))

    assert await named(world, ENTITY) == ["log:alpha"]
    assert (await world.item()).operational == "recovered"


async def test_nobody_waits_for_a_source_that_was_never_registered(world: World) -> None:
    await world.praxis.observe(world.report("ok"))
    await world.pass_time(300)
    early = (await state(world)).freshness

    await world.pass_time(5)
    attention = await world.praxis.list_attention(ListAttention())

    assert early == "fresh"
    assert attention.sources == [], "it is no reason to believe an empty list"
    assert await world.happened() == []


async def test_what_nobody_registered_is_stale_after_a_day_and_forgotten_after_a_month(
    world: World, clock: FrozenClock
) -> None:
    remember = world.running.tickers[1]
    await world.praxis.put_source(LOG)
    await world.praxis.observe(world.report("ok", source="ci:one"))
    clock.advance(86_401)
    await remember.tick()
    after_a_day = (await state(world, "ci:one")).freshness

    clock.advance(30 * 86_400)
    await remember.tick()
    left = await world.praxis.list_sources(ListSources())
    await world.restart()

    assert after_a_day == "stale"
    assert [each.source for each in left.sources] == ["log:alpha"]
    assert await world.praxis.list_sources(ListSources()) == left


async def test_a_source_that_is_registered_later_keeps_what_it_said(world: World) -> None:
    await world.praxis.observe(world.report("ok"))

    await world.praxis.put_source(LOG)
    await world.restart()

    found = await state(world)
    assert (found.last_state, found.expected_every_s) == ("ok", 10)
    await world.pass_time(40)
    assert (await state(world)).freshness == "stale"
    assert "source_stale" in await world.happened()


async def test_an_event_that_is_known_already_says_nothing_of_its_source(
    world: World, clock: FrozenClock
) -> None:
    report = world.report(event_id="tonight")
    await world.praxis.observe(report)
    before = await state(world)
    clock.advance(60)

    await world.praxis.observe(msgspec.structs.replace(report, state="ok", observed_at=world.at(0)))

    assert await state(world) == before


async def test_a_source_nobody_registered_is_known_after_a_restart(world: World) -> None:
    await world.praxis.observe(world.report())
    before = await state(world)

    await world.restart()

    assert await state(world) == before


async def test_putting_the_same_source_again_changes_nothing(world: World) -> None:
    await world.praxis.put_source(LOG)
    await world.praxis.observe(world.report("ok"))
    before = await state(world)

    again = await world.praxis.put_source(LOG)

    assert again == before


@pytest.mark.parametrize(
    ("source", "check", "field"),
    [
        ("hexis", None, "source"),
        ("health:x", HealthCheck(address="http://nowhere"), "health_check.address"),
        ("health:x", HealthCheck(address="unix:///s", every_s=60), "expected_every_s"),
    ],
)
async def test_a_source_that_cannot_be_is_refused_whole(
    world: World, source: str, check: HealthCheck | None, field: str
) -> None:
    with pytest.raises(InvalidArgument) as refusal:
        await world.praxis.put_source(
            PutSource(source=source, kind="health", expected_every_s=10, health_check=check)
        )

    assert refusal.value.field == field
    assert (await world.praxis.list_sources(ListSources())).sources == []


@requirement("praxis.sources.freshness")
async def test_five_silent_sources_make_five_stale_sources_and_recover_nothing(
    world: World,
) -> None:
    names = [f"log:{number}" for number in range(5)]
    for name in names:
        await world.praxis.put_source(PutSource(name, "log", 10))
        await world.praxis.observe(world.report(source=name))

    await world.pass_time(3600)

    listed = (await world.praxis.list_sources(ListSources())).sources
    assert [each.freshness for each in listed] == ["stale"] * 5
    items = (await world.praxis.list_items(ListItems())).items
    about = {item.key for item in items if item.source == "praxis"}
    assert about == {f"source:{name}" for name in names}
    assert {item.operational for item in items} == {"active"}
    assert all(item.stale for item in items if item.source in names)
    assert (await world.happened()).count("source_stale") == 5

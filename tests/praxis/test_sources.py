"""Sources: how fresh each is, and what their silence does and does not mean."""

import pytest

from kit.errors import InvalidArgument
from kit.testing import FrozenClock
from praxis.contract import (
    HealthCheck,
    ListAttention,
    ListSources,
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

"""What falls ill and gets well over and over is one item, one notice, and well once it is quiet."""

from praxis.contract import ListAttention
from tests.praxis.conftest import World
from tests.requirements import requirement


async def flap(world: World, turns: int, *, at: float = 0) -> None:
    for turn in range(turns):
        await world.praxis.observe(world.report("ok" if turn % 2 else "problem", at=at + turn))


@requirement("praxis.model.flapping")
async def test_more_than_three_turns_make_one_flapping_item_and_one_notice(world: World) -> None:
    await flap(world, 40, at=-40)

    item = await world.item()
    assert (item.flapping, item.flaps, item.operational) == (True, 40, "active")
    assert item.episodes == 2
    assert await world.happened() == [
        "item_opened",
        "item_recovered",
        "item_reopened",
        "item_flapping",
    ]
    (ranked,) = (await world.praxis.list_attention(ListAttention())).items
    assert "flapping" in ranked.because


@requirement("praxis.model.flapping")
async def test_its_recovery_is_believed_after_a_quiet_time_and_told_once(world: World) -> None:
    await flap(world, 4, at=-3)
    await world.pass_time(110)
    assert (await world.item()).operational == "active"

    await world.pass_time(20)

    item = await world.item()
    assert (item.operational, item.flapping) == ("recovered", False)
    assert (await world.happened()).count("item_recovered") == 2
    assert (await world.changes())[-1].details["flaps"] == "4"


async def test_falling_ill_within_the_quiet_time_makes_it_no_well_item(world: World) -> None:
    await flap(world, 4, at=-3)
    await world.pass_time(60)
    await world.praxis.observe(world.report())
    await world.pass_time(300)

    item = await world.item()

    assert (item.operational, item.flapping, item.flaps) == ("active", True, 5)


async def test_silence_makes_what_flaps_not_well(world: World) -> None:
    await flap(world, 5, at=-4)

    await world.pass_time(3600)

    assert (await world.item()).operational == "active"


async def test_an_agent_that_asks_often_does_not_flap(world: World) -> None:
    for turn in range(8):
        state = "ok" if turn % 2 else "waiting"
        await world.praxis.observe(world.report(state, at=turn - 8, kind="agent.waiting"))

    item = await world.item()
    assert (item.flapping, item.episodes) == (False, 4)

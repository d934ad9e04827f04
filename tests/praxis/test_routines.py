"""What is expected by a time: not completed is an item, completed late recovers it, told once."""

from datetime import UTC, datetime, timedelta

import pytest

from kit.errors import InvalidArgument
from kit.testing import FrozenClock
from praxis.contract import (
    Item,
    ListItems,
    ListRoutines,
    Observe,
    ObservedState,
    PutRoutine,
    RoutineState,
)
from praxis.domain.routine import read_schedule
from tests.praxis.conftest import World
from tests.requirements import requirement


async def say(world: World, state: ObservedState, *, at: float = 0) -> None:
    await world.praxis.observe(
        Observe(
            source="cron",
            kind="run",
            state=state,
            summary=f"backup: {state}",
            key="nightly-backup",
            observed_at=world.at(at),
        )
    )


async def expect(world: World, **given: object) -> RoutineState:
    schedule = given or {"every_s": 3600.0}
    return await world.praxis.put_routine(
        PutRoutine("nightly-backup", "cron", title="Nightly backup", **schedule)  # pyright: ignore
    )


async def standing(world: World) -> str:
    (routine,) = (await world.praxis.list_routines(ListRoutines())).routines
    return routine.standing


async def items(world: World) -> list[Item]:
    return (await world.praxis.list_items(ListItems(source="praxis"))).items


async def test_what_is_done_in_time_is_no_item(world: World) -> None:
    await expect(world)

    for _ in range(5):
        await world.pass_time(3600)
        await say(world, "ok")

    assert await standing(world) == "up"
    assert await items(world) == []


@requirement("praxis.model.routines")
async def test_what_was_not_done_is_an_item_until_it_is_done(world: World) -> None:
    assert (await expect(world)).standing == "new"
    await say(world, "ok")

    await world.pass_time(3650)
    assert await standing(world) == "grace"
    await world.pass_time(300)

    (item,) = await items(world)
    assert (item.kind, item.operational, item.key) == (
        "routine",
        "active",
        "routine:nightly-backup",
    )
    assert item.title.startswith("Nightly backup: not completed; due since")
    assert await standing(world) == "late"

    await say(world, "ok")
    await world.pass_time(5)

    (item,) = await items(world)
    assert (item.operational, await standing(world)) == ("recovered", "up")


async def test_a_run_that_does_not_end_is_late_after_its_grace(world: World) -> None:
    await expect(world)
    await say(world, "ok")
    await world.pass_time(3600)

    await say(world, "progress")
    await world.pass_time(290)
    assert await standing(world) == "started"
    await world.pass_time(20)

    assert await standing(world) == "late"
    assert len(await items(world)) == 1


async def test_a_run_that_failed_says_so_itself_and_is_not_missing_as_well(world: World) -> None:
    await expect(world)

    await say(world, "problem")
    await world.pass_time(60)

    assert await standing(world) == "failed"
    assert await items(world) == []


async def test_what_happens_while_praxis_is_away_is_not_called_late_at_once(world: World) -> None:
    await expect(world)
    await say(world, "ok")
    await world.stop()
    assert isinstance(world.clock, FrozenClock)
    world.clock.advance(3 * 3600)
    await world.start()

    await world.pass_time(50)
    assert await items(world) == []
    await world.pass_time(30)

    assert len(await items(world)) == 1


async def test_an_item_about_a_routine_survives_a_restart_and_is_told_once(world: World) -> None:
    await expect(world)
    await world.pass_time(4000)

    await world.restart()
    await world.pass_time(100)

    assert (await world.happened()).count("item_opened") == 1


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({}, "every_s"),
        ({"every_s": 60.0, "cron": "* * * * *"}, "cron"),
        ({"cron": "61 * * * *"}, "cron"),
        ({"calendar": "Someday 10:00"}, "calendar"),
        ({"cron": "* * * * *", "zone": "Mars/Olympus"}, "zone"),
        ({"cron": "* * * * *", "zone": "../etc/passwd"}, "zone"),
    ],
)
async def test_a_schedule_that_cannot_be_read_is_refused_by_its_field(
    world: World, given: dict[str, object], field: str
) -> None:
    with pytest.raises(InvalidArgument) as refused:
        await world.praxis.put_routine(PutRoutine("r", "cron", **given))  # pyright: ignore

    assert refused.value.field == field
    assert (await world.praxis.list_routines(ListRoutines())).routines == []


@requirement("praxis.model.routines")
@pytest.mark.parametrize(
    ("day", "expected"),
    [
        # Clocks go forward at 02:00: 02:30 does not exist, and the run comes at 03:00.
        (datetime(2026, 3, 28, 12, tzinfo=UTC), "2026-03-29T01:00"),
        # Clocks go back at 03:00: 02:30 is there twice, and the run comes once.
        (datetime(2026, 10, 24, 12, tzinfo=UTC), "2026-10-25T00:30"),
        (datetime(2026, 7, 1, 12, tzinfo=UTC), "2026-07-02T00:30"),
    ],
)
def test_a_schedule_keeps_its_local_time_over_both_changes_of_the_clock(
    day: datetime, expected: str
) -> None:
    schedule = read_schedule(None, "30 2 * * *", None, "Europe/Berlin")

    times = schedule.after(day)
    first, second = next(times), next(times)

    assert first.isoformat(timespec="minutes").removesuffix("+00:00") == expected
    assert timedelta(hours=22) <= second - first <= timedelta(hours=26)


async def test_a_run_a_little_before_its_time_counts_for_that_time(world: World) -> None:
    assert isinstance(world.clock, FrozenClock)
    await expect(world, cron="0 3 * * *")
    world.clock.advance(15 * 3600 - 30)  # 02:59:30
    await say(world, "ok")

    (routine,) = (await world.praxis.list_routines(ListRoutines())).routines

    assert routine.due_at == datetime(2026, 12, 2, 3, tzinfo=UTC)

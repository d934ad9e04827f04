"""What a start makes of executions that a stop, or a crash, left unfinished."""

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

from hexis.contract.execution import Execution, GetExecution
from kit.errors import FailedPrecondition, ServiceError
from tests.hexis.process import end, serving
from tests.hexis.silent import silent_supervisor
from tests.hexis.supervised import Supervised
from tests.hexis.world import RESTART, STATUS, World
from tests.requirements import requirement


async def look(world: World, execution_id: str) -> Execution:
    """An execution as it is now."""
    async with world.calling(world.mavend) as client:
        return await client.get_execution(GetExecution(execution_id=execution_id))


async def heard_by_praxis(world: World, said: Execution) -> list[str]:
    """What Praxis has heard, once it has heard the end where it hears of one at all."""
    async with asyncio.timeout(20):
        while True:
            heard = await world.reported(said.execution_id)
            if said.state not in {"succeeded", "unknown"} or said.state in heard:
                return heard


async def test_hexis_hands_its_own_restart_over_and_settles_it_at_its_next_start(
    world: World, supervised: Supervised
) -> None:
    before = supervised.info("hexis")["pid"]
    world.follow_real_time(ahead_s=-1)
    challenge = await world.ask("hexis")

    handed_over = await world.confirm(challenge.confirmation_id)
    await supervised.until(lambda it: it.info("hexis")["pid"] not in {0, before})
    still = await look(world, challenge.execution_id)
    await world.restart()
    settled = await look(world, challenge.execution_id)

    assert (handed_over.state, handed_over.delegated) == ("running", True)
    assert still.state == "running"
    assert (settled.state, settled.reason) == ("succeeded", "seen_restarted")
    assert await world.reported(challenge.execution_id) == ["running", "succeeded"]


async def test_an_own_restart_that_reading_does_not_show_is_unknown(
    world: World, supervised: Supervised
) -> None:
    world.follow_real_time(ahead_s=3600)
    challenge = await world.ask("hexis")
    await world.confirm(challenge.confirmation_id)
    await world.restart()

    settled = await look(world, challenge.execution_id)

    assert (settled.state, settled.reason) == ("unknown", "not_seen")
    await supervised.until(lambda it: it.info("restart-hexis")["statename"] == "EXITED")


async def test_an_own_restart_that_does_not_come_is_given_up(
    world: World, supervised: Supervised
) -> None:
    challenge = await world.ask("hexis")
    await world.confirm(challenge.confirmation_id)
    await supervised.until(lambda it: it.info("restart-hexis")["statename"] == "EXITED")
    world.clock.advance(61)

    async with world.calling(world.mavend) as client:
        request = GetExecution(execution_id=challenge.execution_id)
        async with asyncio.timeout(20):
            while (given_up := await client.get_execution(request)).state == "running":
                pass

    assert (given_up.state, given_up.reason) == ("unknown", "not_restarted")


async def test_an_own_restart_nobody_takes_over_is_unknown(world: World) -> None:
    async with silent_supervisor(world.folder / "silent.sock", answers=False) as heard:
        world.use_supervisor(heard.path)
        await world.restart()
        challenge = await world.ask("hexis")

        ended = await world.confirm(challenge.confirmation_id)

    assert (ended.state, ended.reason) == ("unknown", "no_answer")
    assert heard.methods == ["supervisor.startProcess"]


@pytest.mark.parametrize(
    ("state", "risk", "expected"),
    [
        ("running", "protected", ("unknown", "interrupted")),
        ("running", "low", ("unknown", "interrupted")),
        ("running", "read", ("failed", "interrupted")),
        ("queued", "protected", ("failed", "not_started")),
    ],
)
@requirement("invariant.8", "phase.3.unknown-outcome")
async def test_what_was_under_way_is_settled_and_not_run_again(
    world: World, supervised: Supervised, state: str, risk: str, expected: tuple[str, str]
) -> None:
    before = supervised.info("alpha")["pid"]
    challenge = await world.ask("alpha")
    await world.stop("hexis")
    world.alter("UPDATE execution SET state = ?, risk = ?, started_at = created_at", state, risk)
    await world.start("hexis")

    settled = await look(world, challenge.execution_id)

    assert (settled.state, settled.reason) == expected
    assert supervised.info("alpha")["pid"] == before
    told = [] if risk == "read" else [expected[0]]
    assert await world.reported(challenge.execution_id) == told


async def test_a_stop_leaves_what_runs_to_the_next_start(
    world: World, supervised: Supervised
) -> None:
    challenge = await world.ask("stubborn")
    await world.confirm(challenge.confirmation_id, wait_s=0)
    await supervised.until(lambda it: it.info("stubborn")["statename"] == "STOPPING")

    await world.restart()
    settled = await look(world, challenge.execution_id)

    assert (settled.state, settled.reason) == ("unknown", "interrupted")
    supervised.call("signalProcess", "stubborn", "KILL")
    await supervised.until(lambda it: it.info("stubborn")["statename"] == "STOPPED")
    supervised.call("startProcess", "stubborn", True)


@requirement("invariant.8", "phase.3.unknown-outcome")
async def test_a_killed_hexis_finds_a_running_restart_unknown_and_sends_nothing_again(
    world: World, folder: Path
) -> None:
    await world.stop("hexis")
    async with silent_supervisor(folder / "silent.sock", answers=True) as heard:
        world.use_supervisor(heard.path)
        async with serving(world) as process:
            world.follow_real_time(ahead_s=1)
            challenge = await world.ask("alpha")
            begun = await world.confirm(challenge.confirmation_id, wait_s=0)
            async with world.calling(world.mavend) as client:
                while not heard.methods:
                    begun = await client.get_execution(
                        GetExecution(execution_id=challenge.execution_id, wait_s=0.1)
                    )
            await end(process)
        async with serving(world):
            world.follow_real_time(ahead_s=2)
            settled = await look(world, challenge.execution_id)
            with pytest.raises(FailedPrecondition) as again:
                await world.confirm(challenge.confirmation_id)

    assert begun.state == "running"
    assert (settled.state, settled.reason) == ("unknown", "interrupted")
    assert again.value.reason == "confirmation_consumed"
    assert heard.methods == ["supervisor.stopProcess"]
    assert await world.reported(challenge.execution_id) == ["running", "unknown"]


async def test_a_killed_hexis_still_waits_for_the_yes_it_asked_for(
    world: World, supervised: Supervised
) -> None:
    before = supervised.info("alpha")["pid"]
    await world.stop("hexis")
    async with serving(world) as process:
        world.follow_real_time()
        asked = await world.execute(RESTART, "alpha")
        await end(process)
    async with serving(world):
        assert asked.confirmation is not None
        world.follow_real_time(ahead_s=2)
        done = await world.confirm(asked.confirmation.confirmation_id)
        status = await world.execute(STATUS, "alpha")

    assert done.state == "succeeded"
    assert status.data["pid"] == supervised.info("alpha")["pid"] != before


@pytest.mark.slow
@requirement("invariant.8", "phase.3.unknown-outcome")
async def test_however_early_or_late_hexis_is_killed_what_it_says_later_is_true(
    world: World, supervised: Supervised
) -> None:
    await world.stop("hexis")
    for kill_after_s in (0.002, 0.006, 0.012, 0.02, 0.03, 0.05, 0.1, 0.4):
        before = supervised.info("alpha")["pid"]
        async with serving(world) as process:
            world.follow_real_time(ahead_s=1)
            challenge = await world.ask("alpha")
            with suppress(TimeoutError, ServiceError):
                async with asyncio.timeout(kill_after_s):
                    await world.confirm(challenge.confirmation_id)
            await end(process)
        async with serving(world):
            world.follow_real_time(ahead_s=2)
            said = await look(world, challenge.execution_id)
            heard = await heard_by_praxis(world, said)

        is_another = supervised.info("alpha")["pid"] != before
        match (said.state, said.reason):
            case ("awaiting_confirmation", None) | ("failed", "not_started"):
                assert not is_another
            case ("succeeded", None):
                assert is_another
            case ending:
                assert ending == ("unknown", "interrupted")
        assert [state for state in heard if state not in {"running", said.state}] == []
        if said.state in {"succeeded", "unknown"}:
            assert heard == ["running", said.state]
        await supervised.until(lambda it: it.info("alpha")["statename"] != "STOPPING")
        if supervised.info("alpha")["statename"] != "RUNNING":
            supervised.call("startProcess", "alpha", True)

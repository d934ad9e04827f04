"""Praxis hears what became of mutations: before anyone else if it can, later if it cannot."""

import asyncio
from pathlib import Path

from hexis.contract.execution import GetExecution
from praxis.contract import ListChanges
from tests.hexis.supervised import Supervised
from tests.hexis.world import STATUS, World
from tests.requirements import requirement


async def test_whoever_waits_is_told_of_the_end_after_praxis_is(world: World) -> None:
    challenge = await world.ask("alpha")
    begun = await world.confirm(challenge.confirmation_id, wait_s=0)
    request = GetExecution(execution_id=challenge.execution_id)

    async with world.calling(world.mavend) as client, asyncio.timeout(20):
        while (seen := await client.get_execution(request)).state in {"queued", "running"}:
            pass

    assert begun.state in {"queued", "running"}
    assert seen.state == "succeeded"
    assert await world.reported(challenge.execution_id) == ["running", "succeeded"]


async def test_reads_are_not_reported(world: World) -> None:
    done = await world.execute(STATUS, "alpha")

    assert await world.reported(done.execution_id) == []


@requirement("arch.18")
async def test_a_report_names_the_person_and_the_action(world: World) -> None:
    challenge = await world.ask("alpha")
    await world.confirm(challenge.confirmation_id)

    changes = await world.praxis.list_changes(ListChanges(after=0))

    reported = [each for each in changes.changes if each.what == "execution_reported"]
    assert {each.entity_id for each in reported} == {world.ids["alpha"]}
    assert {each.details["action"] for each in reported} == {"restart"}


@requirement("arch.11")
async def test_without_praxis_the_restart_is_done_and_praxis_hears_of_it_later(
    world: World, supervised: Supervised
) -> None:
    before = supervised.info("alpha")["pid"]
    challenge = await world.ask("alpha")
    await world.stop("praxis")
    done = await world.confirm(challenge.confirmation_id)
    kept = world.outbox()
    await world.restart()
    await world.start("praxis")

    async with asyncio.timeout(20):
        heard = 0
        while len(await world.reported(challenge.execution_id)) < 2:
            news = await world.praxis.list_changes(ListChanges(after=heard, wait_s=5))
            heard = news.next_after

    assert done.state == "succeeded"
    assert supervised.info("alpha")["pid"] != before
    assert kept == [f"{done.execution_id}:running", f"{done.execution_id}:succeeded"]
    assert await world.reported(challenge.execution_id) == ["running", "succeeded"]


async def test_a_praxis_that_hangs_holds_the_answer_up_for_about_a_second(
    world: World, folder: Path
) -> None:
    challenge = await world.ask("alpha")
    await world.stop("praxis")
    quiet = asyncio.Event()

    async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await quiet.wait()
        writer.close()

    server = await asyncio.start_unix_server(hang, folder / "run" / "praxis.sock")
    loop = asyncio.get_running_loop()
    started = loop.time()

    done = await world.confirm(challenge.confirmation_id)

    assert done.state == "succeeded"
    assert loop.time() - started < 5
    quiet.set()
    server.close()
    await server.wait_closed()

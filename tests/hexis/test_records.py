"""What is kept of executions and calls: through a full disk, and not without end."""

import asyncio

import pytest

from hexis.contract.execution import Execution, GetExecution, ListExecutions
from hexis.store.retention import Limits, Retention
from kit.errors import Conflict, FailedPrecondition, NotFound
from kit.store import Store
from tests.hexis.supervised import Supervised
from tests.hexis.world import LOGS, RESTART, STATUS, World
from tests.requirements import requirement

_FULL = "SELECT RAISE(ABORT, 'database or disk is full')"


def fill_disk(world: World, decision: str) -> None:
    """Let the store refuse to write that an execution has come to this."""
    world.alter(
        f"CREATE TRIGGER full BEFORE INSERT ON audit WHEN NEW.operation = 'run'"
        f" AND NEW.decision = '{decision}' BEGIN {_FULL}; END"
    )


async def ended(world: World, execution_id: str) -> Execution:
    """An execution once it is over."""
    request = GetExecution(execution_id=execution_id, wait_s=5)
    async with world.calling(world.mavend) as client, asyncio.timeout(30):
        while (now := await client.get_execution(request)).finished_at is None:
            pass
    return now


@requirement("invariant.8")
async def test_an_end_that_could_not_be_written_is_written_once_the_store_can(
    world: World, supervised: Supervised
) -> None:
    before = supervised.pid("beta")
    challenge = await world.ask("beta")
    fill_disk(world, "succeeded")
    running = await world.confirm(challenge.confirmation_id, wait_s=2)
    with pytest.raises(Conflict) as busy:
        await world.execute(RESTART, "beta")

    world.alter("DROP TRIGGER full")
    done = await ended(world, challenge.execution_id)

    assert running.state == "running"
    assert busy.value.reason == "entity_busy"
    assert (done.state, done.reason, done.data["was_running"]) == ("succeeded", None, True)
    assert supervised.pid("beta") not in {0, before}
    assert (await world.execute(RESTART, "beta")).state == "awaiting_confirmation"
    assert await world.reported(challenge.execution_id) == ["running", "succeeded"]


async def test_what_could_not_be_begun_was_not_done_and_is_said_so(
    world: World, supervised: Supervised
) -> None:
    before = supervised.pid("beta")
    challenge = await world.ask("beta")
    fill_disk(world, "running")

    done = await world.confirm(challenge.confirmation_id)

    assert (done.state, done.reason) == ("failed", "not_started")
    assert supervised.pid("beta") == before


@requirement("invariant.8", "phase.3.unknown-outcome")
@pytest.mark.parametrize(
    ("state", "expected"),
    [("running", ("unknown", "interrupted")), ("queued", ("failed", "not_started"))],
)
async def test_what_nothing_works_on_is_settled_while_hexis_runs(
    world: World, supervised: Supervised, state: str, expected: tuple[str, str]
) -> None:
    before = supervised.pid("beta")
    challenge = await world.ask("beta")
    world.alter("UPDATE execution SET state = ?, started_at = created_at", state)

    settled = await ended(world, challenge.execution_id)

    assert (settled.state, settled.reason) == expected
    assert supervised.pid("beta") == before


@pytest.mark.parametrize("program", ["restart-hexis", "once"])
async def test_a_program_that_runs_once_is_restarted_under_no_name(
    world: World, supervised: Supervised, program: str
) -> None:
    await world.describe(disguised=program)
    before = supervised.info(program)["start"]

    with pytest.raises(FailedPrecondition) as refused:
        await world.execute(RESTART, "disguised")

    assert refused.value.reason == "external_id_reserved"
    assert supervised.info(program)["start"] == before


async def test_the_program_that_restarts_hexis_is_not_even_looked_at(world: World) -> None:
    await world.describe(disguised="restart-hexis")

    with pytest.raises(FailedPrecondition) as refused:
        await world.execute(STATUS, "disguised")

    assert refused.value.reason == "external_id_reserved"


async def test_a_list_leaves_out_what_an_execution_wrote(
    world: World, supervised: Supervised
) -> None:
    supervised.log("alpha").write_text("well\n", encoding="utf-8")
    done = await world.execute(LOGS, "alpha")

    async with world.calling(world.mavend) as client:
        listed = await client.list_executions(ListExecutions())
        one = await client.get_execution(GetExecution(execution_id=done.execution_id))

    assert [each.output for each in listed.executions] == [""]
    assert listed.executions[0].data == one.data
    assert one.output == "well"


async def test_the_newest_executions_stay_and_so_does_what_is_not_over(world: World) -> None:
    waiting = await world.ask("beta")
    confirmed = await world.ask("alpha")
    old = await world.confirm(confirmed.confirmation_id)
    new = [await world.execute(STATUS, "alpha") for _ in range(3)]
    await world.stop("hexis")
    store = Store(world.folder / "hexis" / "hexis.db", "hexis.store", world.clock)

    await Retention(store, Limits(executions=3)).trim()

    await store.close()
    await world.start("hexis")
    async with world.calling(world.mavend) as client:
        kept = await client.list_executions(ListExecutions())
        with pytest.raises(NotFound):
            await client.get_execution(GetExecution(execution_id=old.execution_id))
    newest = [each.execution_id for each in reversed(new)]
    assert [each.execution_id for each in kept.executions] == [*newest, waiting.execution_id]
    assert await world.pending() == [waiting.confirmation_id]
    with pytest.raises(NotFound):
        await world.confirm(confirmed.confirmation_id)


async def test_of_refused_calls_the_newest_rows_stay_and_decisions_stay_longer(
    world: World,
) -> None:
    await world.execute(STATUS, "alpha")
    await world.stop("hexis")
    world.alter(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 101200)"
        " INSERT INTO audit (at, principal, requester, correlation_id, causation_id, operation,"
        " decision, reason, execution_id, confirmation_id, capability_id, entity_id, details)"
        " SELECT '', 'mavend', '', '', '', 'confirm', 'refused', '', '', '', '', '', '' FROM n"
    )
    store = Store(world.folder / "hexis" / "hexis.db", "hexis.store", world.clock)

    await Retention(store).trim()

    await store.close()
    rows = world.audit()
    assert [each["decision"] for each in rows[:3]] == ["run", "succeeded", "refused"]
    assert len(rows) == 2 + 100_000

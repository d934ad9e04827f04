"""What is carried out on real programs, and how its end is told."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from hexis.contract.execution import GetExecution, ListExecutions
from kit.errors import (
    Conflict,
    FailedPrecondition,
    InvalidArgument,
    NotFound,
    PermissionDenied,
    ResourceExhausted,
    Unavailable,
)
from tests.hexis.silent import silent_supervisor
from tests.hexis.supervised import Supervised
from tests.hexis.world import AGENT, ANNA, BORIS, LOGS, RESTART, SHIPPED, STATUS, World
from tests.requirements import requirement

HASTY = SHIPPED.replace("timeout_s = 60", "timeout_s = 0.4")
"""The capabilities with a restart that gives up soon."""


async def restart(world: World, name: str) -> str:
    """Restart an entity with a yes; the id of the execution, whatever became of it."""
    challenge = await world.ask(name)
    await world.confirm(challenge.confirmation_id, wait_s=0)
    return challenge.execution_id


async def test_a_status_tells_state_pid_and_since_when(
    world: World, supervised: Supervised
) -> None:
    done = await world.execute(STATUS, "alpha")

    assert done.state == "succeeded"
    assert done.data["state"] == "running"
    assert done.data["pid"] == supervised.info("alpha")["pid"]
    assert datetime.fromisoformat(done.data["started_at"]) > datetime.now(UTC) - timedelta(hours=1)
    assert done.data["uptime_s"] >= 0
    assert done.target.host_names == {"en": "Den", "ru": "Логово"}


async def test_the_status_of_a_program_that_ended_tells_how(world: World) -> None:
    done = await world.execute(STATUS, "broken")

    assert done.state == "succeeded"
    assert done.data["state"] in {"fatal", "exited", "backoff"}
    assert "pid" not in done.data


async def test_a_log_is_shown_from_its_end_as_many_lines_as_asked(
    world: World, supervised: Supervised
) -> None:
    text = "".join(f"строка {number}\n" for number in range(100))
    supervised.log("alpha").write_text(text, encoding="utf-8")

    three = await world.execute(LOGS, "alpha", {"lines": 3})
    usual = await world.execute(LOGS, "alpha")

    assert three.output == "строка 97\nстрока 98\nстрока 99"
    assert len(usual.output.splitlines()) == 40
    assert usual.arguments == {"lines": 40}


@requirement("arch.8")
async def test_a_restart_gives_the_program_another_process_and_says_no_more_than_that(
    world: World, supervised: Supervised
) -> None:
    before = supervised.info("alpha")["pid"]
    challenge = await world.ask("alpha")
    untouched = supervised.info("alpha")["pid"]

    done = await world.confirm(challenge.confirmation_id)

    assert untouched == before
    assert done.state == "succeeded"
    assert done.expects_recovery
    assert done.data["was_running"] is True
    assert supervised.info("alpha")["pid"] == done.data["pid"] != before
    assert await world.reported(done.execution_id) == ["running", "succeeded"]


async def test_a_program_that_did_not_run_is_just_started(
    world: World, supervised: Supervised
) -> None:
    supervised.call("stopProcess", "beta", True)
    challenge = await world.ask("beta")

    done = await world.confirm(challenge.confirmation_id)

    assert done.state == "succeeded"
    assert done.data["was_running"] is False
    assert supervised.info("beta")["statename"] == "RUNNING"


@pytest.mark.parametrize("name", ["broken", "absent"])
async def test_a_program_that_does_not_come_up_has_failed(world: World, name: str) -> None:
    challenge = await world.ask(name)

    done = await world.confirm(challenge.confirmation_id)

    assert (done.state, done.reason) == ("failed", "start_failed")
    assert await world.reported(done.execution_id) == ["running", "failed"]


async def test_a_program_the_supervisor_does_not_know_has_failed(world: World) -> None:
    await world.describe(ghost="ghost")
    challenge = await world.ask("ghost")

    done = await world.confirm(challenge.confirmation_id)

    assert (done.state, done.reason) == ("failed", "program_unknown")


async def test_without_a_supervisor_nothing_was_done_and_that_is_known(world: World) -> None:
    world.use_supervisor(world.folder / "nobody.sock")
    await world.restart()
    challenge = await world.ask("alpha")

    done = await world.confirm(challenge.confirmation_id)

    assert (done.state, done.reason) == ("failed", "supervisor_unreachable")


@requirement("invariant.8", "phase.3.unknown-outcome")
async def test_a_mutation_without_an_answer_is_unknown_and_is_asked_for_once(
    world: World,
) -> None:
    async with silent_supervisor(world.folder / "silent.sock", answers=False) as heard:
        world.use_supervisor(heard.path)
        await world.restart()
        challenge = await world.ask("alpha")

        done = await world.confirm(challenge.confirmation_id)

    assert (done.state, done.reason) == ("unknown", "no_answer")
    assert heard.methods == ["supervisor.stopProcess"]
    assert await world.reported(done.execution_id) == ["running", "unknown"]


@requirement("invariant.8", "phase.3.unknown-outcome")
async def test_a_mutation_that_takes_too_long_is_unknown_and_a_read_has_timed_out(
    world: World,
) -> None:
    world.write_capabilities(HASTY.replace("timeout_s = 5\n", "timeout_s = 0.4\n"))
    async with silent_supervisor(world.folder / "silent.sock", answers=True) as heard:
        world.use_supervisor(heard.path)
        await world.restart()
        challenge = await world.ask("alpha")

        mutation = await world.confirm(challenge.confirmation_id)
        read = await world.execute(STATUS, "alpha")

    assert (mutation.state, mutation.reason) == ("unknown", "timeout")
    assert read.state == "timed_out"


async def test_two_changes_of_one_entity_do_not_run_at_once(
    world: World, supervised: Supervised
) -> None:
    first, second = await world.ask("stubborn"), await world.ask("stubborn")
    running = await world.confirm(first.confirmation_id, wait_s=0)

    with pytest.raises(Conflict) as confirming:
        await world.confirm(second.confirmation_id)
    with pytest.raises(Conflict) as asking:
        await world.execute(RESTART, "stubborn", requester=BORIS)
    other = await world.ask("alpha")
    elsewhere = await world.confirm(other.confirmation_id)
    supervised.call("signalProcess", "stubborn", "KILL")
    async with world.calling(world.mavend) as client:
        ended = await client.get_execution(
            GetExecution(execution_id=running.execution_id, wait_s=20)
        )
    again = await world.confirm(second.confirmation_id, wait_s=0)
    supervised.wait_for_log("stubborn", "ready")
    supervised.call("signalProcess", "stubborn", "KILL")

    assert running.state in {"queued", "running"}
    assert confirming.value.reason == asking.value.reason == "entity_busy"
    assert elsewhere.state == ended.state == "succeeded"
    assert again.state in {"queued", "running"}


@requirement("invariant.5", "arch.6")
@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("ent_00000000000000000000000000", "entity_unknown"),
        ("den", "capability_not_applicable"),
    ],
)
async def test_what_is_not_a_known_fitting_entity_is_not_acted_on(
    world: World, target: str, reason: str
) -> None:
    with pytest.raises((NotFound, FailedPrecondition)) as refused:
        await world.execute(STATUS, target)

    assert refused.value.reason == reason
    assert refused.value.field == "entity_id"


@requirement("invariant.5", "arch.6")
@pytest.mark.parametrize("text", ["alpha", "Alpha", "ent_../x", "ent_a b", "", "; reboot"])
async def test_free_text_is_no_target(world: World, text: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        await world.execute(STATUS, text, free_text=True)

    assert refused.value.field == "entity_id"
    assert world.audit() == []


async def test_an_archived_entity_is_not_acted_on(world: World) -> None:
    await world.archive("beta")

    with pytest.raises(FailedPrecondition) as refused:
        await world.execute(STATUS, "beta")

    assert refused.value.reason == "entity_archived"


@pytest.mark.parametrize("program", ["alpha:*", "all", "-c x", "a b", "../alpha", "альфа"])
async def test_an_external_id_that_is_no_plain_name_is_not_handed_on(
    world: World, program: str
) -> None:
    await world.describe(odd=program)

    if program == "all":
        done = await world.execute(STATUS, "odd")
        assert (done.state, done.reason) == ("failed", "program_unknown")
        return
    with pytest.raises(FailedPrecondition) as refused:
        await world.execute(STATUS, "odd")
    assert refused.value.reason == "external_id_invalid"


@requirement("arch.11")
async def test_without_nexus_nothing_is_done_and_nothing_is_kept_to_be_run(world: World) -> None:
    await world.stop("nexus")

    with pytest.raises(Unavailable) as refused:
        await world.execute(RESTART, "alpha")

    assert refused.value.reason == "identity_unverifiable"
    with world.database() as connection:
        assert connection.execute("SELECT count(*) FROM execution").fetchone()[0] == 0
    assert [row["reason"] for row in world.audit()] == ["identity_unverifiable"]


async def test_a_part_runs_nothing_by_itself(world: World) -> None:
    with pytest.raises(PermissionDenied) as refused:
        await world.execute(STATUS, "alpha", requester="service:mavend")

    assert refused.value.reason == "policy_denied"


async def test_people_see_every_execution_and_agents_their_own(world: World) -> None:
    annas = await world.execute(STATUS, "alpha")
    agents = await world.execute(STATUS, "alpha", requester=AGENT, program=world.mcp)

    async with world.calling(world.mavend, BORIS) as client:
        boris_sees = await client.list_executions(ListExecutions(entity_id=world.ids["alpha"]))
    async with world.calling(world.mcp, AGENT) as client:
        agent_sees = await client.list_executions(ListExecutions())
        with pytest.raises(NotFound) as refused:
            await client.get_execution(GetExecution(execution_id=annas.execution_id))

    newest_first = [agents.execution_id, annas.execution_id]
    assert [each.execution_id for each in boris_sees.executions] == newest_first
    assert [each.execution_id for each in agent_sees.executions] == [agents.execution_id]
    assert refused.value.reason == "execution_unknown"


async def test_a_pending_challenge_is_shown_to_its_own_requester_alone(world: World) -> None:
    challenge = await world.ask("alpha")
    request = GetExecution(execution_id=challenge.execution_id)

    async with world.calling(world.mavend, BORIS) as client:
        to_boris = await client.get_execution(request)
    async with world.calling(world.mavend, ANNA) as client:
        to_anna = await client.get_execution(request)

    assert to_boris.confirmation is None
    assert to_anna.confirmation == challenge


@requirement("phase.3.status-polling")
async def test_whoever_asks_for_the_end_gets_it_when_it_comes(
    world: World, supervised: Supervised
) -> None:
    execution_id = await restart(world, "stubborn")
    async with world.calling(world.mavend) as client:
        request = GetExecution(execution_id=execution_id, wait_s=20)
        waiting = asyncio.create_task(client.get_execution(request))
        early = await client.get_execution(GetExecution(execution_id=execution_id))
        supervised.call("signalProcess", "stubborn", "KILL")

        done = await waiting

    assert early.state in {"queued", "running"}
    assert done.state == "succeeded"


@requirement("arch.18")
async def test_the_correlation_of_the_request_goes_on_to_the_audit_and_the_record(
    world: World,
) -> None:
    challenge = await world.ask("alpha")
    await world.confirm(challenge.confirmation_id)

    rows = world.audit()

    asked, confirmed, *ran = rows
    assert [row["decision"] for row in rows] == [
        "awaiting_confirmation",
        "confirmed",
        "running",
        "succeeded",
    ]
    assert {row["correlation_id"] for row in ran} == {asked["correlation_id"]}
    assert confirmed["causation_id"] != asked["causation_id"] != ""
    assert {row["requester"] for row in rows} == {ANNA}


async def test_reads_under_way_are_bounded(world: World) -> None:
    async with silent_supervisor(world.folder / "silent.sock", answers=True) as heard:
        world.use_supervisor(heard.path)
        await world.restart()
        begun = [await world.execute(STATUS, "alpha", wait_s=0) for _ in range(16)]

        with pytest.raises(ResourceExhausted) as refused:
            await world.execute(STATUS, "alpha")
        await world.stop("hexis")

    assert {each.state for each in begun} == {"running"}
    assert refused.value.reason == "too_many_running"

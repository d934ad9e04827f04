"""What a yes is still worth when something has changed since the question."""

import asyncio

import pytest

from hexis.contract.execution import Execution, GetExecution
from kit.errors import (
    FailedPrecondition,
    Unavailable,
)
from tests.hexis.supervised import Supervised
from tests.hexis.world import BORIS, RESTART, SHIPPED, World
from tests.requirements import requirement


async def look(world: World, execution_id: str) -> Execution:
    """An execution as it is now."""
    async with world.calling(world.mavend) as client:
        return await client.get_execution(GetExecution(execution_id=execution_id))


@requirement("invariant.6")
@pytest.mark.parametrize(
    ("case", "reason"),
    [
        ("definition", "capability_changed"),
        ("declared version", "capability_changed"),
        ("capability gone", "capability_changed"),
        ("risk lowered", "capability_changed"),
        ("archived", "entity_archived"),
        ("retargeted", "entity_retargeted"),
        ("other type", "capability_not_applicable"),
    ],
)
async def test_a_change_in_the_world_makes_the_confirmation_void(
    world: World, supervised: Supervised, before: int, case: str, reason: str
) -> None:
    challenge = await world.ask("beta")
    match case:
        case "definition":
            world.write_capabilities(SHIPPED.replace("timeout_s = 60", "timeout_s = 61"))
        case "declared version":
            world.write_capabilities(SHIPPED.replace('version = "1"', 'version = "2"'))
        case "capability gone":
            world.write_capabilities(SHIPPED.replace(RESTART, f"{RESTART}_other"))
        case "risk lowered":
            world.write_capabilities(SHIPPED.replace('"protected"\nentity', '"low"\nentity'))
        case "archived":
            await world.archive("beta")
        case "retargeted":
            await world.describe(beta="gamma")
        case _:
            await world.describe(type="project.repository", beta="beta")

    with pytest.raises(FailedPrecondition) as refused:
        await world.confirm(challenge.confirmation_id)
    with pytest.raises(FailedPrecondition) as again:
        await world.confirm(challenge.confirmation_id)

    ended = await look(world, challenge.execution_id)
    assert refused.value.reason in {reason, "confirmation_void"}
    assert again.value.reason == "confirmation_void"
    assert reason in again.value.message
    assert (ended.state, ended.reason) == ("refused", reason)
    assert supervised.pid("beta") == before


async def test_a_change_of_the_files_voids_what_waits_without_anybody_saying_yes(
    world: World,
) -> None:
    challenge = await world.ask("beta")
    path = world.write_capabilities(SHIPPED.replace("timeout_s = 60", "timeout_s = sixty"))

    async with world.calling(world.mavend) as client, asyncio.timeout(20):
        request = GetExecution(execution_id=challenge.execution_id, wait_s=10)
        while (ended := await client.get_execution(request)).state == "awaiting_confirmation":
            pass
    health = await world.health()

    assert (ended.state, ended.reason) == ("refused", "capability_changed")
    assert await world.pending() == []
    assert str(path) in health.degraded[0]


async def test_a_change_of_the_files_counts_at_once_for_what_is_asked_next(world: World) -> None:
    world.write_capabilities(SHIPPED.replace('"protected"\nentity', '"critical"\nentity'))
    critical = await world.execute(RESTART, "beta")
    world.write_capabilities(SHIPPED)
    again = await world.execute(RESTART, "beta")

    assert (critical.risk, again.risk) == ("critical", "protected")


@requirement("invariant.6")
@pytest.mark.parametrize(
    ("what", "name"), [("entity", "Renamed"), ("entity", "beta"), ("host", "Attic")]
)
async def test_another_name_than_the_question_said_makes_the_confirmation_void(
    world: World, supervised: Supervised, before: int, what: str, name: str
) -> None:
    challenge = await world.ask("beta")
    if what == "host":
        await world.describe(host=name, beta="beta")
    else:
        await world.describe(name=name, beta="beta")

    with pytest.raises(FailedPrecondition) as refused:
        await world.confirm(challenge.confirmation_id)

    assert refused.value.reason == "entity_renamed"
    assert await world.state_of(challenge.execution_id) == "refused"
    assert supervised.pid("beta") == before


@requirement("invariant.6")
@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("execution", "arguments", '{"force":true}'),
        ("execution", "external_id", "alpha"),
        ("execution", "entity_id", "ent_other"),
        ("execution", "host_id", "ent_other"),
        ("execution", "capability_id", "cap_supervisor_status"),
        ("execution", "capability_version", "2-00000000"),
        ("execution", "definition_digest", "0" * 64),
        ("execution", "risk", "low"),
        ("execution", "title", '{"en":"Look at"}'),
        ("execution", "target", '{"entity_id":"ent_1","type":"a","names":{"en":"Else"}}'),
        ("confirmation", "issued_at", "2020-01-01T00:00:00.000000Z"),
        ("confirmation", "expires_at", "2099-01-01T00:00:00.000000Z"),
        ("confirmation", "asked_turn", "trn_other"),
        ("confirmation", "asked_word", "other"),
        ("confirmation", "seal", b"\0" * 32),
    ],
)
async def test_an_altered_row_makes_the_confirmation_void(
    world: World, supervised: Supervised, before: int, table: str, column: str, value: str | bytes
) -> None:
    challenge = await world.ask("beta")
    world.alter(f"UPDATE {table} SET {column} = ?", value)  # noqa: S608 - named right above

    with pytest.raises(FailedPrecondition) as refused:
        await world.confirm(challenge.confirmation_id)

    assert refused.value.reason == "confirmation_altered"
    assert await world.state_of(challenge.execution_id) == "refused"
    assert supervised.pid("beta") == before


async def test_a_row_given_to_another_person_is_no_way_to_their_yes(world: World) -> None:
    challenge = await world.ask("beta")
    world.alter("UPDATE execution SET requester = ?", BORIS)

    with pytest.raises(FailedPrecondition) as refused:
        await world.confirm(challenge.confirmation_id, requester=BORIS)

    assert refused.value.reason == "confirmation_altered"


async def test_a_spent_confirmation_set_back_to_pending_is_not_spent_again(
    world: World, supervised: Supervised
) -> None:
    challenge = await world.ask("beta")
    await world.confirm(challenge.confirmation_id)
    after = supervised.pid("beta")
    world.alter("UPDATE confirmation SET state = ?", "pending")
    world.clock.advance(1)

    with pytest.raises(FailedPrecondition) as refused:
        await world.confirm(challenge.confirmation_id)

    assert refused.value.reason == "confirmation_consumed"
    assert supervised.pid("beta") == after


@requirement("arch.11")
async def test_without_nexus_a_yes_waits(world: World, supervised: Supervised, before: int) -> None:
    challenge = await world.ask("beta")
    await world.stop("nexus")

    with pytest.raises(Unavailable) as refused:
        await world.confirm(challenge.confirmation_id)

    assert refused.value.reason == "identity_unverifiable"
    assert supervised.pid("beta") == before
    assert await world.pending() == [challenge.confirmation_id]


async def test_a_confirmation_survives_a_restart_of_hexis(world: World) -> None:
    challenge = await world.ask("beta")
    await world.restart()

    done = await world.confirm(challenge.confirmation_id)

    assert done.state == "succeeded"

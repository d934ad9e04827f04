"""What is said to be possible, and the files that say so."""

from pathlib import Path

import pytest

from hexis.contract.catalog import GetCapability, ListCapabilities
from hexis.domain.capability import read_provider
from kit.errors import FailedPrecondition, NotFound, Unavailable
from nexus.contract import CreateEntity, Outgoing
from tests.hexis.world import AGENT, ANNA, LOGS, RESTART, SHIPPED, STATUS, World
from tests.requirements import requirement

EXAMPLE = Path(__file__).parents[2] / "config" / "capabilities.example.toml"


async def ids(world: World, requester: str = ANNA, **request: str) -> list[str]:
    program = world.mcp if requester == AGENT else world.mavend
    async with world.calling(program, requester) as client:
        reply = await client.list_capabilities(ListCapabilities(**request))
    return [each.capability_id for each in reply.capabilities]


@requirement("arch.5", "phase.1.list-capabilities")
async def test_what_can_be_done_to_an_entity_is_found_by_its_id(world: World) -> None:
    assert await ids(world, entity_id=world.ids["alpha"]) == [STATUS, LOGS, RESTART]
    assert await ids(world, entity_id=world.ids["alpha"], action="restart") == [RESTART]
    assert await ids(world, entity_id=world.ids["den"]) == []
    assert await ids(world) == [STATUS, LOGS, RESTART]


async def test_nothing_can_be_done_to_what_is_archived_or_the_supervisor_does_not_hold(
    world: World,
) -> None:
    await world.archive("beta")
    loose = await world.nexus.create_entity(
        CreateEntity(
            type="service.supervised",
            names={"en": "Loose"},
            relations=[Outgoing(predicate="runs_on", object=world.ids["den"])],
        )
    )

    assert await ids(world, entity_id=world.ids["beta"]) == []
    assert await ids(world, entity_id=loose.entity_id) == []
    with pytest.raises(FailedPrecondition) as refused:
        await world.execute(STATUS, loose.entity_id)
    assert refused.value.reason == "external_id_missing"


@requirement("arch.5")
async def test_a_capability_is_described_in_both_languages_with_its_closed_arguments(
    world: World,
) -> None:
    async with world.calling(world.mavend) as client:
        logs = await client.get_capability(GetCapability(capability_id=LOGS))

    assert set(logs.title) == set(logs.description) == {"en", "ru"}
    assert logs.arguments["additionalProperties"] is False
    assert logs.arguments["required"] == []
    lines = logs.arguments["properties"]["lines"]
    assert (lines["type"], lines["minimum"], lines["maximum"]) == ("integer", 1, 500)
    assert set(lines["x-descriptions"]) == {"en", "ru"}


async def test_an_agent_sees_what_it_may_run(world: World) -> None:
    assert await ids(world, AGENT) == [STATUS, LOGS]

    async with world.calling(world.mcp, AGENT) as client:
        with pytest.raises(NotFound) as refused:
            await client.get_capability(GetCapability(capability_id=RESTART))

    assert refused.value.reason == "capability_unknown"


@requirement("arch.11")
async def test_without_nexus_what_can_be_done_to_an_entity_is_not_said_to_be_nothing(
    world: World,
) -> None:
    await world.stop("nexus")

    with pytest.raises(Unavailable) as refused:
        await ids(world, entity_id=world.ids["alpha"])

    assert refused.value.reason == "identity_unverifiable"
    assert await ids(world) == [STATUS, LOGS, RESTART]


BAD_FILES = {
    "not TOML": "provider = ",
    "an unknown key": SHIPPED.replace("expects_recovery", "expect_recovery"),
    "an unknown argument key": SHIPPED.replace("default = 40", "default = 40\noneOf = []"),
    "a default out of bounds": SHIPPED.replace("default = 40", "default = 501"),
    "an integer without bounds": SHIPPED.replace("maximum = 500", ""),
    "a language missing": SHIPPED.replace(', ru = "Перезапустить" }', " }"),
    "a version missing": SHIPPED.replace('version = "1"\naction = "restart"', 'action = "restart"'),
    "an unknown executor": SHIPPED.replace('executor = "supervisor"', 'executor = "shell"', 1),
    "an unknown verb": SHIPPED.replace('verb = "restart"', 'verb = "remove"'),
    "a parameter too many": SHIPPED.replace('verb = "status"', 'verb = "status", user = "root"'),
    "an argument too many": SHIPPED.replace("arguments.lines", "arguments.path"),
    "a restart that calls itself a read": SHIPPED.replace('"protected"\nentity', '"read"\nentity'),
    "a read that calls itself protected": SHIPPED.replace('= "read"   ', '= "low"   '),
    "one id twice": SHIPPED.replace(LOGS, STATUS),
    "an id in another spelling": SHIPPED.replace(LOGS, "cap_Supervisor_Status"),
    "an id with an invisible letter": SHIPPED.replace(LOGS, f"{STATUS}\u200b"),
    "no capabilities": 'provider = "supervisor"\n',
}


@pytest.mark.parametrize("case", BAD_FILES)
async def test_a_bad_file_disables_itself_whole_with_the_reason(world: World, case: str) -> None:
    """HX-071."""
    assert BAD_FILES[case] != SHIPPED
    path = world.write_capabilities(BAD_FILES[case], "bad.toml")
    (path.parent / "supervisor.toml").unlink()
    await world.restart()

    async with world.calling(world.mavend) as client:
        reply = await client.list_capabilities(ListCapabilities())
        health = await world.health()

    assert reply.capabilities == []
    assert [str(path) in line for line in reply.disabled] == [True]
    assert len(reply.disabled[0]) > len(str(path)) + 10
    assert health.status == "degraded"
    assert str(path) in health.degraded[0]


async def test_a_bad_file_leaves_the_good_ones_alone(world: World) -> None:
    world.write_capabilities(SHIPPED, "zz_again.toml")
    await world.restart()

    async with world.calling(world.mavend) as client:
        reply = await client.list_capabilities(ListCapabilities())

    assert len(reply.capabilities) == 3
    assert "declared by another file" in reply.disabled[0]


@pytest.mark.parametrize("mode", [0o666, 0o660, 0o602])
async def test_a_file_that_others_can_write_is_not_believed(world: World, mode: int) -> None:
    """HX-075."""
    world.write_capabilities(SHIPPED).chmod(mode)
    await world.restart()

    async with world.calling(world.mavend) as client:
        reply = await client.list_capabilities(ListCapabilities())

    assert reply.capabilities == []
    assert "can be written by others" in reply.disabled[0]


async def test_a_folder_that_others_can_write_is_not_believed(world: World) -> None:
    """HX-075."""
    world.write_capabilities(SHIPPED).parent.chmod(0o777)
    await world.restart()

    with pytest.raises(NotFound) as refused:
        await world.execute(STATUS, "alpha")

    assert refused.value.reason == "capability_unknown"


async def test_a_capability_that_was_listed_and_is_gone_is_not_run(world: World) -> None:
    """HX-077."""
    listed = await ids(world)
    world.write_capabilities(SHIPPED.replace(STATUS, f"{STATUS}_2"))
    await world.restart()

    with pytest.raises(NotFound) as refused:
        await world.execute(listed[0], "alpha")

    assert refused.value.reason == "capability_unknown"


def test_the_documented_example_says_what_is_shipped() -> None:
    example = EXAMPLE.read_text(encoding="utf-8")

    assert read_provider(example) == read_provider(SHIPPED)

"""What Hexis reports: linked to items, and never taken for recovery."""

from itertools import permutations

import pytest

from kit.testing import FrozenClock
from praxis.contract import (
    ListAttention,
    ListItemExecutions,
    ListItems,
    ObservedState,
    Transition,
)
from tests.praxis.conftest import ENTITY, World
from tests.requirements import requirement


@requirement("arch.8", "invariant.7", "phase.3.execution-correlation")
async def test_success_is_linked_and_is_not_recovery(world: World, clock: FrozenClock) -> None:
    await world.praxis.observe(world.report())
    clock.advance(1)

    reported = await world.praxis.report_execution(world.done())

    item = await world.item()
    assert reported.item_ids == [item.item_id]
    assert (item.operational, item.awaiting_recovery) == ("active", True)
    assert item.recover_by == world.at(30)
    assert [linked.state for linked in item.executions] == ["succeeded"]
    assert (await world.happened())[-2:] == ["execution_reported", "item_awaiting_recovery"]
    attention = await world.praxis.list_attention(ListAttention())
    assert "awaiting_recovery" in attention.items[0].because


@requirement("arch.8")
async def test_seeing_the_entity_healthy_afterwards_recovers_its_items(
    world: World, clock: FrozenClock
) -> None:
    await world.praxis.observe(world.report())
    await world.praxis.report_execution(world.done())
    clock.advance(2)

    await world.praxis.observe(world.report("ok", source="watcher", kind="health"))

    item, last = await world.item(), (await world.changes())[-1]
    assert (item.operational, item.awaiting_recovery) == ("recovered", False)
    assert item.recovered_at == world.at(0)
    assert (last.what, last.execution_id) == ("item_recovered", "exe_1")


async def test_each_wait_for_recovery_begins_anew(world: World, clock: FrozenClock) -> None:
    for number in range(2):
        await world.praxis.report_execution(world.done(execution_id=f"exe_{number}"))
        waiting = await world.item("hexis")
        assert (waiting.active_since, waiting.episodes) == (world.at(0), number + 1)

        clock.advance(5)
        await world.praxis.observe(world.report("ok", source="watcher", kind="health"))
        clock.advance(600)

    item = await world.item("hexis")
    assert (item.first_seen, item.active_since) == (world.at(-1210), None)


async def test_an_episode_begins_with_the_first_report_of_it_whichever_comes_first(
    world: World,
) -> None:
    told: list[tuple[float, ObservedState]] = [
        (-10, "problem"),
        (-50, "problem"),
        (-20, "problem"),
        (-40, "ok"),
    ]
    for at, state in told:
        await world.praxis.observe(world.report(state, at=at))

    item = await world.item()
    assert (item.first_seen, item.active_since) == (world.at(-50), world.at(-20))


async def test_health_from_before_the_success_recovers_nothing(world: World) -> None:
    await world.praxis.observe(world.report(at=-10))
    await world.praxis.report_execution(world.done(at=-2))

    await world.praxis.observe(world.report("ok", at=-3, source="watcher", kind="health"))

    item = await world.item()
    assert (item.operational, item.awaiting_recovery) == ("active", True)


async def test_problem_success_and_health_may_come_in_any_order(world: World) -> None:
    for number, order in enumerate(permutations(("problem", "success", "health"))):
        execution, source = f"exe_{number}", f"log:{number}"
        base = 10 * number - 100
        for step in order:
            if step == "success":
                await world.praxis.report_execution(world.done(at=base + 2, execution_id=execution))
            elif step == "problem":
                await world.praxis.observe(world.report(at=base, source=source))
            else:
                await world.praxis.observe(
                    world.report("ok", at=base + 4, source="watcher", kind="health")
                )

        item = await world.item(source)
        assert (item.operational, item.recovered_at) == ("recovered", world.at(base + 4)), order
        assert execution in [linked.execution_id for linked in item.executions], order

    listed = await world.praxis.list_attention(ListAttention())
    assert listed.items == []


@pytest.mark.parametrize("health_first", [True, False])
async def test_restarting_a_healthy_thing_is_also_only_believed_when_seen(
    world: World, health_first: bool
) -> None:
    health = world.report("ok", at=-1, source="watcher", kind="health")
    if health_first:
        await world.praxis.observe(health)
    await world.praxis.report_execution(world.done(at=-5))
    waiting = (await world.item("hexis")).awaiting_recovery
    if not health_first:
        await world.praxis.observe(health)

    item = await world.item("hexis")
    assert waiting is not health_first
    assert (item.kind, item.key, item.severity) == ("recovery", f"recovery:{ENTITY}", "info")
    assert (item.operational, item.recovered_at) == ("recovered", world.at(-1))
    assert await world.happened() == [
        "execution_reported",
        "item_opened",
        "item_awaiting_recovery",
        "item_recovered",
    ]


@requirement("arch.8", "invariant.7")
async def test_success_without_recovery_is_attention_again(world: World) -> None:
    await world.praxis.observe(world.report(severity="warning"))
    await world.praxis.report_execution(world.done())
    item = await world.item()
    await world.praxis.acknowledge(Transition(item_id=item.item_id))

    await world.pass_time(31)

    item, change = await world.item(), (await world.changes())[-1]
    assert change.what == "item_not_recovered"
    assert (change.execution_id, change.item_id) == ("exe_1", item.item_id)
    assert (item.severity, item.attention, item.operational) == ("error", "new", "active")
    attention = await world.praxis.list_attention(ListAttention())
    assert attention.items[0].because[:2] == ["severity:error", "not_recovered"]


async def test_a_vain_wait_is_told_once_even_across_a_restart(world: World) -> None:
    await world.praxis.report_execution(world.done())
    await world.pass_time(31)

    await world.restart()
    await world.praxis.report_execution(world.done(execution_id="exe_0", at=-90))
    await world.pass_time(20)

    assert (await world.happened()).count("item_not_recovered") == 1
    assert (await world.item("hexis")).severity == "error"


async def test_no_wait_is_called_vain_while_praxis_could_not_see(
    world: World, clock: FrozenClock
) -> None:
    await world.praxis.report_execution(world.done())
    await world.stop()
    clock.advance(3600)

    await world.start()
    await world.praxis.observe(world.report("ok", source="watcher", kind="health"))

    assert "item_not_recovered" not in await world.happened()
    assert (await world.item("hexis")).operational == "recovered"


async def test_the_same_state_of_an_execution_counts_once(world: World) -> None:
    first = await world.praxis.report_execution(world.done())

    second = await world.praxis.report_execution(world.done())

    assert (second.duplicate, second.item_ids) == (True, first.item_ids)
    assert (await world.happened()).count("execution_reported") == 1


@pytest.mark.parametrize("state", ["running", "failed", "unknown"])
async def test_other_states_are_told_and_change_no_item(world: World, state: str) -> None:
    await world.praxis.observe(world.report())
    before = await world.item()

    await world.praxis.report_execution(world.done(state=state))

    item, change = await world.item(), (await world.changes())[-1]
    assert (item.operational, item.awaiting_recovery) == ("active", False)
    assert item.version == before.version
    assert (change.what, change.details["state"]) == ("execution_reported", state)
    assert change.details["requester"] == "user:anna"


async def test_an_execution_shows_once_in_its_furthest_state(
    world: World, clock: FrozenClock
) -> None:
    opened = await world.praxis.observe(world.report(at=-1))
    await world.praxis.report_execution(world.done(state="succeeded", at=2))
    await world.praxis.report_execution(world.done(state="running"))

    found = await world.praxis.list_item_executions(ListItemExecutions(opened.item_id or ""))

    assert [linked.state for linked in found.executions] == ["succeeded"]


async def test_a_report_about_one_entity_leaves_the_others_alone(world: World) -> None:
    await world.praxis.observe(world.report(source="log:beta", entity_id="ent_beta"))

    await world.praxis.report_execution(world.done())

    beta = await world.item("log:beta")
    assert (beta.awaiting_recovery, beta.executions) == (False, [])
    assert (await world.praxis.list_items(ListItems())).total == 2


async def test_of_two_healthy_looks_the_earlier_one_counts_whichever_comes_first(
    world: World,
) -> None:
    await world.praxis.observe(world.report(at=-50))
    await world.praxis.report_execution(world.done(at=-40))

    for at in (-20, -30):
        await world.praxis.observe(world.report("ok", at=at, source="watcher", kind="health"))

    assert (await world.item()).recovered_at == world.at(-30)


async def test_health_recovers_only_what_waited_on_the_execution(world: World) -> None:
    await world.praxis.report_execution(world.done(at=-40))
    await world.praxis.observe(world.report(at=-30))

    await world.praxis.observe(world.report("ok", at=-20, source="watcher", kind="health"))
    await world.praxis.observe(world.report(at=-10))

    item = await world.item()
    assert (await world.item("hexis")).operational == "recovered"
    assert (item.operational, item.episodes) == ("active", 1)

"""What people decide about items: kept apart from what is observed, and never mistaken for it."""

import msgspec
import pytest

from kit.errors import Conflict, FailedPrecondition, NotFound
from kit.testing import FrozenClock
from praxis.contract import Item, ListAttention, MarkSurfaced, ObservedState, Transition
from tests.praxis.conftest import World
from tests.requirements import requirement


async def open_item(world: World) -> Item:
    await world.praxis.observe(world.report())
    return await world.item()


async def listed(world: World) -> list[str]:
    attention = await world.praxis.list_attention(ListAttention())
    return [ranked.item.attention for ranked in attention.items]


@requirement("arch.4", "invariant.7")
async def test_surfaced_is_not_acknowledged(world: World) -> None:
    item = await open_item(world)

    shown = await world.praxis.mark_surfaced(MarkSurfaced(item_ids=[item.item_id], channel="web"))

    assert [each.attention for each in shown.items] == ["surfaced"]
    assert (await world.changes())[-1].details["channel"] == "web"
    assert "item_acknowledged" not in await world.happened()
    assert await listed(world) == ["surfaced"]


async def test_surfacing_takes_nothing_back(world: World) -> None:
    item = await open_item(world)
    await world.praxis.acknowledge(Transition(item_id=item.item_id))

    shown = await world.praxis.mark_surfaced(MarkSurfaced(item_ids=[item.item_id], channel="web"))

    assert shown.items[0].attention == "acknowledged"
    assert "item_surfaced" not in await world.happened()


async def test_surfacing_something_unknown_surfaces_nothing(world: World) -> None:
    item = await open_item(world)

    with pytest.raises(NotFound) as refusal:
        await world.praxis.mark_surfaced(
            MarkSurfaced(item_ids=[item.item_id, "itm_unknown"], channel="web")
        )

    assert refusal.value.field == "item_ids.1"
    assert (await world.item()).attention == "new"


@requirement("arch.4", "invariant.7")
async def test_acknowledged_is_not_resolved(world: World) -> None:
    item = await open_item(world)

    acknowledged = await world.praxis.acknowledge(Transition(item_id=item.item_id))

    assert (acknowledged.attention, acknowledged.operational) == ("acknowledged", "active")
    attention = await world.praxis.list_attention(ListAttention())
    assert attention.items[0].because[-1] == "acknowledged"


async def test_an_acknowledgement_survives_what_is_reported_later(
    world: World, clock: FrozenClock
) -> None:
    item = await open_item(world)
    await world.praxis.acknowledge(Transition(item_id=item.item_id, note="известно"))

    for _ in range(5):
        clock.advance(1)
        await world.praxis.observe(world.report())

    assert (await world.item()).attention == "acknowledged"


async def test_an_acknowledged_item_that_gets_worse_is_new_again(
    world: World, clock: FrozenClock
) -> None:
    item = await open_item(world)
    await world.praxis.acknowledge(Transition(item_id=item.item_id))
    clock.advance(1)

    await world.praxis.observe(world.report(severity="critical"))
    clock.advance(1)
    await world.praxis.observe(world.report(severity="error"))

    assert (await world.item()).attention == "new"


async def test_an_acknowledgement_of_what_has_moved_on_is_refused(
    world: World, clock: FrozenClock
) -> None:
    item = await open_item(world)
    clock.advance(1)
    await world.praxis.observe(world.report("ok"))

    with pytest.raises(Conflict) as refusal:
        await world.praxis.acknowledge(Transition(item_id=item.item_id, if_version=item.version))

    assert (refusal.value.reason, refusal.value.field) == ("version_changed", "if_version")
    assert (await world.item()).attention == "new"


async def test_more_of_the_same_and_being_shown_do_not_move_an_item_on(
    world: World, clock: FrozenClock
) -> None:
    item = await open_item(world)
    clock.advance(1)
    await world.praxis.observe(world.report())
    await world.praxis.mark_surfaced(MarkSurfaced(item_ids=[item.item_id], channel="web"))

    acknowledged = await world.praxis.acknowledge(
        Transition(item_id=item.item_id, if_version=item.version)
    )

    assert acknowledged.attention == "acknowledged"


async def test_an_acknowledgement_that_comes_after_recovery_does_not_reopen(
    world: World, clock: FrozenClock
) -> None:
    item = await open_item(world)
    clock.advance(1)
    await world.praxis.observe(world.report("ok"))

    acknowledged = await world.praxis.acknowledge(Transition(item_id=item.item_id))

    assert (acknowledged.operational, acknowledged.attention) == ("recovered", "acknowledged")
    assert await listed(world) == []


@requirement("arch.9", "invariant.7")
async def test_recovered_is_not_resolved(world: World, clock: FrozenClock) -> None:
    await open_item(world)
    clock.advance(1)

    await world.praxis.observe(world.report("ok"))

    item = await world.item()
    assert (item.operational, item.attention) == ("recovered", "new")
    assert "item_resolved" not in await world.happened()


@requirement("arch.9", "invariant.7")
async def test_resolved_by_a_person_is_not_recovered(world: World) -> None:
    item = await open_item(world)

    resolved = await world.praxis.resolve(Transition(item_id=item.item_id))

    change = (await world.changes())[-1]
    attention = await world.praxis.list_attention(ListAttention())
    assert [item.item_id for item in attention.set_aside] == [item.item_id]
    assert (resolved.attention, resolved.operational) == ("resolved", "active")
    assert (change.what, change.actor) == ("item_resolved", "user:anna")
    assert change.details["still_firing"] == "yes"
    assert await listed(world) == []


@pytest.mark.parametrize("state", ["problem", "waiting"])
async def test_what_was_resolved_and_is_reported_again_is_new_again_and_says_so(
    world: World, clock: FrozenClock, state: ObservedState
) -> None:
    item = await open_item(world)
    await world.praxis.resolve(Transition(item_id=item.item_id))
    clock.advance(1)

    await world.praxis.observe(world.report(state))

    attention = await world.praxis.list_attention(ListAttention())
    change = (await world.changes())[-1]
    assert [ranked.item.attention for ranked in attention.items] == ["new"]
    assert "reopened" in attention.items[0].because
    assert attention.set_aside == []
    assert (change.what, change.item_id) == ("item_reopened", item.item_id)
    assert change.details["reason"] == "reported_again"


async def test_what_was_reopened_says_so_for_good_and_is_told_once_for_each_resolution(
    world: World, clock: FrozenClock
) -> None:
    item = await open_item(world)
    for _ in range(2):
        await world.praxis.resolve(Transition(item_id=item.item_id))
        for _ in range(3):
            clock.advance(1)
            await world.praxis.observe(world.report())
    await world.praxis.mark_surfaced(MarkSurfaced(item_ids=[item.item_id], channel="web"))

    attention = await world.praxis.list_attention(ListAttention())

    assert attention.items[0].because[-2:] == ["reopened", "surfaced"]
    assert (await world.happened()).count("item_reopened") == 2


async def test_an_event_that_is_known_already_reopens_nothing(
    world: World, clock: FrozenClock
) -> None:
    report = world.report(event_id="tonight")
    await world.praxis.observe(report)
    item = await world.item()
    await world.praxis.resolve(Transition(item_id=item.item_id))
    clock.advance(1)
    told = await world.happened()

    again = await world.praxis.observe(msgspec.structs.replace(report, observed_at=world.at(0)))

    assert again.duplicate
    assert (await world.item()).attention == "resolved"
    assert await world.happened() == told


async def test_a_good_word_after_the_resolution_reopens_nothing(
    world: World, clock: FrozenClock
) -> None:
    item = await open_item(world)
    await world.praxis.resolve(Transition(item_id=item.item_id))

    states: list[ObservedState] = ["info", "progress", "ok"]
    for state in states:
        clock.advance(1)
        await world.praxis.observe(world.report(state))

    assert (await world.item()).attention == "resolved"


async def test_what_was_resolved_returns_with_a_new_episode(
    world: World, clock: FrozenClock
) -> None:
    item = await open_item(world)
    await world.praxis.resolve(Transition(item_id=item.item_id))

    states: list[ObservedState] = ["ok", "problem"]
    for state in states:
        clock.advance(1)
        await world.praxis.observe(world.report(state))

    assert await listed(world) == ["new"]
    assert (await world.happened())[-1] == "item_reopened"


async def test_an_event_from_before_the_resolution_does_not_reopen(
    world: World, clock: FrozenClock
) -> None:
    item = await open_item(world)
    clock.advance(10)
    await world.praxis.observe(world.report("ok", at=-8))
    await world.praxis.resolve(Transition(item_id=item.item_id))

    await world.praxis.observe(world.report(at=-5))

    assert await listed(world) == []


async def test_deciding_the_same_again_changes_nothing(world: World) -> None:
    item = await open_item(world)
    first = await world.praxis.acknowledge(Transition(item_id=item.item_id))

    second = await world.praxis.acknowledge(
        Transition(item_id=item.item_id, if_version=item.version)
    )

    assert second == first
    assert (await world.happened()).count("item_acknowledged") == 1


async def test_what_is_resolved_cannot_be_acknowledged(world: World) -> None:
    item = await open_item(world)
    await world.praxis.resolve(Transition(item_id=item.item_id))

    with pytest.raises(FailedPrecondition) as refusal:
        await world.praxis.acknowledge(Transition(item_id=item.item_id))

    assert refusal.value.reason == "illegal_transition"


async def test_a_key_that_told_of_no_trouble_is_no_item_to_decide_about(world: World) -> None:
    await world.praxis.observe(world.report("ok"))

    with pytest.raises(NotFound):
        await world.praxis.acknowledge(Transition(item_id="itm_unknown"))

    assert await world.happened() == []

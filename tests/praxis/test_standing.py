"""Ignoring, pinning and taking back: a person's word stands beside the facts and has an end."""

import pytest

from kit.errors import Conflict, FailedPrecondition, InvalidArgument
from praxis.contract import Ignore, Item, ListAttention, ListChanges, Transition
from tests.praxis.conftest import World
from tests.requirements import requirement


async def opened(world: World, severity: str = "error") -> Item:
    await world.praxis.observe(world.report(severity=severity))  # pyright: ignore[reportArgumentType]
    return await world.item()


async def listed(world: World) -> tuple[list[str], list[str]]:
    """What is listed, and what was set aside, by source."""
    found = await world.praxis.list_attention(ListAttention())
    return [each.item.source for each in found.items], [each.source for each in found.set_aside]


@requirement("praxis.model.ignore")
async def test_what_is_ignored_is_counted_and_shown_aside_until_it_gets_worse(
    world: World,
) -> None:
    item = await opened(world)

    ignored = await world.praxis.ignore(Ignore(item.item_id, note="known"))
    await world.praxis.observe(world.report(at=1, severity="error"))

    assert ignored.ignored is not None
    assert ignored.ignored.ends == "worse"
    assert await listed(world) == ([], ["log:alpha"])
    assert (await world.item()).count == 2

    await world.praxis.observe(world.report(at=2, severity="critical"))

    assert await listed(world) == (["log:alpha"], [])
    last = (await world.changes())[-1]
    assert (last.what, last.details["reason"]) == ("item_unignored", "worse")


async def test_an_ignoring_until_a_time_is_over_then(world: World) -> None:
    item = await opened(world)
    await world.praxis.ignore(Ignore(item.item_id, ends="time", until=world.at(60)))
    await world.praxis.observe(world.report(at=1, severity="critical"))
    await world.pass_time(50)
    assert await listed(world) == ([], ["log:alpha"])

    await world.pass_time(15)

    assert await listed(world) == (["log:alpha"], [])
    assert (await world.happened())[-1] == "item_unignored"


async def test_an_ignoring_until_a_change_ends_with_the_recovery(world: World) -> None:
    item = await opened(world)
    await world.praxis.ignore(Ignore(item.item_id, ends="change"))

    await world.praxis.observe(world.report("ok", at=1))

    found = await world.item()
    assert (found.ignored, found.operational) == (None, "recovered")


@requirement("praxis.model.ignore")
async def test_nothing_is_ignored_for_ever(world: World) -> None:
    item = await opened(world)

    with pytest.raises(InvalidArgument, match="until") as missing:
        await world.praxis.ignore(Ignore(item.item_id, ends="time"))
    with pytest.raises(InvalidArgument, match="passed"):
        await world.praxis.ignore(Ignore(item.item_id, until=world.at(-1)))

    assert missing.value.field == "until"
    assert (await world.item()).ignored is None


async def test_what_has_recovered_cannot_be_ignored(world: World) -> None:
    item = await opened(world)
    await world.praxis.observe(world.report("ok", at=1))

    with pytest.raises(FailedPrecondition):
        await world.praxis.ignore(Ignore(item.item_id))


async def test_a_person_hears_of_it_again_when_they_say_so(world: World) -> None:
    item = await opened(world)
    await world.praxis.ignore(Ignore(item.item_id))

    back = await world.praxis.unignore(Transition(item.item_id))

    assert back.ignored is None
    assert await listed(world) == (["log:alpha"], [])


@requirement("praxis.model.order")
async def test_what_is_pinned_stands_above_what_is_graver(world: World) -> None:
    item = await opened(world, "warning")
    await world.praxis.observe(world.report(source="log:beta", severity="critical"))

    await world.praxis.pin(Transition(item.item_id))
    pinned = (await world.praxis.list_attention(ListAttention())).items
    await world.praxis.unpin(Transition(item.item_id))
    unpinned = (await world.praxis.list_attention(ListAttention())).items

    assert [each.item.source for each in pinned] == ["log:alpha", "log:beta"]
    assert pinned[0].because[0] == "pinned"
    assert [each.item.source for each in unpinned] == ["log:beta", "log:alpha"]


@requirement("praxis.model.lifecycle")
async def test_an_acknowledgement_and_a_resolution_can_be_taken_back(world: World) -> None:
    item = await opened(world)
    await world.praxis.acknowledge(Transition(item.item_id))

    seen = await world.praxis.unacknowledge(Transition(item.item_id))
    await world.praxis.resolve(Transition(item.item_id))
    reopened = await world.praxis.reopen(Transition(item.item_id, note="not yet"))

    assert (seen.attention, reopened.attention) == ("surfaced", "surfaced")
    last = (await world.changes())[-1]
    assert (last.what, last.details["reason"]) == ("item_reopened", "by_person")
    assert (last.actor, last.details["note"]) == ("user:anna", "not yet")


async def test_what_was_not_decided_cannot_be_taken_back(world: World) -> None:
    item = await opened(world)

    for take_back in (world.praxis.unacknowledge, world.praxis.reopen):
        with pytest.raises(FailedPrecondition) as refused:
            await take_back(Transition(item.item_id))
        assert refused.value.reason == "illegal_transition"

    assert (await world.item()).version == item.version


@requirement("praxis.model.version")
async def test_a_decision_about_what_has_moved_on_is_refused(world: World) -> None:
    item = await opened(world)
    await world.praxis.observe(world.report(at=1, severity="critical"))

    for decide in (world.praxis.pin, world.praxis.resolve):
        with pytest.raises(Conflict):
            await decide(Transition(item.item_id, if_version=item.version))
    with pytest.raises(Conflict):
        await world.praxis.ignore(Ignore(item.item_id, if_version=item.version))

    assert (await world.item()).attention == "new"


async def test_every_decision_survives_a_restart(world: World) -> None:
    item = await opened(world)
    await world.praxis.ignore(Ignore(item.item_id, until=world.at(3600)))
    await world.praxis.pin(Transition(item.item_id))
    before = await world.item()

    await world.restart()

    assert await world.item() == before


async def test_doing_the_same_again_tells_nothing_new(world: World) -> None:
    item = await opened(world)
    await world.praxis.pin(Transition(item.item_id))
    await world.praxis.ignore(Ignore(item.item_id))
    end = (await world.praxis.list_changes(ListChanges(after=0))).next_after

    await world.praxis.pin(Transition(item.item_id))
    await world.praxis.ignore(Ignore(item.item_id))

    assert await world.changes(after=end) == []

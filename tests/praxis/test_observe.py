"""Observations in, items out, through the client."""

from itertools import permutations

import msgspec
import pytest

from kit.errors import InvalidArgument, PermissionDenied
from kit.testing import FrozenClock
from praxis.client import PraxisClient
from praxis.contract import (
    GetItem,
    HealthCheck,
    Item,
    ListAttention,
    ListItems,
    Observe,
    ObserveBatch,
    ObservedState,
    PutSource,
    Severity,
    Transition,
)
from tests.praxis.conftest import KEEPER, REPORTER, World
from tests.requirements import requirement


async def test_the_same_event_twice_is_one_observation(world: World) -> None:
    report = world.report(event_id="once")
    first = await world.praxis.observe(report)

    second = await world.praxis.observe(report)

    assert (second.duplicate, second.item_id) == (True, first.item_id)
    assert second.observation_id == first.observation_id
    assert (await world.item()).count == 1
    assert await world.happened() == ["item_opened"]


async def test_what_a_script_must_say_is_little(world: World, clock: FrozenClock) -> None:
    said = Observe(source="backup:nas", kind="backup", state="problem", summary="копии за ночь нет")
    first = await world.praxis.observe(said)
    clock.advance(60)
    second = await world.praxis.observe(said)

    item = await world.item("backup:nas")
    assert (second.duplicate, second.item_id) == (False, first.item_id)
    assert (item.key, item.severity, item.count) == ("backup:nas", "warning", 2)
    assert (item.first_seen, item.last_seen) == (world.at(-60), world.at(0))

    clock.advance(60)
    await world.praxis.observe(msgspec.structs.replace(said, state="ok", summary="готово"))

    assert (await world.item("backup:nas")).operational == "recovered"


async def test_a_healthy_word_alone_makes_no_item(world: World) -> None:
    observed = await world.praxis.observe(world.report("ok"))

    assert observed.item_id is None
    assert (await world.praxis.list_items(ListItems())).total == 0


async def test_reports_in_any_order_make_the_same_item(world: World) -> None:
    told = [
        world.report(at=-40, severity="warning"),
        world.report(at=-30, severity="error"),
        world.report("ok", at=-20),
        world.report(at=-10, severity="warning"),
    ]
    found: list[Item] = []
    for number, order in enumerate(permutations(told)):
        for report in order:
            source = f"log:{number}"
            await world.praxis.observe(msgspec.structs.replace(report, source=source))
        item = await world.item(f"log:{number}")
        found.append(msgspec.structs.replace(item, item_id="itm_x", source="log", version=1))

    assert all(item == found[0] for item in found)
    assert (found[0].operational, found[0].episodes, found[0].count) == ("active", 2, 3)


async def test_a_problem_opens_worsens_recovers_and_reopens_the_same_item(
    world: World, clock: FrozenClock
) -> None:
    told: list[tuple[ObservedState, Severity]] = [
        ("problem", "warning"),
        ("problem", "critical"),
        ("ok", "info"),
        ("problem", "warning"),
    ]
    for state, severity in told:
        clock.advance(1)
        await world.praxis.observe(world.report(state, severity=severity))

    item = await world.item()
    assert await world.happened() == [
        "item_opened",
        "item_worsened",
        "item_recovered",
        "item_reopened",
    ]
    assert (item.episodes, item.count, item.severity) == (2, 3, "warning")
    assert [evidence.state for evidence in item.evidence] == ["problem", "problem", "ok", "problem"]


async def test_nobody_speaks_for_a_source_that_praxis_looks_at_itself(world: World) -> None:
    await world.praxis.put_source(
        PutSource(
            source="health:alpha",
            kind="health",
            expected_every_s=60,
            health_check=HealthCheck(address="unix:///nowhere/s", every_s=60),
        )
    )

    for source in ("health:alpha", "hexis", "praxis"):
        with pytest.raises(PermissionDenied) as refusal:
            await world.praxis.observe(world.report("ok", source=source))
        assert (refusal.value.reason, refusal.value.field) == ("source_reserved", "source")


async def test_the_future_cannot_be_observed(world: World) -> None:
    with pytest.raises(InvalidArgument) as refusal:
        await world.praxis.observe(world.report(at=120))

    assert refusal.value.field == "observed_at"
    assert (await world.praxis.list_items(ListItems())).total == 0


async def test_secrets_in_a_report_are_not_kept(world: World) -> None:
    report = msgspec.structs.replace(
        world.report(), summary="password=hunter22 стёрт", details={"token": "Bearer abcdefghijkl"}
    )

    observed = await world.praxis.observe(report)

    item = await world.praxis.get_item(GetItem(observed.item_id or ""))
    assert "hunter22" not in item.title
    assert "стёрт" in item.title
    assert "abcdefghijkl" not in str(item.evidence)


async def test_ten_thousand_events_leave_one_bounded_item_and_its_acknowledgement(
    world: World,
) -> None:
    opened = await world.praxis.observe(world.report(at=-500))
    await world.praxis.acknowledge(Transition(item_id=opened.item_id or ""))

    await world.praxis.pin(Transition(item_id=opened.item_id or ""))
    for part in range(20):
        reports = [world.report(at=-400 + (part * 500 + n) / 100) for n in range(500)]
        await world.praxis.observe_batch(ObserveBatch(reports))

    item = await world.item()
    assert (item.count, item.attention, item.episodes) == (10_001, "acknowledged", 1)
    assert item.pinned
    assert len(item.evidence) == 20
    assert item.first_seen == world.at(-500)


@requirement("arch.19", "invariant.4")
async def test_who_may_only_report_can_decide_nothing(world: World) -> None:
    observed = await world.praxis.observe(world.report())

    async with world.connect(REPORTER, "service:hexis") as reporter:
        with pytest.raises(PermissionDenied):
            await reporter.resolve(Transition(item_id=observed.item_id or ""))
        with pytest.raises(PermissionDenied):
            await reporter.list_attention(ListAttention())

    assert (await world.item()).attention == "new"


async def test_attention_ranks_explains_and_counts(world: World) -> None:
    severities: dict[str, Severity] = {"a": "warning", "b": "critical", "c": "error"}
    for name, severity in severities.items():
        await world.praxis.observe(world.report(source=f"log:{name}", severity=severity))

    listed = await world.praxis.list_attention(ListAttention(limit=2))

    assert [ranked.item.source for ranked in listed.items] == ["log:b", "log:c"]
    assert listed.items[0].because == ["severity:critical", "new"]
    assert listed.total == 3


async def test_attention_can_be_asked_of_one_entity(world: World) -> None:
    await world.praxis.observe(world.report(source="log:a", entity_id="ent_a"))
    await world.praxis.observe(world.report(source="log:b", entity_id="ent_b"))

    listed = await world.praxis.list_attention(ListAttention(entity_ids=["ent_b"]))

    assert [ranked.item.source for ranked in listed.items] == ["log:b"]
    assert listed.total == 1


async def test_an_item_keeps_everything_across_a_restart(world: World) -> None:
    opened = await world.praxis.observe(world.report(at=-5))
    await world.praxis.acknowledge(Transition(item_id=opened.item_id or "", note="смотрю"))
    before, told = await world.item(), await world.changes()

    await world.restart()

    praxis: PraxisClient = world.connect(KEEPER, "user:anna")
    assert await praxis.get_item(GetItem(before.item_id)) == before
    assert await world.changes() == told
    praxis.close()

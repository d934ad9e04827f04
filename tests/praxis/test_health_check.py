"""Health checks of a real part that is stopped, hangs, ails and starts again."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import msgspec
import pytest
import pytest_asyncio

from kit.clock import SystemClock
from kit.contract import Contract
from kit.daemon import Running
from kit.server import Hosted
from kit.testing import FrozenClock, Program, grants, hosting
from praxis.contract import (
    HealthCheck,
    ListAttention,
    ListChanges,
    ListSources,
    PutSource,
    SourceState,
    Transition,
)
from praxis.settings import Settings
from tests.praxis.conftest import ENTITY, OWN, World
from tests.requirements import requirement

ALPHA = Contract("alpha", "1.0")


class Part:
    """A part that can be stopped and started, and be unwell."""

    def __init__(self, folder: Path, *programs: Program) -> None:
        self._folder = folder
        self._grants = grants(folder / "alpha.json", "alpha", *programs)
        self._stack = AsyncExitStack()
        self.ails: list[str] = []

    async def start(self) -> None:
        hosted = Hosted(
            contract=ALPHA, service=object(), grants=self._grants, degraded=lambda: self.ails
        )

        @asynccontextmanager
        async def opened() -> AsyncGenerator[Running]:
            yield Running(hosted=hosted)

        await self._stack.enter_async_context(hosting(opened(), self._folder / "a"))

    async def stop(self) -> None:
        await self._stack.aclose()


def check(folder: Path, socket: str = "a", name: str = "alpha") -> PutSource:
    return PutSource(
        source=f"health:{name}",
        kind="health",
        expected_every_s=0.1,
        entity_id=ENTITY,
        health_check=HealthCheck(address=f"unix://{folder / socket}", every_s=0.1),
    )


@pytest_asyncio.fixture
async def live(folder: Path) -> AsyncGenerator[World]:
    """Praxis by the real clock, quick to look and to lose patience."""
    world = World(folder, SystemClock())
    world.settings = Settings(grace=1.0, slack_s=0.5, start_up_s=0.5, health_timeout_s=0.2)
    await world.start()
    yield world
    await world.stop()


@pytest_asyncio.fixture
async def part(folder: Path) -> AsyncGenerator[Part]:
    part = Part(folder, OWN)
    yield part
    await part.stop()


async def state(world: World, source: str = "health:alpha") -> SourceState:
    listed = await world.praxis.list_sources(ListSources())
    (found,) = [each for each in listed.sources if each.source == source]
    return found


async def seen(world: World, wanted: str) -> SourceState:
    """Wait, within bounds, until the source has said this."""
    async with asyncio.timeout(10):
        while (found := await state(world)).last_state != wanted:
            await world.praxis.list_changes(ListChanges(wait_s=0.1))
    return found


@requirement("arch.8")
async def test_a_part_that_is_stopped_is_an_item_and_recovers_when_seen_healthy(
    live: World, part: Part, folder: Path
) -> None:
    await part.start()
    await live.praxis.put_source(check(folder))
    await seen(live, "ok")
    before = await live.praxis.list_attention(ListAttention())

    await part.stop()
    opened = await live.until("item_opened")
    item = await live.item("health:alpha")
    await part.start()
    recovered = await live.until("item_recovered", after=opened.cursor)
    restarted = await live.until("instance_changed", after=opened.cursor)

    assert before.items == []
    assert (item.key, item.kind, item.severity) == ("health", "health", "error")
    assert item.evidence[-1].details["reason"] == "unreachable"
    assert recovered.item_id == item.item_id
    assert restarted.entity_id == ENTITY
    started_at = (await state(live)).instance_started_at
    assert started_at is not None
    assert restarted.details["started_at"] == started_at.isoformat()


async def test_a_part_that_ails_is_a_warning_with_its_own_words(
    live: World, part: Part, folder: Path
) -> None:
    part.ails = ["диск почти полон"]
    await part.start()

    await live.praxis.put_source(check(folder))
    await live.until("item_opened")

    item = await live.item("health:alpha")
    assert (item.severity, item.title) == ("warning", "degraded: диск почти полон")


async def test_a_part_that_hangs_is_a_problem_and_delays_no_other(
    live: World, part: Part, folder: Path
) -> None:
    await part.start()
    accepted: list[asyncio.StreamWriter] = []
    hung = await asyncio.start_unix_server(
        lambda _, writer: accepted.append(writer), str(folder / "h")
    )

    await live.praxis.put_source(check(folder, "h", "hung"))
    await live.praxis.put_source(check(folder))
    await live.until("item_opened")

    item = await live.item("health:hung")
    assert item.evidence[-1].details["reason"] == "timeout"
    assert (await seen(live, "ok")).freshness == "fresh"
    hung.close()
    for writer in accepted:
        writer.close()


async def test_one_failure_alone_is_no_problem(live: World, folder: Path) -> None:
    patient = check(folder)
    assert patient.health_check is not None
    looked = msgspec.structs.replace(patient.health_check, failures=100)

    await live.praxis.put_source(msgspec.structs.replace(patient, health_check=looked))
    await live.praxis.put_source(check(folder, "b", "beta"))
    await live.until("item_opened")

    listed = await live.praxis.list_attention(ListAttention())
    assert [ranked.item.source for ranked in listed.items] == ["health:beta"]


async def test_a_part_that_refuses_to_tell_makes_its_own_source_stale_and_no_other(
    live: World, folder: Path
) -> None:
    closed = Part(folder)  # it knows no program at all
    await closed.start()
    await live.praxis.put_source(check(folder))
    await live.praxis.put_source(check(folder, "b", "beta"))

    change = await live.until("source_stale")

    item = await live.item("praxis")
    assert change.source == "health:alpha"
    assert "token" in change.details["trouble"]
    assert item.evidence[-1].details["source"] == "health:alpha"
    assert (await state(live, "health:beta")).freshness == "fresh"
    await closed.stop()


async def test_good_health_is_seen_again_and_again_and_written_once(
    live: World, part: Part, folder: Path
) -> None:
    await part.start()
    await live.praxis.put_source(check(folder))
    first = await seen(live, "ok")

    async with asyncio.timeout(10):
        while (later := await state(live)).last_observed_at == first.last_observed_at:
            await live.praxis.list_changes(ListChanges(wait_s=0.1))

    store = live.running.hosted.store
    assert store is not None
    assert store.read("SELECT count(*) FROM observation")[0][0] == 1
    assert (later.last_change_at, later.freshness) == (first.last_change_at, "fresh")


@requirement("arch.8", "invariant.7")
async def test_after_a_restart_only_a_healthy_look_that_came_later_recovers(
    live: World, part: Part, folder: Path
) -> None:
    await live.praxis.put_source(check(folder))
    await live.until("item_opened")

    done = live.done()
    await live.praxis.report_execution(done)
    waiting = await live.item("health:alpha")
    await part.start()
    recovered = await live.until("item_recovered")

    assert (waiting.operational, waiting.awaiting_recovery) == ("active", True)
    assert recovered.execution_id == "exe_1"
    assert recovered.details["recovered_at"] > done.at.isoformat()


async def test_restarting_what_was_healthy_recovers_at_the_next_healthy_look(
    live: World, part: Part, folder: Path
) -> None:
    await part.start()
    await live.praxis.put_source(check(folder))
    await seen(live, "ok")

    await live.praxis.report_execution(live.done())
    recovered = await live.until("item_recovered")

    item = await live.item("hexis")
    assert (item.kind, item.item_id) == ("recovery", recovered.item_id)


async def test_a_problem_that_only_goes_on_being_seen_stays_resolved(
    world: World, clock: FrozenClock, folder: Path
) -> None:
    await world.praxis.put_source(check(folder))
    opened = await world.until("item_opened")
    item = await world.item("health:alpha")
    await world.praxis.resolve(Transition(item_id=item.item_id))

    clock.advance(11)
    async with asyncio.timeout(10):
        while (seen_again := await world.item("health:alpha")).count == 1:
            await world.praxis.list_changes(ListChanges(wait_s=0.05))

    attention = await world.praxis.list_attention(ListAttention())
    assert (seen_again.attention, seen_again.active_since) == ("resolved", item.active_since)
    assert item.active_since == item.first_seen
    assert [each.item_id for each in attention.set_aside] == [item.item_id]
    assert await world.happened(after=opened.cursor) == ["item_resolved"]


async def test_what_praxis_looks_at_follows_its_source_to_another_entity(
    world: World, folder: Path
) -> None:
    await world.praxis.put_source(check(folder))
    await world.until("item_opened")

    await world.praxis.put_source(msgspec.structs.replace(check(folder), entity_id="ent_beta"))

    assert (await world.item("health:alpha")).entity_id == "ent_beta"


async def test_checks_go_on_after_a_restart_of_praxis_and_know_the_part_again(
    live: World, part: Part, folder: Path
) -> None:
    await part.start()
    await live.praxis.put_source(check(folder))
    await seen(live, "ok")
    await live.stop()
    await part.stop()

    await part.start()
    await live.start()
    change = await live.until("instance_changed")

    assert change.source == "health:alpha"
    assert "previous_started_at" in change.details


async def test_a_check_follows_its_new_address(live: World, part: Part, folder: Path) -> None:
    await part.start()
    await live.praxis.put_source(check(folder, "wrong"))
    await live.until("item_opened")

    await live.praxis.put_source(check(folder))

    assert (await live.until("item_recovered")).source == "health:alpha"


@pytest.mark.parametrize("contract", ["alpha", None])
async def test_what_is_spoken_there_can_be_named(
    live: World, part: Part, folder: Path, contract: str | None
) -> None:
    await part.start()
    named = check(folder, name="second" if contract else "alpha")
    assert named.health_check is not None
    looked = msgspec.structs.replace(named.health_check, contract=contract)

    await live.praxis.put_source(msgspec.structs.replace(named, health_check=looked))

    async with asyncio.timeout(10):
        while (await state(live, named.source)).last_state != "ok":
            await live.praxis.list_changes(ListChanges(wait_s=0.1))

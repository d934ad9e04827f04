"""The feed as a stream of events: told as it happens, taken up where it was left."""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator
from pathlib import Path

import msgspec
import pytest

from kit.errors import FailedPrecondition, PermissionDenied, Unavailable
from praxis.contract import Change, Transition, WatchChanges
from tests.praxis.conftest import COMMAND, ENTITY, KEEPER, REPORTER, Run, World
from tests.requirements import requirement


async def some(stream: AsyncGenerator[Change], count: int) -> list[Change]:
    """The next few changes; then the reader leaves."""
    found: list[Change] = []
    async with asyncio.timeout(10):
        async for change in stream:
            found.append(change)
            if len(found) == count:
                break
    await stream.aclose()
    return found


@requirement("praxis.surface.stream")
async def test_a_watcher_is_told_of_each_change_as_it_happens(world: World) -> None:
    watching = asyncio.ensure_future(some(world.praxis.watch_changes(WatchChanges(after=0)), 3))
    writer = world.connect(KEEPER, "user:boris")

    opened = await writer.observe(world.report())
    await writer.acknowledge(Transition(opened.item_id or ""))
    await writer.observe(world.report("ok", at=1))

    changes = await watching
    writer.close()
    assert [change.what for change in changes] == [
        "item_opened",
        "item_acknowledged",
        "item_recovered",
    ]
    assert changes == await world.changes()


@requirement("praxis.surface.stream")
async def test_a_watcher_that_comes_back_misses_nothing_and_sees_nothing_twice(
    world: World,
) -> None:
    for number in range(6):
        await world.praxis.observe(world.report(source=f"log:{number}"))

    first = await some(world.praxis.watch_changes(WatchChanges(after=0)), 2)
    second = await some(world.praxis.watch_changes(WatchChanges(after=first[-1].cursor)), 4)

    assert [change.cursor for change in (*first, *second)] == [1, 2, 3, 4, 5, 6]


async def test_without_a_cursor_a_watcher_hears_of_what_comes(world: World) -> None:
    await world.praxis.observe(world.report())
    stream = world.praxis.watch_changes(WatchChanges())
    watching = asyncio.ensure_future(some(stream, 1))
    writer = world.connect(KEEPER, "user:boris")

    while not watching.done():
        await writer.observe(world.report(source=f"log:{len(await world.changes())}"))
        await asyncio.sleep(0)

    (change,) = await watching
    writer.close()
    assert change.cursor > 1


async def test_a_watcher_of_one_entity_hears_of_no_other(world: World) -> None:
    await world.praxis.observe(world.report(entity_id="ent_beta", source="log:beta"))
    await world.praxis.observe(world.report(entity_id=ENTITY))

    watched = WatchChanges(after=0, entity_ids=[ENTITY])
    (change,) = await some(world.praxis.watch_changes(watched), 1)

    assert (change.entity_id, change.cursor) == (ENTITY, 2)


async def test_every_watcher_is_let_go_when_praxis_stops(world: World) -> None:
    readers = [world.connect(KEEPER, "user:boris") for _ in range(5)]
    waiting = [
        asyncio.ensure_future(some(reader.watch_changes(WatchChanges(after=0)), 99))
        for reader in readers
    ]
    for number in range(3):
        await world.praxis.observe(world.report(source=f"log:{number}"))

    async with asyncio.timeout(10):
        await world.stop()
        heard = await asyncio.gather(*waiting, return_exceptions=True)

    for reader in readers:
        reader.close()
    await world.start()
    for each in heard:
        assert isinstance(each, Unavailable) or [change.cursor for change in each] == [1, 2, 3]  # pyright: ignore


async def test_a_cursor_that_never_was_is_refused_with_the_way_out(world: World) -> None:
    with pytest.raises(FailedPrecondition) as refused:
        await some(world.praxis.watch_changes(WatchChanges(after=99)), 1)

    assert refused.value.reason == "cursor_unknown"


async def test_who_may_not_read_may_not_watch(world: World) -> None:
    async with world.connect(REPORTER, "service:hexis") as reporter:
        with pytest.raises(PermissionDenied):
            await some(reporter.watch_changes(WatchChanges(after=0)), 1)


async def test_a_praxis_that_is_away_is_unavailable(world: World) -> None:
    await world.stop()
    reader = world.connect(KEEPER, "user:boris")

    with pytest.raises(Unavailable):
        await some(reader.watch_changes(WatchChanges()), 1)

    reader.close()
    await world.start()


async def test_the_command_prints_a_change_a_line_until_it_is_interrupted(
    folder: Path, shell: Run
) -> None:
    await shell("ping", "nightly-backup", "2", "-m", "disk full")
    environment = {**os.environ, "ECOSYSTEM_HOME": str(folder), "ECOSYSTEM_REQUESTER": "user:anna"}
    watching = await asyncio.create_subprocess_exec(
        COMMAND, "watch-changes", "--after", "0", env=environment, stdout=PIPE, stderr=PIPE
    )
    assert watching.stdout is not None
    async with asyncio.timeout(20):
        line = await watching.stdout.readline()
        watching.send_signal(signal.SIGINT)
        _, complaint = await watching.communicate()

    assert msgspec.json.decode(line, type=Change).cursor == 1
    assert (watching.returncode, complaint) == (130, b"")

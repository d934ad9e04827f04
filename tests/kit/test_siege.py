"""A part under siege: whoever has a credential gets through, whoever has none costs little."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import psutil
import pytest

from kit import doors
from kit.address import Address, dial, listen
from kit.connection import Connection
from kit.contract import Nothing
from tests.kit.conftest import ROOT, Process, Stage
from tests.kit.sample.contract import AwaitNews, Keep, SampleClient
from tests.kit.wire import Wire, connected, once

SIZE = 2000


@contextmanager
def crowd(address: Address) -> Generator[subprocess.Popen[str]]:
    """Many sockets of strangers, held until the block ends."""
    command = [sys.executable, "-m", "tests.kit.crowd", address.path, str(SIZE)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as besieging:
        try:
            yield besieging
        finally:
            besieging.kill()


async def test_who_has_a_credential_gets_through_a_crowd_that_has_none(process: Process) -> None:
    running = process.start()
    async with await process.ready() as kept:
        with crowd(process.address) as besieging:
            assert besieging.stdout is not None
            made, held = map(int, (await asyncio.to_thread(besieging.stdout.readline)).split())
            for number in range(20):
                await kept.keep(Keep(text=f"kept {number}"), timeout_s=10)
                async with process.client() as fresh:
                    await fresh.keep(Keep(text=f"fresh {number}"), timeout_s=10)
            assert besieging.poll() is None
            files = psutil.Process(running.pid).num_fds()
        notes = await kept.list_notes(Nothing())
    logged = await said_until_its_end(running)

    assert made > held > 1000
    assert len(notes.texts) == 40
    assert files < doors.MOST_CONNECTIONS + 200
    assert len(logged) < 10


async def test_the_oldest_stranger_makes_room(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doors, "MOST_CONNECTIONS", 3)
    monkeypatch.setattr(doors, "ROOM_FOR_STRANGERS", 1)
    async with (
        known(stage) as friend,
        connected(stage.address) as first,
        connected(stage.address) as second,
        connected(stage.address) as third,
    ):
        gone = await first.until_closed()
        served = [
            (await wire.post("echo", stage.headers, "{}")).status
            for wire in (second, third, friend)
        ]

    assert (gone, served) == (b"", [200, 200, 200])


async def test_where_all_are_known_the_longest_idle_makes_room(
    stage: Stage, client: SampleClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doors, "MOST_CONNECTIONS", 3)
    waiting = asyncio.ensure_future(client.await_news(AwaitNews(wait_s=30)))
    async with asyncio.timeout(5):
        await stage.sample.begun.wait()
    async with known(stage) as first, known(stage) as second:
        await first.post("echo", stage.headers, "{}")
        kept = await once(stage.address, "keep", stage.headers, '{"text":"news"}')
        gone = await second.until_closed()
        still = await first.post("echo", stage.headers, "{}")
        news = await waiting

    assert (kept.status, gone, still.status, news.count) == (200, b"", 200, 1)


async def test_where_all_are_busy_the_newest_is_closed(
    stage: Stage, client: SampleClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doors, "MOST_CONNECTIONS", 1)
    waiting = asyncio.ensure_future(client.await_news(AwaitNews(wait_s=0.3)))
    async with asyncio.timeout(5):
        await stage.sample.begun.wait()
    async with connected(stage.address) as late:
        gone = await late.until_closed()

    assert gone == b""
    assert (await waiting).count == 0


async def test_garbage_writes_no_line_each(process: Process) -> None:
    running = process.start()
    (await process.ready()).close()
    (process.home / "sample" / "grants.json").write_text("no grants")
    for _ in range(50):
        async with connected(process.address) as wire:
            await wire.send("garbage\r\n\r\n")
            await wire.until_closed()
        await once(process.address, "echo", "host: x\r\nconnection: upgrade\r\nupgrade: a\r\n", "")
        await once(process.address, "echo", "host: x\r\nauthorization: Bearer x\r\n", "")
    logged = await said_until_its_end(running)

    assert len([line for line in logged if "grants_unreadable" in line]) == 1
    assert len(logged) < 5


async def test_a_caller_waits_while_too_many_wait_to_be_taken(folder: Path) -> None:
    address = Address(path=str(folder / "s"))
    with listen(address) as listener:
        listener.listen(0)
        dialling = [asyncio.ensure_future(dial(Connection, address)) for _ in range(4)]
        taken, waiting = await asyncio.wait(dialling, timeout=0.1)
        async with await asyncio.start_unix_server(hang_up, sock=listener), asyncio.timeout(10):
            reached = await asyncio.gather(*dialling)
    for connection in reached:
        connection.close()

    assert (len(taken), len(waiting)) == (1, 3)


async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.close()


@asynccontextmanager
async def known(stage: Stage) -> AsyncGenerator[Wire]:
    """A connection that has shown a credential."""
    async with connected(stage.address) as wire:
        assert (await wire.post("echo", stage.headers, "{}")).status == 200
        yield wire


async def said_until_its_end(running: subprocess.Popen[str]) -> list[str]:
    """What a part has logged, once it has been told to stop."""
    running.terminate()
    await asyncio.to_thread(running.wait, 20)
    assert running.stderr is not None
    return running.stderr.read().splitlines()

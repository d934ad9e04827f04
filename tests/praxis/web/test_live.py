"""Live updates: every browser hears of every change, once, also after it was away."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from praxis.contract import Change
from praxis.web.events import spoken
from praxis.web.texts import TEXTS
from tests.praxis.conftest import World
from tests.praxis.web.conftest import Site, Visitor


@dataclass
class Told:
    """One event of the stream."""

    kind: str
    cursor: str
    say: str


class Stream:
    """What a browser hears."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader
        self.heartbeats = 0

    async def line(self) -> str:
        async with asyncio.timeout(20):
            return (await self._reader.readline()).decode().strip()

    async def told(self) -> Told:
        """The next event, comments left out."""
        fields: dict[str, str] = {}
        while True:
            line = await self.line()
            if line.startswith(":"):
                self.heartbeats += 1
            name, _, value = line.partition(": ")
            fields[name] = value
            if name == "data":
                return Told(fields["event"], fields["id"], json.loads(value)["say"])

    async def until(self, kind: str) -> Told:
        while True:
            told = await self.told()
            if told.kind == kind and (kind != "changes" or told.say):
                return told


@asynccontextmanager
async def listening(
    visitor: Visitor, path: str = "/events", last: str = ""
) -> AsyncGenerator[Stream]:
    reader, writer = await asyncio.open_connection("127.0.0.1", visitor.port)
    jar = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
    resumed = f"Last-Event-ID: {last}\r\n" if last else ""
    writer.write(
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{visitor.port}\r\nCookie: {jar}\r\n"
        f"Accept-Language: {visitor.language}\r\n{resumed}\r\n".encode()
    )
    stream = Stream(reader)
    while await stream.line():
        pass
    try:
        yield stream
    finally:
        writer.close()


async def test_a_change_reaches_every_browser_in_its_language(
    site: Site, world: World, visitor: Visitor
) -> None:
    other = await site.visitor()
    other.language = "ru"
    async with listening(visitor) as one, listening(other) as two:
        await one.told()
        await two.told()
        await world.praxis.observe(world.report())

        first, second = await one.until("changes"), await two.until("changes")

    assert first.say == "Opened: problem 1."
    assert second.say == "Открыто: problem 1."
    assert first.cursor == second.cursor


async def test_a_browser_that_was_away_hears_what_it_missed(world: World, visitor: Visitor) -> None:
    async with listening(visitor) as stream:
        await stream.told()
        await world.praxis.observe(world.report(severity="warning"))
        seen = await stream.until("changes")
    async with listening(visitor) as stream:
        await stream.told()
        await world.praxis.observe(world.report(severity="critical"))
        await stream.until("changes")

    async with listening(visitor, last=seen.cursor) as stream:
        missed = await stream.told()

    assert missed.kind == "changes"
    assert missed.say.startswith("Got worse")


async def test_a_browser_whose_place_is_not_known_is_told_to_look_anew(visitor: Visitor) -> None:
    for last in ("999999999", "x", "-1", "9" * 30):
        async with listening(visitor, last=last) as stream:
            assert (await stream.told()).kind == "reset"


async def test_silence_is_filled_with_heartbeats(visitor: Visitor) -> None:
    async with listening(visitor) as stream:
        await stream.told()

        while await stream.line() != ": still here":
            pass


async def test_browsers_hear_that_praxis_is_gone_and_that_it_is_back(
    world: World, visitor: Visitor
) -> None:
    async with listening(visitor) as stream:
        await stream.told()
        await world.stop()
        await stream.until("down")
        await world.start()
        await stream.until("up")
        await world.praxis.observe(world.report())

        assert (await stream.until("changes")).say == "Opened: problem 1."


async def test_streams_end_when_the_pages_stop(site: Site, visitor: Visitor) -> None:
    async with listening(visitor) as stream:
        await stream.told()
        await site.stop()

        while await stream.line() != "0":
            pass


def test_many_changes_at_once_are_counted_not_read_out(world: World) -> None:
    changes = [
        Change(n, world.clock.now(), "item_opened", details={"title": f"T{n}"}) for n in range(5)
    ]

    assert spoken(changes[:1], TEXTS["en"]) == "Opened: T0."
    assert spoken(changes, TEXTS["en"]) == "5 changes"
    assert spoken(changes, TEXTS["ru"]) == "5 изменений"
    assert spoken([Change(1, world.clock.now(), "item_surfaced")], TEXTS["en"]) == ""

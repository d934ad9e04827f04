"""Praxis in process on a real socket and database, and the clients that speak to it."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest
import pytest_asyncio

from kit.address import Address
from kit.clock import Clock
from kit.daemon import Running
from kit.testing import FrozenClock, Program, grants, hosting
from praxis.app import open_part
from praxis.client import PraxisClient
from praxis.contract import (
    Change,
    GetItem,
    Item,
    ListChanges,
    ListItems,
    Observe,
    ObservedState,
    ReportExecution,
    Severity,
)
from praxis.settings import Settings

_ALL = ["praxis.read", "praxis.observe", "praxis.transition", "praxis.admin"]
KEEPER = Program("keeper", _ALL, ["user:*", "service:*"])
REPORTER = Program("reporter", ["praxis.observe"], ["service:*"])
OWN = Program("praxis", [], ["service:praxis"])
CLI = Program("cli", _ALL, ["user:*"])
ENTITY = "ent_alpha"
COMMAND = Path(sys.executable).with_name("praxis")


@dataclass(frozen=True, slots=True)
class Done:
    """What a command came to."""

    status: int | None
    output: str
    complaint: str


Run = Callable[..., Awaitable[Done]]


class World:
    """One Praxis that can be stopped and started, and what tests tell it."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self.folder = folder
        self.clock = clock
        self.settings = Settings()
        self.running: Running
        self._stack = AsyncExitStack()
        self._grants = grants(folder / "grants.json", "praxis", KEEPER, REPORTER, OWN)
        self.praxis = self.connect(KEEPER, "user:anna")
        self._events = 0

    def connect(self, program: Program, requester: str) -> PraxisClient:
        address = Address(path=str(self.folder / "s"))
        return PraxisClient(address, program.secret, requester=requester)

    async def start(self) -> None:
        part = open_part(self.settings, self.folder, self._grants, OWN.secret, self.clock)
        self.running = await self._stack.enter_async_context(hosting(part, self.folder / "s"))

    async def stop(self) -> None:
        self.praxis.close()
        await self._stack.aclose()

    async def restart(self) -> None:
        await self.stop()
        await self.start()

    async def pass_time(self, seconds: float) -> None:
        """Let time pass while Praxis is awake and looks at the clock."""
        assert isinstance(self.clock, FrozenClock)
        while seconds > 0:
            self.clock.advance(min(seconds, 5))
            for ticker in self.running.tickers:
                if ticker.name in {"watch", "routines"}:
                    await ticker.tick()
            seconds -= 5

    def report(
        self,
        state: ObservedState = "problem",
        *,
        at: float = 0,
        severity: Severity = "error",
        source: str = "log:alpha",
        kind: str = "log",
        event_id: str | None = None,
        entity_id: str | None = ENTITY,
    ) -> Observe:
        """An observation made `at` seconds from now."""
        self._events += 1
        return Observe(
            source=source,
            event_id=event_id or f"event-{self._events}",
            key="errors",
            kind=kind,
            state=state,
            severity=severity,
            summary=f"{state} {self._events}",
            observed_at=self.at(at),
            entity_id=entity_id,
        )

    def done(
        self, *, at: float = 0, state: str = "succeeded", execution_id: str = "exe_1"
    ) -> ReportExecution:
        """A restart that Hexis reports."""
        return ReportExecution(
            execution_id=execution_id,
            state=state,  # pyright: ignore[reportArgumentType] - named in each test
            capability_id="cap_restart",
            action="restart",
            entity_id=ENTITY,
            requester="user:anna",
            at=self.at(at),
            expects_recovery=True,
        )

    def at(self, seconds: float) -> datetime:
        return self.clock.now() + timedelta(seconds=seconds)

    async def item(self, source: str = "log:alpha") -> Item:
        """The one item of a source."""
        listed = await self.praxis.list_items(ListItems())
        (found,) = [item for item in listed.items if item.source == source]
        return await self.praxis.get_item(GetItem(found.item_id))

    async def changes(self, *, after: int = 0) -> list[Change]:
        return (await self.praxis.list_changes(ListChanges(after=after))).changes

    async def happened(self, *, after: int = 0) -> list[str]:
        """What happened, in words."""
        return [change.what for change in await self.changes(after=after)]

    async def until(self, what: str, *, after: int = 0) -> Change:
        """Wait, within bounds, for a change to happen."""
        while True:
            page = await self.praxis.list_changes(ListChanges(after=after, wait_s=10))
            assert page.changes, f"{what} did not happen"
            for change in page.changes:
                if change.what == what:
                    return change
            after = page.next_after


@pytest.fixture
def folder() -> Generator[Path]:
    """A folder short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="px") as name:
        yield Path(name)


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest_asyncio.fixture
async def world(folder: Path, clock: FrozenClock) -> AsyncGenerator[World]:
    """Praxis is served, and time stands still."""
    world = World(folder, clock)
    await world.start()
    yield world
    await world.stop()


@pytest.fixture
def praxis(world: World) -> PraxisClient:
    """A client that may do anything, for a person."""
    return world.praxis


@pytest.fixture
def run(folder: Path) -> Run:
    """The command as a person or script calls it, with its words, input and environment."""
    CLI.secret.save(folder / "credentials" / "cli")
    (folder / "run").mkdir(mode=0o700)
    prepared = {
        "ECOSYSTEM_HOME": str(folder),
        "ECOSYSTEM_REQUESTER": "user:anna",
        "PATH": os.environ["PATH"],
        **{name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ},
    }

    async def run(*words: str, typed: bytes = b"", **environment: str) -> Done:
        process = await asyncio.create_subprocess_exec(
            COMMAND,
            *words,
            env={**prepared, **environment},
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
        )
        output, complaint = await process.communicate(typed)
        return Done(process.returncode, output.decode(), complaint.decode())

    return run


@pytest_asyncio.fixture
async def shell(folder: Path, run: Run) -> AsyncGenerator[Run]:
    """The same, while Praxis is served."""
    known = grants(folder / "grants.json", "praxis", CLI, OWN)
    part = open_part(Settings(), folder, known, OWN.secret)
    async with hosting(part, folder / "run" / "praxis.sock"):
        yield run

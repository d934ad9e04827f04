"""Nexus in process on a real socket and database, and the clients that speak to it."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from kit.address import Address
from kit.testing import FrozenClock, Program, grants, hosting
from nexus.app import open_part
from nexus.client import NexusClient
from nexus.settings import Settings

KEEPER = Program(
    "keeper", ["nexus.read", "nexus.write", "nexus.feedback"], ["user:*", "agent:*", "service:*"]
)
READER = Program("reader", ["nexus.read"], ["user:*"])
CLI = Program("cli", ["nexus.read", "nexus.write", "nexus.feedback"], ["user:*"])
COMMAND = Path(sys.executable).with_name("nexus")
Connect = Callable[..., NexusClient]


@dataclass(frozen=True, slots=True)
class Done:
    """What a command came to."""

    status: int | None
    output: str
    complaint: str


Run = Callable[..., Awaitable[Done]]


@pytest.fixture
def folder() -> Generator[Path]:
    """A folder short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="nx") as name:
        yield Path(name)


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest_asyncio.fixture
async def connect(folder: Path, clock: FrozenClock) -> AsyncGenerator[Connect]:
    """Nexus is served; make clients of it with `connect(program, requester)`."""
    known = grants(folder / "grants.json", "nexus", KEEPER, READER)
    clients: list[NexusClient] = []

    def connect(program: Program = KEEPER, requester: str = "user:anna") -> NexusClient:
        address = Address(path=str(folder / "s"))
        client = NexusClient(address, program.secret, requester=requester)
        clients.append(client)
        return client

    async with hosting(open_part(Settings(), folder, known, clock), folder / "s"):
        yield connect
        for client in clients:
            client.close()


@pytest.fixture
def nexus(connect: Connect) -> NexusClient:
    """A client that may read and write, for a person."""
    return connect()


@pytest.fixture
def prepared(folder: Path) -> dict[str, str]:
    """The environment of a person whose commands find a Nexus in the folder, if it is served."""
    CLI.secret.save(folder / "credentials" / "cli")
    (folder / "run").mkdir(mode=0o700)
    return {
        "ECOSYSTEM_HOME": str(folder),
        "ECOSYSTEM_REQUESTER": "user:anna",
        "PATH": os.environ["PATH"],
        **{name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ},
    }


@pytest.fixture
def run(prepared: dict[str, str]) -> Run:
    """The command as a person or script calls it, with its words, input and environment."""

    async def run(*words: str, typed: str = "", **environment: str) -> Done:
        process = await asyncio.create_subprocess_exec(
            COMMAND,
            *words,
            env={**prepared, **environment},
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
        )
        output, complaint = await process.communicate(typed.encode())
        return Done(process.returncode, output.decode(), complaint.decode())

    return run


@pytest_asyncio.fixture
async def shell(folder: Path, run: Run) -> AsyncGenerator[Run]:
    """The same, while Nexus is served."""
    known = grants(folder / "grants.json", "nexus", CLI)
    async with hosting(open_part(Settings(), folder, known), folder / "run" / "nexus.sock"):
        yield run

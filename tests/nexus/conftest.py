"""Nexus in process on a real socket and database, and the clients that speak to it."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncGenerator, Callable, Generator
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
Connect = Callable[..., NexusClient]


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

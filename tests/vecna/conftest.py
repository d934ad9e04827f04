"""Vecna in process, on a real socket and a database of its own."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import pytest

from kit.address import Address
from kit.testing import FrozenClock, Program, grants, hosting
from vecna.app import open_part
from vecna.client import VecnaClient
from vecna.settings import Settings

MAX = Program("max", ["vecna.read", "vecna.write"], ["agent:*"])


@pytest.fixture
def folder() -> Generator[Path]:
    """A folder with a short path, as Unix sockets need it."""
    path = Path(tempfile.mkdtemp(prefix="vec"))
    yield path
    shutil.rmtree(path)


@pytest.fixture
def clock() -> FrozenClock:
    """A clock that stands still."""
    return FrozenClock()


@pytest.fixture
async def vecna(folder: Path, clock: FrozenClock) -> AsyncGenerator[VecnaClient]:
    """A client of Vecna that speaks for an agent."""
    known = grants(folder / "grants.json", "vecna", MAX)
    part = open_part(Settings(), folder, known, clock)
    address = Address(path=str(folder / "s"))
    async with (
        hosting(part, folder / "s"),
        VecnaClient(address, MAX.secret, requester="agent:max") as client,
    ):
        yield client

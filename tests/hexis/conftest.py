"""Hexis over real supervisord, real SQLite and real sockets."""

import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.hexis.supervised import Supervised
from tests.hexis.world import World


@pytest.fixture
def folder() -> Iterator[Path]:
    """A short-named folder (a Unix socket's path is short), removed afterwards."""
    made = Path(tempfile.mkdtemp(prefix="hx", dir="/tmp"))
    yield made
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture(scope="session")
def supervised() -> Iterator[Supervised]:
    """A supervisord of its own with a few small programs."""
    made = Path(tempfile.mkdtemp(prefix="hs", dir="/tmp"))
    with Supervised(made) as running:
        yield running
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture
async def world(folder: Path, supervised: Supervised) -> AsyncIterator[World]:
    """Nexus and Praxis served beside a Hexis that a test can stop and start."""
    async with World(folder, supervised.socket) as made:
        yield made


@pytest.fixture
def before(supervised: Supervised) -> int:
    """Which process `beta` was before the test did anything."""
    return supervised.pid("beta")

"""Maven over the real other parts, a real supervisord, real sockets and databases."""

import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.hexis.supervised import Supervised
from tests.maven.world import World


@pytest.fixture
def folder() -> Iterator[Path]:
    """A short-named folder (a Unix socket's path is short), removed afterwards."""
    made = Path(tempfile.mkdtemp(prefix="mv", dir="/tmp"))
    yield made
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture(scope="session")
def supervised() -> Iterator[Supervised]:
    """A supervisord of its own with a few small programs."""
    made = Path(tempfile.mkdtemp(prefix="ms", dir="/tmp"))
    with Supervised(made) as running:
        yield running
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture
async def world(folder: Path, supervised: Supervised) -> AsyncIterator[World]:
    """The whole household, all parts running."""
    async with World(folder, supervised.socket) as made:
        yield made

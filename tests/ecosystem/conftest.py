"""A whole ecosystem on real processes, for the tests of this folder."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ecosystem.driver import Ecosystem


@pytest.fixture
def new_home() -> Iterator[Path]:
    """A short-named folder (a Unix socket's path is short), removed afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="eco", dir="/tmp"))
    yield folder / "s"
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def fresh(new_home: Path) -> Iterator[Ecosystem]:
    """An ecosystem that is not started yet; it is stopped afterwards."""
    ecosystem = Ecosystem(new_home)
    yield ecosystem
    ecosystem.down()


@pytest.fixture(scope="module")
def ecosystem() -> Iterator[Ecosystem]:
    """A running ecosystem that the tests of one file share."""
    folder = Path(tempfile.mkdtemp(prefix="eco", dir="/tmp"))
    # Its parts are killed again and again, which is no flapping to be damped here.
    shared = Ecosystem(folder / "s", PRAXIS_FLAPPING_TURNS="1000")
    try:
        shared.up()
        yield shared
    finally:
        shared.down()
        shutil.rmtree(folder, ignore_errors=True)

"""Code of ours that blocks the event loop fails the test that runs it; the store alone may read."""

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from blockbuster import BlockingError

SRC = Path(__file__).parents[2] / "src"


def plant(file: str, call: Callable[[], object]) -> Callable[[], object]:
    """Make a function `read` that does the call and seems to come from a file below `src`."""
    names: dict[str, Callable[[], object]] = {"call": call}
    source = "def read(): return call()"
    exec(compile(source, str(SRC / file), "exec"), names)  # noqa: S102 - the source is right above
    return names["read"]


async def test_a_planted_sleep_on_the_loop_is_found() -> None:
    sleep = plant("nexus/service.py", lambda: time.sleep(0))

    with pytest.raises(BlockingError, match=r"time\.sleep"):
        sleep()


async def test_the_store_alone_may_read_on_the_loop() -> None:
    connection = sqlite3.connect(":memory:")
    query = "SELECT 1"

    plant("kit/store.py", lambda: connection.execute(query).fetchall())()
    with pytest.raises(BlockingError, match=r"sqlite3\.Connection\.execute"):
        plant("nexus/service.py", lambda: connection.execute(query))()

    connection.close()


def test_outside_the_loop_anything_may_block() -> None:
    plant("nexus/service.py", lambda: time.sleep(0))()

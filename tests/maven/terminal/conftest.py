"""A home with a scripted Maven, and the command `maven` run in it as a person would."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Callable, Coroutine, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.maven.terminal.scripted import Home


@dataclass(frozen=True)
class Ran:
    """How a command ended."""

    status: int
    out: str
    err: str


@pytest.fixture
def home() -> Generator[Home]:
    with tempfile.TemporaryDirectory(prefix="mvn") as folder:
        yield Home(Path(folder))


@pytest.fixture
def environment(home: Home) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "LANG"}}
    return kept | {
        "ECOSYSTEM_HOME": str(home.path),
        "ECOSYSTEM_REQUESTER": "user:anna",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
    }


Maven = Callable[..., Coroutine[Any, Any, Ran]]


@pytest.fixture
def maven(environment: dict[str, str]) -> Maven:
    """Run `maven` with these words and this input, in this terminal or a new one."""

    async def run(*words: str, given: str = "", new_session: bool = False, **more: str) -> Ran:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            "from maven.cli import main; main(prog_name='maven')",
            *words,
            env=environment | more,
            start_new_session=new_session,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(30):
            out, err = await process.communicate(given.encode())
        assert process.returncode is not None
        return Ran(process.returncode, out.decode(), err.decode())

    return run

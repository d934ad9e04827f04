"""The command `praxis web` as a process: it prints a link, serves, tells no secret, and stops."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from kit.auth import Secret
from tests.praxis.web.conftest import Visitor

RUN = (sys.executable, "-c", "from praxis.cli import main; main()", "web")


@pytest.fixture
def environment(folder: Path) -> dict[str, str]:
    Secret.create("cli").save(folder / "credentials" / "cli")
    return {**os.environ, "ECOSYSTEM_HOME": str(folder), "ECOSYSTEM_REQUESTER": "user:anna"}


async def started(environment: dict[str, str], *options: str) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        *RUN, *options, stdout=pipe, stderr=pipe, env=environment
    )


async def test_the_pages_are_served_from_a_link_until_told_to_stop(
    environment: dict[str, str], folder: Path
) -> None:
    process = await started(environment, "--port", "0")
    assert process.stdout is not None
    link = urlsplit((await process.stdout.readline()).decode().strip())
    assert link.hostname == "127.0.0.1"
    visitor = Visitor(link.port or 0)

    opened = await visitor.get(f"/?{link.query}")
    known = await visitor.get("/")
    again = await started(environment, "--link", "--port", str(link.port))
    fresh = urlsplit((await again.communicate())[0].decode().strip())
    second = Visitor(link.port or 0)
    let_in = await second.get(f"/?{fresh.query}")
    taken = await started(environment, "--port", str(link.port))
    _, refused = await taken.communicate()
    process.send_signal(signal.SIGTERM)
    _, errors = await process.communicate()

    assert (opened.status, let_in.status) == (200, 200)
    assert known.status == 503  # no Praxis runs: nothing is known
    assert taken.returncode == 69
    assert b"praxis web --link" in refused
    assert process.returncode == 0
    told = errors.decode()
    for secret in (link.query.partition("=")[2], *visitor.cookies.values()):
        assert secret not in told
    assert (folder / "praxis" / "web").stat().st_mode & 0o777 == 0o600

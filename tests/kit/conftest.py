"""The made-up part, served in process and as a real process."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncGenerator, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest

from kit.address import Address
from kit.auth import Grants
from kit.contract import Nothing
from kit.daemon import Running
from kit.errors import Unavailable
from kit.testing import FrozenClock, Program, grants, hosting
from tests.kit.sample.app import open_part
from tests.kit.sample.contract import SampleClient
from tests.kit.sample.service import Sample

ROOT = Path(__file__).parents[2]


def trusted(name: str = "tester") -> Program:
    """A program that may do everything but approve."""
    return Program(name, ["sample.read", "sample.write"], ["user:*", "agent:*", f"service:{name}"])


@pytest.fixture
def folder() -> Generator[Path]:
    """A folder with a short path, as Unix sockets need it."""
    path = Path(tempfile.mkdtemp(prefix="kit"))
    yield path
    shutil.rmtree(path)


@dataclass
class Stage:
    """The made-up part in process, and who may talk to it."""

    folder: Path
    running: Running
    grants: Grants
    clock: FrozenClock
    tester: Program

    @property
    def address(self) -> Address:
        """Where it listens."""
        return Address(path=str(self.folder / "s"))

    @property
    def sample(self) -> Sample:
        """The part itself."""
        return cast("Sample", self.running.hosted.service)

    @property
    def headers(self) -> str:
        """What a caller without the client sends at least."""
        token = self.tester.secret.token_for("sample")
        return f"host: x\r\nauthorization: Bearer {token}\r\nx-requester: user:ann\r\n"

    def client(self, program: Program | None = None, requester: str = "user:ann") -> SampleClient:
        """A client of the part."""
        secret = (program or self.tester).secret
        return SampleClient(self.address, secret, requester=requester)


@pytest.fixture
async def stage(folder: Path) -> AsyncGenerator[Stage]:
    """The made-up part, served."""
    tester, clock = trusted(), FrozenClock()
    known = grants(folder / "grants.json", "sample", tester)
    async with hosting(open_part(folder, known, clock), folder / "s") as running:
        yield Stage(folder, running, known, clock, tester)


@pytest.fixture
async def client(stage: Stage) -> AsyncGenerator[SampleClient]:
    """A client of the made-up part."""
    async with stage.client() as client:
        yield client


class Process:
    """The made-up part as a process of its own, in its own home."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.tester = trusted()
        self.tester.secret.save(home / "credentials" / "tester")
        grants(home / "sample" / "grants.json", "sample", self.tester)
        self.environment = {
            **{name: value for name, value in os.environ.items() if "ECOSYSTEM" not in name},
            "ECOSYSTEM_HOME": str(home),
            "PYTHONPATH": str(ROOT),
        }
        self._started: list[subprocess.Popen[str]] = []

    @property
    def address(self) -> Address:
        """Where it listens."""
        return Address(path=str(self.home / "run" / "sample.sock"))

    def client(self, address: Address | None = None) -> SampleClient:
        """A client of it."""
        return SampleClient(address or self.address, self.tester.secret, requester="user:ann")

    def start(self, *before: str, **settings: str) -> subprocess.Popen[str]:
        """Start it, and do not wait."""
        command = [*before, sys.executable, "-m", "tests.kit.sample"]
        process = subprocess.Popen(
            command, env={**self.environment, **settings}, stderr=subprocess.PIPE, text=True
        )
        self._started.append(process)
        return process

    async def ready(self) -> SampleClient:
        """A client of it, once it answers."""
        client = self.client()
        for _ in range(20):
            try:
                await client.list_notes(Nothing(), timeout_s=5)
            except Unavailable:
                continue
            return client
        pytest.fail("the part does not answer")

    def end(self) -> None:
        """End what was started."""
        for process in self._started:
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
            process.communicate()


@pytest.fixture
def process(folder: Path) -> Generator[Process]:
    """The made-up part as a process of its own."""
    process = Process(folder)
    yield process
    process.end()


@pytest.fixture
def free_port() -> int:
    """A TCP port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        return int(door.getsockname()[1])

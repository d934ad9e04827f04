"""Write to a part under load, kill it at random moments, and hold it to what it acknowledged."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
import pytest

from ecosystem import credentials
from kit.address import Address
from kit.auth import Grant, save_grants
from kit.client import Client
from kit.contract import HEALTH, Nothing
from kit.errors import Conflict, OutcomeUnknown, ServiceError, Unavailable
from kit.testing import Program

BIN = Path(sys.executable).parent
WRITERS = 8
C = TypeVar("C", bound=Client)


@dataclass(frozen=True)
class Work(Generic[C]):
    """What is written to a part, and how it is found again."""

    client: type[C]
    scopes: list[str]
    write: Callable[[C, int, str], Awaitable[Any]]
    """Write number so and so under an idempotency key; the acknowledgement."""
    missing: Callable[[C, int, Any], Awaitable[str]]
    """What is not as it was acknowledged; empty when all is well."""
    most_before_a_kill: int = 60

    @property
    def part(self) -> str:
        """Whose work it is."""
        return self.client.contract.name


@dataclass
class Tally:
    """What became of the writes."""

    acknowledged: dict[int, Any] = field(default_factory=dict[int, Any])
    unknown: set[int] = field(default_factory=set[int])
    """Sent, and no answer came."""


class Victim(Generic[C]):
    """One part as a process that is killed again and again."""

    def __init__(self, home: Path, work: Work[C], seed: int) -> None:
        self._home = home
        self._work = work
        self._random = random.Random(seed)  # noqa: S311 - moments, not secrets
        self._environment = {
            name: value for name, value in os.environ.items() if "ECOSYSTEM" not in name
        } | {"ECOSYSTEM_HOME": str(home), "ECOSYSTEM_REQUESTER": "user:ann"}
        self._writer = self._let_in()
        self._next = 0
        self.tally = Tally()

    def client(self) -> C:
        """A client of the part."""
        address = Address(path=str(self._home / "run" / f"{self._work.part}.sock"))
        return self._work.client(address, self._writer.secret, requester="user:ann")

    async def live(self) -> None:
        """One life: start, mend what is unknown, work, be killed in the middle of it."""
        process = self._start()
        try:
            if self._random.random() < 0.15:  # while it starts
                await asyncio.sleep(self._random.uniform(0.0, 0.5))
                return
            async with self.client() as client:
                await self._ready(client)
                await self._send_unknown_again(client)
                await self._write_until(client, process, self._random.randint(1, self._most))
        finally:
            process.kill()
            await asyncio.to_thread(process.wait)

    async def judge(self) -> list[str]:
        """A last, peaceful life: what was acknowledged and is not there."""
        process = self._start()
        try:
            async with self.client() as client:
                await self._ready(client)
                await self._send_unknown_again(client)
                faults = [
                    fault
                    for number, reply in self.tally.acknowledged.items()
                    if (fault := await self._work.missing(client, number, reply))
                ]
        finally:
            process.send_signal(signal.SIGTERM)
            status = await asyncio.to_thread(process.wait)
        assert status == 0
        return faults + self._broken()

    @property
    def _most(self) -> int:
        return self._work.most_before_a_kill

    def _let_in(self) -> Program:
        """Everything a process needs to start, and a program that may write."""
        credentials.ensure(self._home)
        writer = Program("writer", self._work.scopes, ["user:ann"])
        path = self._home / self._work.part / "grants.json"
        known = msgspec.json.decode(path.read_bytes(), type=list[Grant])
        save_grants(path, [*known, writer.grant_for(self._work.part)])
        return writer

    def _start(self) -> subprocess.Popen[bytes]:
        with (self._home / f"{self._work.part}.log").open("ab") as log:
            return subprocess.Popen(
                [BIN / self._work.part, "serve"], env=self._environment, stderr=log
            )

    async def _ready(self, client: C) -> None:
        for _ in range(120):
            try:
                await client.call(HEALTH, Nothing(), timeout_s=5)
            except Unavailable:
                continue
            return
        pytest.fail((self._home / f"{self._work.part}.log").read_text("utf-8")[-2000:])

    async def _send_unknown_again(self, client: C) -> None:
        """The same key again gets the first answer, or says that it is lost."""
        for number in sorted(self.tally.unknown):
            try:
                reply = await self._work.write(client, number, f"key-{number}")
            except (OutcomeUnknown, Conflict):
                continue
            self.tally.acknowledged[number] = reply
        self.tally.unknown.clear()

    async def _write_until(
        self, client: C, process: subprocess.Popen[bytes], acknowledgements: int
    ) -> None:
        left = acknowledgements

        async def write() -> None:
            nonlocal left
            while True:
                number, self._next = self._next, self._next + 1
                try:
                    reply = await self._work.write(client, number, f"key-{number}")
                except Unavailable:
                    return
                except OutcomeUnknown:
                    self.tally.unknown.add(number)
                    return
                self.tally.acknowledged[number] = reply
                left -= 1
                if left == 0:
                    process.kill()

        async with asyncio.timeout(30):
            await asyncio.gather(*(write() for _ in range(WRITERS)))

    def _broken(self) -> list[str]:
        connection = sqlite3.connect(self._home / self._work.part / f"{self._work.part}.db")
        words = [row[0] for row in connection.execute("PRAGMA integrity_check")]
        connection.close()
        return [] if words == ["ok"] else words


async def absent(finding: Awaitable[Any], what: str) -> str:
    """A fault if what was acknowledged cannot be read any more."""
    try:
        await finding
    except ServiceError as error:
        return f"{what}: {error.code}: {error.message}"
    return ""

"""Fixtures every part's tests share: a clock that stands still, and a part served in process."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from kit import log
from kit.address import Address
from kit.auth import Grant, Grants, Secret, grant, save_grants
from kit.daemon import Running, serving


@pytest.fixture(scope="session", autouse=True)
def logs_as_in_production() -> None:
    """Write logs as a serving process does, so that tests find what it would trip over."""
    log.configure("tests")


class FrozenClock:
    """Stands still until it is moved."""

    def __init__(self, at: datetime | None = None) -> None:
        self._now = at or datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
        self._monotonic = 1000.0

    def now(self) -> datetime:
        """The instant it was set to."""
        return self._now

    def monotonic(self) -> float:
        """Seconds, moved along with the instant."""
        return self._monotonic

    def advance(self, seconds: float) -> None:
        """Move forward."""
        self._now += timedelta(seconds=seconds)
        self._monotonic += seconds


class Program:
    """A client program made up for a test, with the grants it needs."""

    def __init__(
        self, name: str, scopes: list[str], speaks_for: list[str], *, channel: bool = False
    ) -> None:
        self.secret = Secret.create(name)
        self._scopes = scopes
        self._speaks_for = speaks_for
        self._channel = channel

    def grant_for(self, audience: str) -> Grant:
        """The entry `audience` keeps about this program."""
        return grant(
            self.secret,
            audience,
            scopes=self._scopes,
            speaks_for=self._speaks_for,
            channel=self._channel,
        )


def grants(path: Path, audience: str, *programs: Program) -> Grants:
    """A part's grants file that knows these programs."""
    save_grants(path, [program.grant_for(audience) for program in programs])
    return Grants(path)


@asynccontextmanager
async def hosting(
    opener: AbstractAsyncContextManager[Running], socket: Path
) -> AsyncGenerator[Running]:
    """Serve a composed part on a Unix socket while the block runs."""
    async with opener as running, serving(running, Address(path=str(socket))):
        yield running

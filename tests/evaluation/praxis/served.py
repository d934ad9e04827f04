"""A real Praxis with its doors open, and what is delivered to them over HTTP."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import requests

from kit.address import Address
from kit.testing import Program, grants, hosting
from praxis.app import open_part
from praxis.client import PraxisClient
from praxis.contract import OpenDoor, PutSource
from praxis.settings import Settings
from tests.evaluation.praxis.requests import Recorded

KEEPER = Program(
    "keeper",
    ["praxis.read", "praxis.observe", "praxis.transition", "praxis.admin"],
    ["user:*", "service:*"],
)
_OWN = Program("praxis", [], ["service:praxis"])


class Served:
    """Praxis as it is served in one folder, and its doors."""

    def __init__(self, praxis: PraxisClient, port: int) -> None:
        self.praxis = praxis
        self._at = f"http://127.0.0.1:{port}"
        self._web = requests.Session()

    async def open(self, source: str, dialect: str, secret: str | None = None) -> str:
        """The address of a door for this source."""
        state = await self.praxis.put_source(
            PutSource(source, dialect, door=OpenDoor(dialect, secret))
        )
        return f"{self._at}{state.door}"

    async def send(self, door: str, recorded: Recorded) -> requests.Response:
        """Deliver, and what is answered."""
        return await asyncio.to_thread(
            self._web.request,
            recorded.method,
            f"{door}/{recorded.path}",
            headers=recorded.headers,
            data=recorded.body,
            timeout=30,
        )

    def close(self) -> None:
        """Let go of every connection."""
        self._web.close()
        self.praxis.close()


@asynccontextmanager
async def served(folder: Path) -> AsyncGenerator[Served]:
    """Serve a fresh Praxis in an empty folder while the block runs."""
    known = grants(folder / "grants.json", "praxis", KEEPER, _OWN)
    port = _free_port()
    part = open_part(Settings(doors_port=port), folder, known, _OWN.secret)
    async with hosting(part, folder / "s"):
        client = PraxisClient(Address(path=str(folder / "s")), KEEPER.secret, requester="user:anna")
        running = Served(client, port)
        try:
            yield running
        finally:
            running.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

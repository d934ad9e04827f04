"""A real Nexus on a real socket, and clients of it that speak for anybody."""

from __future__ import annotations

import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from kit.address import Address
from kit.testing import Program, grants, hosting
from nexus.app import open_part
from nexus.client import NexusClient
from nexus.settings import Settings

EVALUATOR = Program(
    "evaluator",
    ["nexus.read", "nexus.write", "nexus.feedback"],
    ["user:*", "agent:*", "service:*"],
)
DATABASE = "nexus.db"


class Served:
    """Nexus as it is served in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._clients: dict[str, NexusClient] = {}

    def as_(self, requester: str) -> NexusClient:
        """A client that asks on behalf of somebody."""
        if requester not in self._clients:
            address = Address(path=str(self.folder / "s"))
            self._clients[requester] = NexusClient(address, EVALUATOR.secret, requester=requester)
        return self._clients[requester]

    @property
    def client(self) -> NexusClient:
        """A client for a person."""
        return self.as_("user:owner")

    def close(self) -> None:
        """Let go of every connection."""
        for client in self._clients.values():
            client.close()


def _prepare(folder: Path, database: Path | None) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if database is not None:
        shutil.copyfile(database, folder / DATABASE)


@asynccontextmanager
async def served(folder: Path, database: Path | None = None) -> AsyncGenerator[Served]:
    """Serve Nexus in a folder while the block runs, on a copy of `database` if one is given."""
    _prepare(folder, database)
    known = grants(folder / "grants.json", "nexus", EVALUATOR)
    async with hosting(open_part(Settings(), folder, known), folder / "s"):
        running = Served(folder)
        try:
            yield running
        finally:
            running.close()

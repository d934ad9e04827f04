"""Nexus with the reconciliation service switched on, some entities, and HTTP spoken by hand."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
import pytest_asyncio

from kit.address import Address
from kit.testing import FrozenClock, grants, hosting
from nexus.app import open_part
from nexus.client import NexusClient
from nexus.contract import CreateEntity, Outgoing
from nexus.reconciliation.credential import token_in
from nexus.settings import Settings
from tests.kit.wire import Answer, connected
from tests.nexus.conftest import KEEPER

THINGS: dict[str, CreateEntity] = {
    "homesrv": CreateEntity(type="device.host", names={"en": "homesrv"}),
    "correx": CreateEntity(
        type="project.software",
        names={"en": "Correx", "ru": "Коррекс"},
        aliases=["correction engine"],
        description={"en": "Corrects texts.", "ru": "Исправляет тексты."},
        external={"github": "household/correx"},
    ),
    "media": CreateEntity(type="project.software", names={"en": "Media UI", "ru": "Медиа УИ"}),
    "music": CreateEntity(
        type="service.supervised",
        names={"en": "Music indexer", "ru": "Индексатор музыки"},
        aliases=["indexer"],
        external={"supervisor": "music"},
    ),
    "photos": CreateEntity(
        type="service.systemd", names={"en": "Photo indexer"}, aliases=["indexer"]
    ),
    "hostile": CreateEntity(
        type="household.object",
        names={"en": '<script>alert("x")</script> & more'},
        description={"en": "<img src=x onerror=alert(1)>"},
    ),
}


@dataclass
class Service:
    """The service and what it knows."""

    port: int
    token: str
    nexus: NexusClient
    ids: dict[str, str] = field(default_factory=dict[str, str])

    def base(self, version: str = "0.2") -> str:
        """The URL a person gives to a client."""
        return f"http://127.0.0.1:{self.port}{self.path(version)}"

    def path(self, version: str = "0.2") -> str:
        """The same without the host."""
        return f"/reconcile/{self.token}/{version}"

    async def ask(
        self, method: str, path: str, headers: str = "", body: bytes = b"", host: str = "127.0.0.1"
    ) -> Answer:
        """One request as it is."""
        head = f"{method} {path} HTTP/1.1\r\nhost: {host}\r\n{headers}"
        async with connected(Address(host="127.0.0.1", port=self.port)) as wire:
            await wire.send(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
            return await wire.answer(bodiless=method == "HEAD")

    async def get(
        self, below: str = "", headers: str = "", version: str = "0.2", **sent: str
    ) -> Any:
        """The JSON at a path below the base."""
        query = f"?{urlencode(sent, quote_via=quote)}" if sent else ""
        return json.loads((await self.ask("GET", self.path(version) + below + query, headers)).body)

    async def form(self, headers: str = "", **sent: object) -> Answer:
        """A form as OpenRefine posts it: each field is JSON."""
        fields = {
            name: value if isinstance(value, str) else json.dumps(value)
            for name, value in sent.items()
        }
        kind = "content-type: application/x-www-form-urlencoded;charset=UTF-8\r\n"
        return await self.ask("POST", self.path(), kind + headers, urlencode(fields).encode())

    async def post(self, below: str, sent: object, headers: str = "") -> Answer:
        """JSON for the draft."""
        kind = "content-type: application/json\r\n"
        body = json.dumps(sent, ensure_ascii=False).encode()
        return await self.ask("POST", self.path("1.0-draft") + below, kind + headers, body)

    async def reconcile(self, headers: str = "", **query: object) -> list[dict[str, Any]]:
        """The candidates for one query of 0.2."""
        answer = await self.form(headers, queries={"q0": query})
        assert answer.status == 200, answer.body
        return json.loads(answer.body)["q0"]["result"]

    async def match(self, *conditions: dict[str, object], **query: object) -> list[dict[str, Any]]:
        """The candidates for one query of the draft."""
        answer = await self.post("/match", {"queries": [{"conditions": conditions, **query}]})
        assert answer.status == 200, answer.body
        return json.loads(answer.body)["results"][0]["candidates"]

    async def add(self, name: str, thing: CreateEntity) -> str:
        """One more entity."""
        self.ids[name] = (await self.nexus.create_entity(thing)).entity_id
        return self.ids[name]


@pytest.fixture
def free_port() -> int:
    """A TCP port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        return int(door.getsockname()[1])


@pytest_asyncio.fixture
async def service(folder: Path, clock: FrozenClock, free_port: int) -> AsyncGenerator[Service]:
    """The service, with a household."""
    known = grants(folder / "grants.json", "nexus", KEEPER)
    settings = Settings(reconcile_port=free_port)
    async with (
        hosting(open_part(settings, folder, known, clock), folder / "s"),
        NexusClient(Address(path=str(folder / "s")), KEEPER.secret, requester="user:anna") as nexus,
    ):
        service = Service(free_port, await asyncio.to_thread(token_in, folder), nexus)
        for name, thing in THINGS.items():
            await service.add(name, thing)
        await service.add(
            "runner",
            CreateEntity(
                type="application",
                names={"en": "Correx runner"},
                relations=[Outgoing("runs_on", service.ids["homesrv"])],
            ),
        )
        yield service

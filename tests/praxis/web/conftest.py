"""The pages on a real port before a real Praxis, and what reads them as a browser would."""

from __future__ import annotations

import asyncio
import html
import http.client
import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from urllib.parse import urlencode

import pytest_asyncio

from kit.auth import Secret
from kit.clock import Clock
from kit.testing import FrozenClock
from praxis.web.app import Web, open_web
from praxis.web.serving import serving
from tests.praxis.conftest import KEEPER, World

_FIELD = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')


@dataclass(frozen=True)
class Page:
    """What was answered."""

    status: int
    headers: Mapping[str, str]
    text: str

    def form(self, action: str) -> dict[str, str]:
        """The hidden fields of the form whose address, or one of whose buttons, is `action`."""
        for piece in self.text.split("<form")[1:]:
            inside = piece.partition("</form>")[0]
            if f'action="{action}"' in inside:
                return {name: html.unescape(value) for name, value in _FIELD.findall(inside)}
        raise AssertionError(f"no form leads to {action}")


class Visitor:
    """A browser without a screen: keeps cookies, follows nothing."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[str, str] = {}
        self.language = "en"

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def get(self, path: str, headers: Mapping[str, str] | None = None) -> Page:
        return await asyncio.to_thread(self._ask, "GET", path, headers or {}, None)

    async def post(
        self, path: str, fields: Mapping[str, str], headers: Mapping[str, str] | None = None
    ) -> Page:
        sent = {
            "content-type": "application/x-www-form-urlencoded",
            "origin": self.origin,
            **(headers or {}),
        }
        body = urlencode(fields).encode()
        return await asyncio.to_thread(self._ask, "POST", path, sent, body)

    def _ask(self, method: str, path: str, headers: Mapping[str, str], body: bytes | None) -> Page:
        jar = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = {"accept-language": self.language, "cookie": jar, **headers}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            for name, value in answer.getheaders():
                if name.lower() == "set-cookie":
                    key, _, rest = value.partition("=")
                    self.cookies[key] = rest.partition(";")[0]
            received = {name.lower(): value for name, value in answer.getheaders()}
            return Page(answer.status, received, answer.read().decode())
        finally:
            connection.close()


class Site:
    """The pages of one Praxis."""

    def __init__(self, world: World, clock: Clock) -> None:
        self.world = world
        self.secret = Secret.create("web")
        self.clock = clock
        self.web: Web
        self.port = 0
        self._stack = AsyncExitStack()

    async def start(self) -> None:
        praxis = await self._stack.enter_async_context(self.world.connect(KEEPER, "user:anna"))
        self.web = await asyncio.to_thread(
            open_web, praxis, self.secret, self.clock, heartbeat_s=0.05
        )
        self.port = await self._stack.enter_async_context(serving(self.web, self.port))

    async def stop(self) -> None:
        await self._stack.aclose()

    async def visitor(self) -> Visitor:
        """A browser that was let in."""
        visitor = Visitor(self.port)
        await visitor.get(f"/?token={self.web.keys.new_link()}")
        return visitor


@pytest_asyncio.fixture
async def site(world: World, clock: FrozenClock) -> AsyncGenerator[Site]:
    site = Site(world, clock)
    await site.start()
    yield site
    await site.stop()


@pytest_asyncio.fixture
async def visitor(site: Site) -> Visitor:
    return await site.visitor()

"""HTTP spoken by hand, for what the client would never send."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import msgspec

from kit.address import Address
from kit.errors import ErrorBody


@dataclass(frozen=True)
class Answer:
    """One answer, as it came."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def error(self) -> ErrorBody:
        """The one error body."""
        return msgspec.json.decode(self.body, type=ErrorBody)


class Wire:
    """One connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def send(self, data: bytes | str) -> None:
        """Send as it is."""
        self._writer.write(data.encode() if isinstance(data, str) else data)
        await self._writer.drain()

    async def post(
        self, operation: str, headers: str, body: bytes | str, *, method: str = "POST"
    ) -> Answer:
        """A whole request, and its answer."""
        data = body.encode() if isinstance(body, str) else body
        head = f"{method} /v1/{operation} HTTP/1.1\r\n{headers}content-length: {len(data)}\r\n\r\n"
        await self.send(head.encode() + data)
        return await self.answer(bodiless=method == "HEAD")

    async def answer(self, *, bodiless: bool = False) -> Answer:
        """The next answer."""
        async with asyncio.timeout(10):
            head = (await self._reader.readuntil(b"\r\n\r\n")).decode()
            first, *rest = head.rstrip().split("\r\n")
            headers = dict(line.split(": ", 1) for line in rest)
            length = 0 if bodiless else int(headers["content-length"])
            body = await self._reader.readexactly(length)
        return Answer(int(first.split(" ")[1]), headers, body)

    async def until(self, mark: bytes) -> bytes:
        """What comes up to a mark, with it."""
        async with asyncio.timeout(10):
            return await self._reader.readuntil(mark)

    async def until_closed(self) -> bytes:
        """What still comes until the other side closes."""
        async with asyncio.timeout(20):
            try:
                return await self._reader.read()
            except ConnectionError:
                return b""

    def close(self) -> None:
        """Go away."""
        self._writer.transport.abort()


@asynccontextmanager
async def connected(address: Address) -> AsyncGenerator[Wire]:
    """A connection to a part."""
    if address.path:
        reader, writer = await asyncio.open_unix_connection(address.path)
    else:
        reader, writer = await asyncio.open_connection(address.host, address.port)
    wire = Wire(reader, writer)
    try:
        yield wire
    finally:
        wire.close()


async def once(
    address: Address, operation: str, headers: str, body: bytes | str, *, method: str = "POST"
) -> Answer:
    """The answer to one request over a connection of its own."""
    async with connected(address) as wire:
        return await wire.post(operation, headers, body, method=method)

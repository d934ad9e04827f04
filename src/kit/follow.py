"""Read a stream of server-sent events from a part: typed replies, typed errors, an orderly end."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator

import httptools
import msgspec

from kit.errors import (
    ErrorBody,
    InvalidArgument,
    ServiceError,
    Unavailable,
    from_body,
)

SILENCE_S = 45.0
"""So long without even a heartbeat, and the part counts as gone."""
_LARGEST_EVENT = 16 << 20


class Stream(asyncio.Protocol):
    """One connection that carries one stream."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._parser = httptools.HttpResponseParser(self)
        self._events: deque[tuple[str, bytes]] = deque()
        self._rest = b""
        self._status = 0
        self._ended = False
        self._news = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection stands (the protocol of asyncio)."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - what a stream is given
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """More has come (the protocol of asyncio)."""
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError:
            self._end()
        if len(self._rest) > _LARGEST_EVENT:
            self._end()
        self._news.set()

    def connection_lost(self, exc: Exception | None) -> None:
        """The other side is gone (the protocol of asyncio)."""
        self._end()

    def on_headers_complete(self) -> None:
        """The status is known (the protocol of httptools)."""
        self._status = self._parser.get_status_code()

    def on_body(self, body: bytes) -> None:
        """A piece of the stream (the protocol of httptools)."""
        self._rest += body
        if self._status != 200:
            return
        *events, self._rest = self._rest.split(b"\n\n")
        self._events.extend(event for each in events if (event := _event(each)) is not None)

    def on_message_complete(self) -> None:
        """The stream has ended (the protocol of httptools)."""
        self._end()

    def _end(self) -> None:
        self._ended = True
        self._news.set()
        self.close()

    def close(self) -> None:
        """Let go of the connection."""
        if self._transport is not None:
            self._transport.close()

    async def events(self, request: bytes, service: str) -> AsyncGenerator[bytes]:
        """Send the request; the data of each event as it comes, until the part ends the stream.

        Raises:
            ServiceError: What the part answered, or `Unavailable` where it fell silent.
        """
        assert self._transport is not None  # noqa: S101 - it was dialled
        self._transport.write(request)
        try:
            while True:
                while self._events:
                    kind, data = self._events.popleft()
                    if kind == "error":
                        raise _refusal(data, 500, service)
                    yield data
                if self._ended:
                    if self._status != 200:
                        raise _refusal(self._rest, self._status, service)
                    return
                self._news.clear()
                try:
                    async with asyncio.timeout(SILENCE_S):
                        await self._news.wait()
                except TimeoutError as error:
                    raise Unavailable(f"{service} fell silent.", reason="silent") from error
        finally:
            self.close()


def _event(text: bytes) -> tuple[str, bytes] | None:
    """Kind and data of one event; None for a heartbeat."""
    kind, data = "", b""
    for line in text.split(b"\n"):
        name, _, value = line.partition(b": ")
        if name == b"event":
            kind = value.decode(errors="replace")
        elif name == b"data":
            data = value
    return (kind, data) if data else None


def _refusal(body: bytes, status: int, service: str) -> ServiceError:
    try:
        return from_body(msgspec.json.decode(body, type=ErrorBody), status)
    except (msgspec.DecodeError, InvalidArgument):
        return Unavailable(f"{service} broke off.", reason="connection_lost")

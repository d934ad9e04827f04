"""Read a stream of server-sent events from a part: typed replies, typed errors, an orderly end."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator

import httptools
import msgspec

from kit.errors import (
    CANONICAL,
    ErrorBody,
    Internal,
    ServiceError,
    Unavailable,
    from_body,
)

SILENCE_S = 45.0
"""So long without even a heartbeat, and the part counts as gone."""
_LARGEST_EVENT = 16 << 20
_MOST_UNTAKEN = 1 << 20
"""Bytes of events that wait for their reader before no more is read from the part."""


class Stream(asyncio.Protocol):
    """One connection that carries one stream."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._parser = httptools.HttpResponseParser(self)
        self._events: deque[tuple[str, bytes]] = deque()
        self._untaken = 0
        """Bytes of those events."""
        self._rest = b""
        self._status = 0
        """0 as long as the answer has not begun."""
        self._ended = False
        self._is_whole = False
        """Whether the part itself has ended the stream."""
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
        for each in events:
            event = _event(each)
            if event is not None:
                self._events.append(event)
                self._untaken += len(event[1])
        if self._untaken > _MOST_UNTAKEN and self._transport is not None:
            self._transport.pause_reading()

    def on_message_complete(self) -> None:
        """The stream has ended (the protocol of httptools)."""
        self._is_whole = True
        self._end()

    def _end(self) -> None:
        self._ended = True
        self._news.set()
        self.close()

    def close(self) -> None:
        """Let go of the connection."""
        if self._transport is not None:
            self._transport.close()

    async def begin(self, request: bytes) -> None:
        """Send the request, and wait until the part begins to answer.

        Raises:
            ConnectionError: It closed before it had.
        """
        assert self._transport is not None  # noqa: S101 - it was dialled
        self._transport.write(request)
        while not self._status:
            if self._ended:
                raise ConnectionResetError("the connection was closed before the answer")
            self._news.clear()
            await self._news.wait()

    async def events(self, service: str) -> AsyncGenerator[bytes]:
        """The data of each event as it comes, until the part ends the stream.

        Raises:
            ServiceError: What the part answered, or `Unavailable` where it fell silent or the
                stream broke off.
        """
        try:
            while True:
                while self._events:
                    kind, data = self._take()
                    if kind == "error":
                        raise _refusal(data, None, service)
                    yield data
                if self._ended:
                    if self._status != 200:
                        raise _refusal(self._rest, self._status, service)
                    if not self._is_whole:
                        raise _broken(service)
                    return
                self._news.clear()
                try:
                    async with asyncio.timeout(SILENCE_S):
                        await self._news.wait()
                except TimeoutError as error:
                    raise Unavailable(f"{service} fell silent.", reason="silent") from error
        finally:
            self.close()

    def _take(self) -> tuple[str, bytes]:
        """The next event; with the last one taken, more is read."""
        event = self._events.popleft()
        self._untaken -= len(event[1])
        if not self._events and not self._ended and self._transport is not None:
            self._transport.resume_reading()
        return event


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


def _refusal(body: bytes, status: int | None, service: str) -> ServiceError:
    """What an error body tells; inside a stream its code alone says the status."""
    try:
        said = msgspec.json.decode(body, type=ErrorBody)
    except msgspec.DecodeError:
        return _broken(service)
    return from_body(said, status or CANONICAL.get(said.code, Internal).status)


def _broken(service: str) -> Unavailable:
    return Unavailable(f"{service} broke off.", reason="connection_lost")

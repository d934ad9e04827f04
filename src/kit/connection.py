"""One HTTP/1.1 connection that carries one exchange at a time, parsed by httptools."""

from __future__ import annotations

import asyncio
import select
from typing import cast

import httptools

LARGEST_REPLY = 64 << 20
"""Bytes of a reply body at most."""
_NEWS = select.POLLIN | select.POLLRDHUP | select.POLLHUP | select.POLLERR


class NotSent(ConnectionError):
    """The connection was gone before anything was sent on it."""


class Connection(asyncio.Protocol):
    """A connection to a part; `exchange` sends a whole request and returns the whole answer."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._parser = httptools.HttpResponseParser(self)
        self._answer: asyncio.Future[tuple[int, bytes]] | None = None
        self._pieces: list[bytes] = []
        self._size = 0
        self._closed = False
        self._news = select.poll()

    @property
    def reusable(self) -> bool:
        """Whether another exchange may follow."""
        return not self._closed and self._answer is None

    def is_quiet(self) -> bool:
        """Ask the kernel whether an idle connection still stands; the loop may not know yet."""
        return self.reusable and not self._news.poll(0)

    async def exchange(self, request: bytes, timeout_s: float) -> tuple[int, bytes]:
        """Send a request; return the status and the body.

        Raises:
            NotSent: The connection was closed already.
            TimeoutError: No answer came in time.
            ConnectionError: The other side closed before it had answered, or answered nonsense.
        """
        if self._transport is None or not self.reusable:
            raise NotSent("the connection is closed")
        loop = asyncio.get_running_loop()
        self._answer = loop.create_future()
        self._pieces, self._size = [], 0
        self._transport.write(request)
        timer = loop.call_later(timeout_s, self._fail, TimeoutError())
        try:
            return await self._answer
        finally:
            timer.cancel()
            self._answer = None

    def close(self) -> None:
        """Close at once."""
        self._closed = True
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The transport is ready (asyncio's callback)."""
        self._transport = cast("asyncio.Transport", transport)
        self._news.register(transport.get_extra_info("socket").fileno(), _NEWS)

    def data_received(self, data: bytes) -> None:
        """Bytes came (asyncio's callback); what nobody asked for ends the connection."""
        if self._answer is None:
            self.close()
            return
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            self._fail(ConnectionError(f"the answer is not HTTP: {error}"))
            self.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """The other side is gone (asyncio's callback)."""
        self._closed = True
        self._fail(ConnectionResetError("the connection was closed before the answer"))

    def on_body(self, chunk: bytes) -> None:
        """A piece of the body came (the parser's callback)."""
        self._pieces.append(chunk)
        self._size += len(chunk)
        if self._size > LARGEST_REPLY:
            self._fail(ConnectionError(f"the answer is larger than {LARGEST_REPLY} bytes"))
            self.close()

    def on_message_complete(self) -> None:
        """The answer is whole (the parser's callback)."""
        if not self._parser.should_keep_alive():
            self._closed = True
        if self._answer is not None and not self._answer.done():
            body = self._pieces[0] if len(self._pieces) == 1 else b"".join(self._pieces)
            self._answer.set_result((self._parser.get_status_code(), body))

    def _fail(self, error: OSError) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(error)

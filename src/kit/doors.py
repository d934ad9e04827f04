"""The doors of a part: sockets answered by uvicorn, bounded against slow and greedy callers."""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections.abc import Generator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec
import structlog
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from kit import trace
from kit.address import Address
from kit.errors import InvalidArgument
from kit.server import READING
from kit.settings import Listening

if TYPE_CHECKING:
    from starlette.types import ASGIApp

_log = structlog.get_logger()
_KEEP_ALIVE_S = 75
"""Longer than clients keep an idle connection."""
GRACE_S = 8
"""Seconds that answers under way get when the part stops."""
_LOOK_EVERY_S = 1.0
SLOWEST_REQUEST_S = 15.0
"""A request that has not arrived whole by then is given up, and its connection closed."""
LONGEST_HEAD = 64 << 10
"""Bytes of request line and headers at most."""
MOST_CONNECTIONS = 800
"""Connections a door holds at once; a further one is closed."""


class Door(uvicorn.Server):
    """A server at one address that leaves signals to the daemon, and wakes only for a reason."""

    def __init__(self, app: ASGIApp, doors: Listening | None = None) -> None:
        """Prepare to serve `app`; with `doors`, by their TLS settings."""
        config = uvicorn.Config(
            app,
            http=cast("type[HttpToolsProtocol]", partial(_Bounded, self)),
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            timeout_keep_alive=_KEEP_ALIVE_S,
            reset_contextvars=True,
            ssl_certfile=doors.tls_cert if doors else None,
            ssl_keyfile=doors.tls_key if doors else None,
        )
        super().__init__(config)
        self.ready = asyncio.Event()
        self.changed = asyncio.Event()
        """Set whenever a connection begins or ends."""
        self._finishing = asyncio.Event()

    def finish(self) -> None:
        """Take no more calls, and end when those under way are answered."""
        self._finishing.set()

    async def startup(self, sockets: list[Any] | None = None) -> None:
        """Start to listen (uvicorn's hook)."""
        await super().startup(sockets)
        self.ready.set()

    async def main_loop(self) -> None:
        """Give up what has been arriving for too long, until told to finish (uvicorn's hook)."""
        while not self._finishing.is_set():
            oldest = time.monotonic() - SLOWEST_REQUEST_S
            for connection in self._connections():
                if connection.arriving_since < oldest:
                    connection.transport.abort()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_EVERY_S):
                    await self._finishing.wait()

    async def shutdown(self, sockets: list[Any] | None = None) -> None:
        """Let answers under way finish, then cut off what is left (uvicorn's hook)."""
        for server in self.servers:
            server.close()
        tasks = self.server_state.tasks
        try:
            async with asyncio.timeout(GRACE_S):
                while connections := self._connections():
                    self.changed.clear()
                    for connection in connections:
                        connection.shutdown()
                    await self.changed.wait()
                if tasks:
                    await asyncio.wait(tasks)
        except TimeoutError:
            _log.warning("answers_cut_off", count=len(tasks))
            for task in tasks:
                task.cancel()
            for connection in self._connections():
                connection.transport.abort()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave signals alone (uvicorn's hook)."""
        yield

    def _connections(self) -> list[_Bounded]:
        return cast("list[_Bounded]", list(self.server_state.connections))


class _Bounded(HttpToolsProtocol):
    """uvicorn's protocol with bounds on how long and how large a request may arrive."""

    def __init__(self, door: Door, **settings: Any) -> None:
        super().__init__(**settings)
        self._door = door
        self._head_size = 0
        self._in_head = True
        self.arriving_since = time.monotonic()
        """When the request that is not whole yet began; at first, the connection itself."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        super().connection_made(transport)
        self._door.changed.set()
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._door.changed.set()
        reading = self.cycle.scope.get(READING) if self.cycle else None
        if reading is not None:
            reading.cancel()

    def on_message_begin(self) -> None:
        self.arriving_since = time.monotonic()
        self._head_size, self._in_head = 0, True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self.arriving_since = math.inf
        super().on_message_complete()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._in_head:
            self._head_size += len(data)
            if self._head_size > LONGEST_HEAD:
                self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        error = InvalidArgument(msg, reason="invalid_http")
        body = msgspec.json.encode(error.body(trace.new_correlation_id()))
        self.transport.write(
            b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\n"
            b"connection: close\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body)
        )
        self.transport.close()


def tcp_address(doors: Listening) -> Address:
    """Where the second door is.

    Raises:
        InvalidArgument: It would face other machines unencrypted without an explicit opt-out, or
            its settings do not fit together.
    """
    address = Address.parse(doors.tcp or "")
    if address.path:
        raise InvalidArgument("`tcp` is http://host:port or https://host:port.", field="tcp")
    if address.tls != bool(doors.tls_cert and doors.tls_key):
        raise InvalidArgument(
            "An https:// door needs tls_cert and tls_key, and an http:// door takes neither.",
            field="tls_cert",
        )
    for name in ("tls_cert", "tls_key"):
        file = getattr(doors, name)
        if file and not Path(file).is_file():
            raise InvalidArgument(f"There is no file {file}.", field=name)
    if not address.is_loopback and not address.tls:
        if not doors.tcp_without_tls:
            raise InvalidArgument(
                f"{address} faces other machines without TLS; set tls_cert and tls_key, or "
                "tcp_without_tls = true to let tokens be overheard.",
                field="tcp",
            )
        _log.warning("tcp_without_tls", address=str(address), danger="tokens can be overheard")
    return address

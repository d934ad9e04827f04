"""The doors of a part: sockets answered by uvicorn, bounded against slow and greedy callers."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import time
from collections.abc import Generator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, cast

import msgspec
import structlog
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from kit import trace
from kit.address import Address
from kit.door import READING, RECOGNISE
from kit.errors import InvalidArgument
from kit.settings import Listening

if TYPE_CHECKING:
    from starlette.types import ASGIApp

_log = structlog.get_logger()
KEEP_ALIVE_S = 75.0
"""Longer than clients keep an idle connection."""
GRACE_S = 8
"""Seconds that answers under way get when the part stops."""
_LOOK_EVERY_S = 1.0
SLOWEST_REQUEST_S = 15.0
"""A request that has not arrived whole by then is given up, and its connection closed."""
_SLOWEST_HANDSHAKE_S = 5.0
LONGEST_HEAD = 64 << 10
"""Bytes of request line and headers at most."""
MOST_CONNECTIONS = 800
"""Connections a door holds at once; to take a further one, it closes the one it can best miss."""
ROOM_FOR_STRANGERS = 200
"""So many connections on which nobody has shown a credential may stay, however many are known."""
_BURST = 64
"""Connections taken at once, so that a caller is read before those behind it may push it out."""
_QUEUE = 1024
"""Connections that may wait to be taken."""


class Door(uvicorn.Server):
    """A server at one address that leaves signals to the daemon, and wakes only for a reason."""

    def __init__(self, app: ASGIApp, doors: Listening | None = None) -> None:
        """Prepare to serve `app`; with `doors`, by their TLS settings."""
        config = uvicorn.Config(
            app,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            date_header=False,
            log_level=logging.ERROR,  # below it, uvicorn tells of every piece of garbage it is sent
            reset_contextvars=True,
            ssl_certfile=doors.tls_cert if doors else None,
            ssl_keyfile=doors.tls_key if doors else None,
        )
        super().__init__(config)
        self.ready = asyncio.Event()
        self.changed = asyncio.Event()
        """Set whenever a connection begins or ends."""
        self._strangers: dict[_Bounded, None] = {}
        """Connections on which nobody has shown a credential yet, oldest first."""
        self._known: set[_Bounded] = set()
        self._finishing = asyncio.Event()

    def finish(self) -> None:
        """Take no more calls, and end when those under way are answered."""
        self._finishing.set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen (uvicorn's hook)."""
        loop = asyncio.get_running_loop()
        tls = self.config.ssl
        self.servers = [
            await loop.create_server(
                partial(_Bounded, self),
                sock=sock,
                ssl=tls,
                ssl_handshake_timeout=_SLOWEST_HANDSHAKE_S if tls else None,
                backlog=_BURST,
            )
            for sock in sockets or []
        ]
        for sock in sockets or []:
            sock.listen(_QUEUE)
        self.started = True
        self.ready.set()

    async def main_loop(self) -> None:
        """Close what arrives or idles for too long, until told to finish (uvicorn's hook)."""
        while not self._finishing.is_set():
            now = time.monotonic()
            for connection in self._connections():
                if connection.is_arriving and now - connection.begun_at > SLOWEST_REQUEST_S:
                    connection.transport.abort()
                elif connection.is_idle and now - connection.idle_since > KEEP_ALIVE_S:
                    connection.transport.close()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_EVERY_S):
                    await self._finishing.wait()

    def receive(self, stranger: _Bounded) -> None:
        """Take a new connection, at the cost of another one if there are too many."""
        self.changed.set()
        self._strangers[stranger] = None
        if len(self._strangers) + len(self._known) > MOST_CONNECTIONS:
            missed_least = self._missed_least()
            self.forget(missed_least)
            missed_least.transport.abort()

    def recognise(self, connection: _Bounded) -> None:
        """Somebody known has called on this connection."""
        if connection in self._strangers:
            del self._strangers[connection]
            self._known.add(connection)

    def forget(self, connection: _Bounded) -> None:
        """A connection is gone."""
        self.changed.set()
        self._strangers.pop(connection, None)
        self._known.discard(connection)

    def _missed_least(self) -> _Bounded:
        """The oldest stranger, or else who has been known and idle for longest."""
        if len(self._strangers) <= ROOM_FOR_STRANGERS:
            idle = [connection for connection in self._known if connection.is_idle]
            if idle:
                return min(idle, key=lambda connection: connection.idle_since)
        return next(iter(self._strangers))

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

    def __init__(self, door: Door, _loop: asyncio.AbstractEventLoop | None = None) -> None:
        super().__init__(door.config, door.server_state, {}, _loop)
        self._door = door
        self._unread = 0
        """Bytes since the last read that completed a head, a piece of a body or a message."""
        self._has_advanced = False
        self._refusal: str | None = None
        self.is_known = False
        self.begun_at = time.monotonic()
        """When the last request began; at first, the connection itself."""
        self.is_arriving = True
        """Whether that request is not whole yet."""
        self.idle_since = self.begun_at

    @property
    def is_idle(self) -> bool:
        """Whether nothing is under way."""
        return not self.is_arriving and (not self.cycle or self.cycle.response_complete)

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        super().connection_made(transport)
        self._door.receive(self)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._door.forget(self)
        reading = self.cycle.scope.get(READING) if self.cycle else None
        if reading is not None:
            reading.cancel()

    def recognise(self) -> None:
        """Somebody known has called on this connection."""
        self.is_known = True
        self._door.recognise(self)

    def on_message_begin(self) -> None:
        self.begun_at = time.monotonic()
        self.is_arriving = True
        super().on_message_begin()
        if not self.is_known:
            cast("dict[str, Any]", self.scope)[RECOGNISE] = self.recognise

    def on_headers_complete(self) -> None:
        if self._unread > LONGEST_HEAD:
            self._bound_head()
        # A parser that may upgrade takes the body for the other protocol's.
        if self.parser is not None and self.parser.should_upgrade():
            self._refuse("A connection is not upgraded here; send no `upgrade` header.")
        self._has_advanced = True
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._has_advanced = True
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._has_advanced = True
        self.is_arriving = False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self.idle_since = time.monotonic()
        if self.pipeline:
            super().on_response_complete()
        elif not self.transport.is_closing():  # and no timer: the door looks at all of them
            self.flow.resume_reading()

    def data_received(self, data: bytes) -> None:
        self._unread += len(data)
        super().data_received(data)
        if self._has_advanced:
            self._unread, self._has_advanced = 0, False
        elif self._unread > LONGEST_HEAD:
            self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        error = InvalidArgument(self._refusal or msg, reason="invalid_http")
        body = msgspec.json.encode(error.body(trace.new_correlation_id()))
        self.transport.write(
            b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\n"
            b"connection: close\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body)
        )
        self.transport.close()

    def _bound_head(self) -> None:
        """Measure the head alone; the read that brought it may hold other things too."""
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > LONGEST_HEAD:
            self._refuse(f"The request line and headers are longer than {LONGEST_HEAD} bytes.")

    def _refuse(self, why: str) -> NoReturn:
        """Stop the parser, which has it answered with `send_400_response`."""
        self._refusal = why
        raise ValueError(why)


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

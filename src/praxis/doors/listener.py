"""The listener: one door for each source, an empty answer once what came in is on disk."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

import msgspec
import structlog

from kit import trace
from kit.body import drop_body, read_body
from kit.door import READING, loopback_host, recognise
from kit.errors import (
    Internal,
    NotFound,
    ServiceError,
    Unavailable,
)
from praxis.contract import LARGEST_DELIVERY, Deliver, Delivered
from praxis.dialects import Delivery, signatures
from praxis.store.deliveries import Door, Doors

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

_log = structlog.get_logger()
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT"})
_REQUESTER = "service:doors"
_ANSWERS_NOTHING = frozenset({"claude", "codex", "max"})
"""Agents whose hooks read the answer: whatever happens, it must steer nothing."""
_NOT_KEPT = frozenset({"authorization", "cookie", "proxy-authorization"})

Take = Callable[[Deliver, trace.Call], Awaitable[Delivered]]


class Listener:
    """The ASGI application of the doors."""

    def __init__(self, doors: Doors, take: Take) -> None:
        self._doors = doors
        self._take = take

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one delivery (the protocol of ASGI)."""
        correlation_id = trace.new_correlation_id()
        try:
            door, rest = self._admit(scope)
        except ServiceError as error:
            await drop_body(receive)
            await _refuse(send, error, correlation_id, (b"connection", b"close"))
            return
        recognise(scope)
        try:
            delivered = await self._answer(scope, receive, door, rest)
            is_refused = delivered.rejected_id is not None and door.dialect not in _ANSWERS_NOTHING
            body = msgspec.json.encode(delivered) if is_refused else b""
            await _send(send, 422 if is_refused else 200, body)
        except ServiceError as error:
            await _refuse(send, error, correlation_id)
        except asyncio.CancelledError:
            await _refuse(send, Unavailable("Praxis stops.", reason="stopping"), correlation_id)
        except Exception:  # noqa: BLE001 - the outermost handler of this request
            _log.exception("delivery_failed", source=door.source, correlation_id=correlation_id)
            await _refuse(send, Internal(), correlation_id)

    def _admit(self, scope: Scope) -> tuple[Door, str]:
        """Which door it is, and what follows it in the path.

        Raises:
            PermissionDenied: It names a host that is not this machine's loopback.
            NotFound: There is no such door, or not for this method.
        """
        loopback_host(scope)
        root, _, rest = scope["path"].removeprefix("/").partition("/")
        token, _, rest = rest.partition("/")
        door = self._doors.at(token) if root == "in" else None
        if door is None or scope["method"] not in _METHODS:
            raise NotFound("There is nothing here.", reason="no_such_path")
        return door, rest

    async def _answer(self, scope: Scope, receive: Receive, door: Door, rest: str) -> Delivered:
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1")
            for name, value in scope["headers"]
        }
        length = headers.get("content-length")
        scope[READING] = asyncio.current_task()
        try:
            body = await read_body(length and length.encode(), receive, LARGEST_DELIVERY)
        finally:
            del scope[READING]
        if door.secret is not None:
            signatures.check(door.dialect, Delivery(body=body, headers=headers), door.secret)
        call = trace.originate(_REQUESTER)
        trace.enter(call)
        kept = {name: value for name, value in headers.items() if name not in _NOT_KEPT}
        return await self._take(
            Deliver(
                source=door.source,
                dialect=door.dialect,
                body=body,
                headers=kept,
                method=scope["method"],
                path=rest[:300],
                query=dict(parse_qsl(scope["query_string"].decode("latin-1"))[:50]),
            ),
            call,
        )


async def _refuse(
    send: Send, error: ServiceError, correlation_id: str, *headers: tuple[bytes, bytes]
) -> None:
    await _send(send, error.http_status, msgspec.json.encode(error.body(correlation_id)), *headers)


async def _send(send: Send, status: int, body: bytes, *more: tuple[bytes, bytes]) -> None:
    headers = [
        *([(b"content-type", b"application/json")] if body else []),
        (b"content-length", b"%d" % len(body)),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
        *more,
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})

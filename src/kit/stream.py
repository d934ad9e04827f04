"""Answer with server-sent events: each reply is one, its cursor the id a reader comes back with."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec
import structlog

from kit import trace
from kit.admission import LAST_EVENT, Gate, Headers, headers_of
from kit.auth import Principal
from kit.body import decode, read_body
from kit.contract import Operation
from kit.door import READING, Door, body_of, identify, send_json, turn_away
from kit.errors import Internal, InvalidArgument, ServiceError
from kit.trace import Call

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

_log = structlog.get_logger()
HEARTBEAT_S = 15.0
"""A line without meaning after so long without an event, so that either side sees the other die."""
_HEADERS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
]

Streaming = Callable[[Any, Call], AsyncGenerator[Any]]


class StreamDoor(Door):
    """One streaming operation at its path."""

    methods = ("POST",)

    def __init__(self, operation: Operation[Any, Any], handler: Streaming, gate: Gate) -> None:
        self._operation = operation
        self._handler = handler
        self._gate = gate
        self._decoder = msgspec.json.Decoder(operation.request)
        self._encoder = msgspec.json.Encoder()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one reader (the protocol of ASGI)."""
        correlation_id = ""
        principal: Principal | None = None
        try:
            headers = headers_of(scope["headers"])
            correlation_id = self._gate.correlation_of(headers)
            principal = identify(scope, headers, self._gate)
            call = self._gate.admit(self._operation, headers, principal, correlation_id)
            declared = headers.get(b"content-length")
            body = await read_body(declared, receive, self._operation.largest_body)
            request = _resumed(decode(self._decoder, body), headers.get(LAST_EVENT))
        except ServiceError as error:
            correlation_id = correlation_id or trace.new_correlation_id()
            if principal is None:
                await turn_away(error, correlation_id, receive, send)
            else:
                await send_json(send, error.http_status, body_of(error, correlation_id))
            return
        call = replace(call, deadline=None)  # it was for the beginning alone
        trace.enter(call)
        scope[READING] = asyncio.current_task()
        try:
            await self._stream(self._handler(request, call), send, headers, correlation_id)
        finally:
            del scope[READING]

    async def _stream(
        self, replies: AsyncGenerator[Any], send: Send, headers: Headers, correlation_id: str
    ) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        coming: asyncio.Future[Any] | None = None
        try:
            while True:
                coming = coming or asyncio.ensure_future(anext(replies))
                done, _ = await asyncio.wait({coming}, timeout=HEARTBEAT_S)
                # What was granted may have been withdrawn since.
                principal = self._gate.identify(headers)
                self._gate.admit(self._operation, headers, principal, correlation_id)
                if not done:
                    await _write(send, b":\n\n")
                    continue
                come, coming = coming, None
                await _write(send, self._event(come.result()))
        except StopAsyncIteration:
            pass
        except asyncio.CancelledError:
            _log.debug("stream_left", operation=self._operation.name)
        except ServiceError as error:
            await _write(send, _failure(body_of(error, correlation_id)))
        except Exception:  # noqa: BLE001 - the outermost handler of this call
            _log.exception(
                "stream_failed", operation=self._operation.name, correlation_id=correlation_id
            )
            await _write(send, _failure(body_of(Internal(), correlation_id)))
        finally:
            if coming is not None:
                coming.cancel()
                with suppress(asyncio.CancelledError, StopAsyncIteration, ServiceError):
                    await coming
            await replies.aclose()
            await send({"type": "http.response.body", "body": b""})

    def _event(self, reply: Any) -> bytes:
        cursor = getattr(reply, "cursor", None)
        named = b"" if cursor is None else b"id: %d\n" % cursor
        return b"%bdata: %b\n\n" % (named, self._encoder.encode(reply))


def _resumed(request: Any, last_event_id: bytes | None) -> Any:
    """The request, from after the event that its reader has seen last."""
    if last_event_id is None or not hasattr(request, "after"):
        return request
    if not last_event_id.isdigit() or len(last_event_id) > 18:
        raise InvalidArgument("`Last-Event-ID` is no cursor.", field=trace.LAST_EVENT)
    return msgspec.structs.replace(request, after=int(last_event_id))


def _failure(body: bytes) -> bytes:
    return b"event: error\ndata: %b\n\n" % body


async def _write(send: Send, piece: bytes) -> None:
    await send({"type": "http.response.body", "body": piece, "more_body": True})

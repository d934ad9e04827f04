"""Serve a contract over ASGI: admission, validation, one error body, deadlines, idempotency."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import msgspec
import structlog

from kit import trace
from kit.admission import Gate, headers_of
from kit.auth import Grants, Principal
from kit.body import decode, drop_body, read_body
from kit.clock import Clock, SystemClock
from kit.contract import LARGEST_BODY, Contract, HealthReply, MetaReply, Nothing, Operation
from kit.door import READING, Door, body_of, identify, send_json, turn_away
from kit.errors import (
    CANONICAL,
    Conflict,
    DeadlineExceeded,
    Internal,
    NotFound,
    OutcomeUnknown,
    ServiceError,
    Unavailable,
)
from kit.idempotency import Pending, complete, keyed
from kit.openapi import describe
from kit.store import Store
from kit.stream import StreamDoor
from kit.trace import Call

if TYPE_CHECKING:
    from starlette.requests import Request as WebRequest
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp, Receive, Scope, Send

_log = structlog.get_logger()
Handler = Callable[[Any, Call], Awaitable[Any]]


@dataclass(kw_only=True)
class Hosted:
    """A composed part, ready to be served."""

    contract: Contract
    service: object
    """Has one coroutine method per operation: `method(request, call)`."""
    grants: Grants
    store: Store | None = None
    """Where idempotency keys are kept."""
    routes: list[BaseRoute] = field(default_factory=list["BaseRoute"])
    """Further doors, such as pages."""
    clock: Clock = field(default_factory=SystemClock)
    instance_id: str = field(default_factory=lambda: secrets.token_hex(8))
    degraded: Callable[[], list[str]] = list
    """What does not work now, for `health`; a store that cannot write is added by itself."""
    started_at: datetime = field(init=False)

    def __post_init__(self) -> None:
        self.started_at = self.clock.now()


def build_app(hosted: Hosted) -> ASGIApp:
    """The ASGI application of a part."""
    gate = Gate(hosted.contract, hosted.grants, hosted.clock)
    builtin: dict[str, Handler] = {"meta": _meta(hosted), "health": _health(hosted)}
    doors: dict[str, Door] = {
        f"/v1/{operation.name}": _door_of(
            operation,
            builtin.get(operation.name) or getattr(hosted.service, operation.name),
            gate,
            hosted.store,
        )
        for operation in hosted.contract.operations.values()
    }
    doors["/v1/openapi.json"] = _Document(describe(hosted.contract), gate)
    return _App(doors, _further(hosted.routes, gate), gate)


def _door_of(operation: Operation[Any, Any], handler: Any, gate: Gate, store: Store | None) -> Door:
    if operation.streams:
        return StreamDoor(operation, handler, gate)
    return _Endpoint(operation, handler, gate, store)


class _App:
    """Finds the operation by its path; what is not one goes to the part's further doors."""

    def __init__(self, doors: dict[str, Door], further: ASGIApp | None, gate: Gate) -> None:
        self._doors = doors
        self._further = further
        self._gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        door = self._doors.get(scope["path"])
        if door is not None and scope["method"] in door.methods:
            await door(scope, receive, send)
        elif door is None and self._further is not None:
            await self._further(scope, receive, send)
        else:
            await self._refuse(scope, receive, send, () if door is None else door.methods)

    async def _refuse(
        self, scope: Scope, receive: Receive, send: Send, methods: tuple[str, ...]
    ) -> None:
        """Say that this is not offered, to whoever may know what is."""
        try:
            identify(scope, headers_of(scope["headers"]), self._gate)
        except ServiceError as error:
            await turn_away(error, trace.new_correlation_id(), receive, send)
        else:
            error = _not_offered(scope, 405 if methods else 404)
            allow = [(b"allow", ", ".join(methods).encode())] if methods else []
            await send_json(
                send, error.http_status, body_of(error, trace.new_correlation_id()), *allow
            )


class _Document(Door):
    """The OpenAPI document of the contract, for whoever has a credential."""

    def __init__(self, document: dict[str, Any], gate: Gate) -> None:
        self._document = msgspec.json.encode(document)
        self._gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            identify(scope, headers_of(scope["headers"]), self._gate)
        except ServiceError as error:
            await turn_away(error, trace.new_correlation_id(), receive, send)
        else:
            await send_json(send, 200, self._document)


class _Endpoint(Door):
    """One operation at its path."""

    def __init__(
        self,
        operation: Operation[Any, Any],
        handler: Handler,
        gate: Gate,
        store: Store | None,
    ) -> None:
        self.methods = ("POST", "GET", "HEAD") if operation.request is Nothing else ("POST",)
        self._operation = operation
        self._handler = handler
        self._gate = gate
        self._store = store
        self._decoder = msgspec.json.Decoder(operation.request)
        self._encoder = msgspec.json.Encoder()
        self._under_way: set[tuple[str, str]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        correlation_id = ""
        status = 200
        principal: Principal | None = None
        try:
            headers = headers_of(scope["headers"])
            correlation_id = self._gate.correlation_of(headers)
            principal = identify(scope, headers, self._gate)
            call = self._gate.admit(self._operation, headers, principal, correlation_id)
            declared = headers.get(b"content-length")
            body = await read_body(declared, receive, self._operation.largest_body)
            answer = await self._answer(body, call, scope)
        except ServiceError as error:
            correlation_id = correlation_id or trace.new_correlation_id()
            if principal is None:
                await turn_away(error, correlation_id, receive, send)
                return
            status, answer = error.http_status, body_of(error, correlation_id)
            if status >= 500 and error.reason != "caller_gone":
                self._report(error, correlation_id)
        except asyncio.CancelledError:
            cut_off = OutcomeUnknown if self._operation.effect == "write" else Unavailable
            error = cut_off("The part stopped before it had an answer.", reason="stopping")
            status, answer = error.http_status, body_of(error, correlation_id)
        except Exception:  # noqa: BLE001 - the outermost handler of this call
            _log.exception(
                "operation_failed", operation=self._operation.name, correlation_id=correlation_id
            )
            status, answer = 500, body_of(Internal(), correlation_id)
        await send_json(send, status, answer)

    async def _answer(self, body: bytes, call: Call, scope: Scope) -> bytes:
        if len(body) <= LARGEST_BODY:
            request = decode(self._decoder, body)
        else:  # others are not to wait until this one is understood
            request = await asyncio.to_thread(decode, self._decoder, body)
        trace.enter(call)
        if self._operation.effect == "read":
            reply = await self._read(request, call, scope)
        elif (call.remaining_s() or 0.0) <= 0:
            raise DeadlineExceeded
        elif call.idempotency_key is not None and self._store is not None:
            return await self._once(self._store, call.idempotency_key, request, body, call)
        else:
            reply = await self._handler(request, call)
        return self._encoder.encode(reply)

    async def _read(self, request: Any, call: Call, scope: Scope) -> Any:
        """The reply, unless the deadline comes or the caller goes first."""
        limit = asyncio.timeout(call.remaining_s())
        scope[READING] = asyncio.current_task()
        try:
            async with limit:
                return await self._handler(request, call)
        except TimeoutError as error:
            if not limit.expired():
                raise
            raise DeadlineExceeded from error
        finally:
            del scope[READING]

    async def _once(self, store: Store, key: str, request: Any, body: bytes, call: Call) -> bytes:
        """The first answer of this key; a write is never cut short, whatever the caller does."""
        marked = (call.principal, key)
        if marked in self._under_way:
            raise Conflict(
                "A call with this idempotency key is under way.", reason="idempotency_in_progress"
            )
        digest = sha256(body).digest()
        rows = store.read(
            "SELECT requester, digest, reply FROM kit_idempotency"
            " WHERE principal = ? AND operation = ? AND key = ?",
            (call.principal, self._operation.name, key),
        )
        if rows:
            same = rows[0]["requester"] == call.requester and rows[0]["digest"] == digest
            return _first_answer(rows[0]["reply"], same=same)
        pending = Pending(
            principal=call.principal,
            operation=self._operation.name,
            key=key,
            requester=call.requester,
            digest=digest,
            reply_type=self._operation.reply,
        )
        self._under_way.add(marked)
        try:
            return await self._answer_and_note(store, pending, request, call)
        finally:
            self._under_way.discard(marked)

    async def _answer_and_note(
        self, store: Store, pending: Pending, request: Any, call: Call
    ) -> bytes:
        reply: bytes | None = None
        try:
            with keyed(pending):
                reply = self._encoder.encode(await self._handler(request, call))
            return reply
        finally:
            if pending.recorded and pending.stored != reply:
                await store.write(lambda connection: complete(connection, pending, reply))

    def _report(self, error: ServiceError, correlation_id: str) -> None:
        _log.warning(
            "operation_unserved",
            operation=self._operation.name,
            code=error.code,
            reason=error.reason,
            error=error.message,
            correlation_id=correlation_id,
        )


def _first_answer(reply: bytes | None, *, same: bool) -> bytes:
    if not same:
        raise Conflict(
            "This idempotency key was used for another request.", reason="idempotency_key_reused"
        )
    if reply is None:
        raise OutcomeUnknown(
            "This was begun before and its answer was lost; read to see whether it took effect.",
            reason="reply_lost",
        )
    return reply


def _meta(hosted: Hosted) -> Handler:
    async def meta(request: Nothing, call: Call) -> MetaReply:
        return MetaReply(
            service=hosted.contract.name,
            contract=str(hosted.contract),
            operations=list(hosted.contract.operations),
            instance_id=hosted.instance_id,
            started_at=hosted.started_at,
            now=hosted.clock.now(),
        )

    return meta


def _health(hosted: Hosted) -> Handler:
    async def health(request: Nothing, call: Call) -> HealthReply:
        degraded = hosted.degraded()
        if hosted.store is not None and hosted.store.failure is not None:
            degraded = [*degraded, f"the store cannot write: {hosted.store.failure}"]
        return HealthReply(
            service=hosted.contract.name,
            status="degraded" if degraded else "ok",
            instance_id=hosted.instance_id,
            started_at=hosted.started_at,
            degraded=degraded,
        )

    return health


def _further(routes: list[BaseRoute], gate: Gate) -> ASGIApp | None:
    """The doors beside the operations; Starlette is loaded only where there are any."""
    if not routes:
        return None
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.responses import Response

    async def refuse(request: WebRequest, error: Exception) -> Response:
        assert isinstance(error, HTTPException)  # noqa: S101 - Starlette hands over no other
        status, headers = error.status_code, dict(error.headers or {})
        kinds = (kind for kind in CANONICAL.values() if kind.status == status)
        failure = next(kinds, Internal)(error.detail, status=status)
        if status in {404, 405}:
            try:
                identify(request.scope, headers_of(request.scope["headers"]), gate)
                failure = _not_offered(request.scope, status)
            except ServiceError as unknown:
                failure, headers = unknown, {"connection": "close"}
                await drop_body(request.receive)
        body = body_of(failure, trace.new_correlation_id())
        return Response(body, failure.http_status, headers, media_type="application/json")

    return Starlette(routes=routes, exception_handlers={HTTPException: refuse})


def _not_offered(scope: Scope, status: int) -> NotFound:
    return NotFound(
        f"{scope['method']} {scope['path'][:200]} is not offered here; /v1/meta lists what is.",
        reason="no_such_operation",
        status=status,
    )

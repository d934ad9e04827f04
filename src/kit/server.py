"""Serve a contract over ASGI: credentials, context, validation, one error body, idempotency."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any, cast

import msgspec
import structlog
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request as WebRequest
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from kit import trace
from kit.auth import Grants, Principal
from kit.clock import Clock, SystemClock
from kit.contract import Contract, HealthReply, MetaReply, Nothing, Operation
from kit.errors import (
    Conflict,
    DeadlineExceeded,
    FailedPrecondition,
    Internal,
    InvalidArgument,
    NotFound,
    OutcomeUnknown,
    PermissionDenied,
    ResourceExhausted,
    ServiceError,
)
from kit.idempotency import Pending, complete, keyed
from kit.openapi import describe
from kit.store import Store
from kit.trace import Call

_log = structlog.get_logger()
LARGEST_BODY = 1 << 20
"""Bytes of a request body at most."""
_JSON = [(b"content-type", b"application/json")]
_REQUESTER = re.compile(r"^(user|agent|service):[^\s\x00-\x1f]{1,100}$")
_PRINTABLE = re.compile(r"^[\x21-\x7e]{1,200}$")
_FIELD = re.compile(r" - at `\$?\.?(.*?)`$")
_NAMED = re.compile(r"(?:unknown field|required field) `([^`]+)`")

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
    routes: list[BaseRoute] = field(default_factory=list[BaseRoute])
    """Further doors, such as pages."""
    clock: Clock = field(default_factory=SystemClock)
    instance_id: str = field(default_factory=lambda: secrets.token_hex(8))
    degraded: Callable[[], list[str]] = list
    """What does not work now, for `health`."""
    started_at: datetime = field(init=False)

    def __post_init__(self) -> None:
        self.started_at = self.clock.now()


def build_app(hosted: Hosted) -> Starlette:
    """The ASGI application of a part."""
    builtin: dict[str, Handler] = {"meta": _meta(hosted), "health": _health(hosted)}
    routes: list[BaseRoute] = []
    for operation in hosted.contract.operations.values():
        handler = builtin.get(operation.name) or getattr(hosted.service, operation.name)
        endpoint = _Endpoint(hosted, operation, handler)
        methods = ["GET", "POST"] if operation.request is Nothing else ["POST"]
        routes.append(Route(f"/v1/{operation.name}", endpoint, methods=methods))
    document = msgspec.json.encode(describe(hosted.contract))

    def openapi(_: WebRequest) -> Response:
        return Response(document, media_type="application/json")

    routes.append(Route("/v1/openapi.json", openapi))
    return Starlette(
        routes=[*routes, *hosted.routes], exception_handlers={HTTPException: _no_such_path}
    )


class _Endpoint:
    """One operation at its path."""

    def __init__(self, hosted: Hosted, operation: Operation[Any, Any], handler: Handler) -> None:
        self._hosted = hosted
        self._operation = operation
        self._handler = handler
        self._decoder = msgspec.json.Decoder(operation.request)
        self._encoder = msgspec.json.Encoder()
        self._contract = hosted.contract
        self._empty = b"{}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers: dict[bytes, bytes] = dict(scope["headers"])
        correlation_id = _header(headers, trace.CORRELATION) or trace.new_correlation_id()
        status = 200
        try:
            call = self._admit(headers, correlation_id)
            correlation_id = call.correlation_id
            body = await _read_body(headers, receive)
            answer = await self._answer(body, call, receive)
        except ServiceError as error:
            status, answer = error.http_status, msgspec.json.encode(error.body(correlation_id))
            if status >= 500:
                self._report(error, correlation_id)
        except Exception:
            _log.exception(
                "operation_failed", operation=self._operation.name, correlation_id=correlation_id
            )
            status, answer = 500, msgspec.json.encode(Internal().body(correlation_id))
        length = (b"content-length", str(len(answer)).encode())
        await send({"type": "http.response.start", "status": status, "headers": [*_JSON, length]})
        await send({"type": "http.response.body", "body": answer})

    def _admit(self, headers: dict[bytes, bytes], correlation_id: str) -> Call:
        """Who calls, for whom, and may they; nothing of the body is read before this."""
        hosted, operation = self._hosted, self._operation
        principal = hosted.grants.authenticate(_header(headers, "authorization"))
        self._agree_on_contract(_header(headers, trace.CONTRACT))
        if not _PRINTABLE.match(correlation_id):
            raise InvalidArgument("The correlation id is malformed.", field=trace.CORRELATION)
        requester = _requester(_header(headers, trace.REQUESTER), principal)
        assertion_word = _header(headers, trace.ASSERTION)
        allowed = operation.scope is None or operation.scope in principal.scopes
        verified = None
        if operation.asserted and assertion_word:
            verified, channel = hosted.grants.verify_assertion(assertion_word, hosted.clock.now())
            if verified.requester != requester or not channel.may_speak_for(requester):
                raise PermissionDenied(
                    f"The assertion was made for {verified.requester}, not for {requester}.",
                    reason="assertion_foreign",
                )
            allowed = allowed or operation.scope in channel.scopes
        if not allowed:
            raise PermissionDenied(
                f"{principal.name} may not call {self._contract.name}.{operation.name}; "
                f"it needs {operation.scope}.",
                reason="assertion_needed" if operation.asserted else "scope_missing",
            )
        traceparent = _header(headers, trace.TRACEPARENT)
        return Call(
            requester=requester,
            correlation_id=correlation_id,
            causation_id=_header(headers, trace.CAUSATION) or "",
            trace_id=trace.parse_traceparent(traceparent or "") or trace.new_trace_id(),
            deadline=self._deadline(_header(headers, trace.DEADLINE)),
            principal=principal.name,
            channel_assertion=assertion_word,
            assertion=verified,
            idempotency_key=_header(headers, trace.IDEMPOTENCY),
        )

    def _agree_on_contract(self, spoken: str | None) -> None:
        if spoken is None:
            return
        name, _, version = spoken.partition("/")
        if name != self._contract.name or version.partition(".")[0] != self._contract.major:
            raise FailedPrecondition(
                f"The caller speaks {spoken}, this is {self._contract}; update the older of the two.",
                reason="contract_mismatch",
                field=trace.CONTRACT,
            )

    def _deadline(self, milliseconds: str | None) -> float:
        if milliseconds is None:
            return time.monotonic() + self._operation.timeout_s
        try:
            remaining = int(milliseconds) / 1000
        except ValueError as error:
            raise InvalidArgument(
                "The deadline is a whole number of milliseconds from now.", field=trace.DEADLINE
            ) from error
        if remaining <= 0:
            raise DeadlineExceeded
        return time.monotonic() + min(remaining, 3600.0)

    async def _answer(self, body: bytes, call: Call, receive: Receive) -> bytes:
        request = self._decode(body)
        trace.enter(call)
        if self._operation.effect == "read":
            reply = await self._read(request, call, receive)
        elif call.idempotency_key is not None and self._hosted.store is not None:
            return await self._once(self._hosted.store, request, body, call)
        else:
            reply = await self._handler(request, call)
        return self._encoder.encode(reply)

    def _decode(self, body: bytes) -> Any:
        try:
            request = self._decoder.decode(body or self._empty)
            _refuse_duplicate_keys(body)
        except msgspec.ValidationError as error:
            message = str(error)
            path = [match[1] for match in (_FIELD.search(message), _NAMED.search(message)) if match]
            raise InvalidArgument(
                message, reason="invalid_field", field=".".join(filter(None, path)) or None
            ) from error
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise InvalidArgument(
                f"The body is not valid JSON: {error}", reason="invalid_json"
            ) from error
        return request

    async def _read(self, request: Any, call: Call, receive: Receive) -> Any:
        try:
            async with asyncio.timeout(call.remaining_s()):
                if self._operation.waits:
                    return await _unless_gone(self._handler(request, call), receive)
                return await self._handler(request, call)
        except TimeoutError as error:
            raise DeadlineExceeded from error

    async def _once(self, store: Store, request: Any, body: bytes, call: Call) -> bytes:
        """The first answer of this key; a write is never cut short, whatever the caller does."""
        key = call.idempotency_key or ""
        if not _PRINTABLE.match(key):
            raise InvalidArgument("The idempotency key is malformed.", field=trace.IDEMPOTENCY)
        digest = sha256(body).digest()
        rows = store.read(
            "SELECT requester, digest, reply FROM kit_idempotency"
            " WHERE principal = ? AND operation = ? AND key = ?",
            (call.principal, self._operation.name, key),
        )
        if rows:
            return _first_answer(rows[0]["requester"], rows[0]["digest"], rows[0]["reply"], call, digest)
        pending = Pending(
            principal=call.principal,
            operation=self._operation.name,
            key=key,
            requester=call.requester,
            digest=digest,
            reply_type=self._operation.reply,
        )
        with keyed(pending):
            reply = self._encoder.encode(await self._handler(request, call))
        if pending.recorded and pending.stored != reply:
            await store.write(lambda connection: complete(connection, pending, reply))
        return reply

    def _report(self, error: ServiceError, correlation_id: str) -> None:
        _log.warning(
            "operation_unserved",
            operation=self._operation.name,
            code=error.code,
            reason=error.reason,
            error=error.message,
            correlation_id=correlation_id,
        )


def _first_answer(
    requester: str, first: bytes, reply: bytes | None, call: Call, digest: bytes
) -> bytes:
    if requester != call.requester or first != digest:
        raise Conflict(
            "This idempotency key was used for another request.", reason="idempotency_key_reused"
        )
    if reply is None:
        raise OutcomeUnknown(
            "This was begun before and its answer was lost; read to see whether it took effect.",
            reason="reply_lost",
        )
    return reply


def _header(headers: dict[bytes, bytes], name: str) -> str | None:
    value = headers.get(name.encode())
    return None if value is None else value.decode("latin-1")


def _requester(named: str | None, principal: Principal) -> str:
    if named is None:
        exact = [name for name in principal.speaks_for if not name.endswith("*")]
        if len(exact) != 1:
            raise InvalidArgument(
                f"Say for whom: send `{trace.REQUESTER}`.",
                reason="requester_missing",
                field=trace.REQUESTER,
            )
        return exact[0]
    if not _REQUESTER.match(named):
        raise InvalidArgument(
            "A requester is user:<name>, agent:<id> or service:<name>.", field=trace.REQUESTER
        )
    if not principal.may_speak_for(named):
        raise PermissionDenied(
            f"{principal.name} may not speak for {named}.", reason="requester_foreign"
        )
    return named


async def _read_body(headers: dict[bytes, bytes], receive: Receive) -> bytes:
    declared = headers.get(b"content-length", b"0")
    if declared.isdigit() and int(declared) > LARGEST_BODY:
        raise _too_large()
    message = await receive()
    body = cast("bytes", message.get("body", b""))
    while message.get("more_body"):
        message = await receive()
        body += message.get("body", b"")
        if len(body) > LARGEST_BODY:
            raise _too_large()
    return body


def _too_large() -> ResourceExhausted:
    return ResourceExhausted(
        f"The body is larger than {LARGEST_BODY} bytes.", reason="body_too_large", status=413
    )


def _refuse_duplicate_keys(body: bytes) -> None:
    if body.count(b":") > 1:
        json.loads(body, object_pairs_hook=_unique)


def _unique(pairs: list[tuple[str, Any]]) -> None:
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise InvalidArgument(
                f"The key {key!r} appears twice.", reason="duplicate_key", field=key
            )
        seen.add(key)


async def _unless_gone(work: Awaitable[Any], receive: Receive) -> Any:
    """The result of `work`, given up when the caller goes away."""
    task = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(receive())
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise DeadlineExceeded("The caller went away.", reason="caller_gone")
        return task.result()
    finally:
        gone.cancel()
        task.cancel()


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
        return HealthReply(
            service=hosted.contract.name,
            status="degraded" if degraded else "ok",
            instance_id=hosted.instance_id,
            started_at=hosted.started_at,
            degraded=degraded,
        )

    return health


async def _no_such_path(request: WebRequest, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    failure = NotFound(
        f"{request.method} {request.url.path} is not offered here; /v1/meta lists what is.",
        reason="no_such_operation",
        status=status,
    )
    body = msgspec.json.encode(failure.body(trace.new_correlation_id()))
    return Response(body, status, media_type="application/json")

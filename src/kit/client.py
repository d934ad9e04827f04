"""Call a contract: context, deadline, typed errors, retries of reads only, `outcome_unknown`."""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import aclosing
from datetime import UTC, datetime
from functools import partial
from typing import Any, ClassVar, Generic, Self, overload

import msgspec

from kit import trace
from kit.address import Address, dial
from kit.auth import Secret
from kit.connection import Connection, NotSent
from kit.contract import HEALTH, META, Contract, Operation, Rep, Req
from kit.errors import (
    DeadlineExceeded,
    ErrorBody,
    Internal,
    InvalidArgument,
    OutcomeUnknown,
    ServiceError,
    Unavailable,
    from_body,
)
from kit.follow import Stream
from kit.trace import Call, ExternalCall

_PAUSES_S = (0.05, 0.2)
"""Before the second and the third try of a read."""
_IDLE_S = 30.0
"""A kept connection older than this is not used again; the server keeps them longer."""
_KEPT = 8
"""Idle connections kept per client."""
_DEADLINE = trace.DEADLINE.encode()
_WORD = re.compile(r"[\x21-\x7e]{1,4000}")
"""What may stand in a header; anything else could add headers of its own."""


class Client:
    """Calls one part; a subclass names the contract and its operations."""

    contract: ClassVar[Contract]

    def __init__(self, address: Address, secret: Secret, *, requester: str | None = None) -> None:
        self.address = address
        self._requester = requester or f"service:{secret.principal}"
        self._idle: list[tuple[float, Connection]] = []
        self._decoders: dict[str, msgspec.json.Decoder[Any]] = {}
        self._starts: dict[str, bytes] = {}
        host = address.authority if address.host else self.contract.name
        self._fixed = (
            f"host: {host}\r\nauthorization: Bearer {secret.token_for(self.contract.name)}\r\n"
            f"{trace.CONTRACT}: {self.contract}\r\ncontent-type: application/json\r\n"
        ).encode()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of kept connections."""
        for _, connection in self._idle:
            connection.close()
        self._idle.clear()

    async def call(
        self,
        operation: Operation[Req, Rep],
        request: Req,
        *,
        timeout_s: float | None = None,
        key: str | None = None,
    ) -> Rep:
        """Send a request in the context of this task and return the reply.

        Args:
            operation: what to ask for.
            request: what to send.
            timeout_s: how long to wait; the context's own deadline is never exceeded.
            key: the idempotency key of a write; each call has a fresh one unless it is named.

        Raises:
            ServiceError: What the part answered, or `Unavailable`, `DeadlineExceeded` or
                `OutcomeUnknown` when it did not answer.
        """
        context = trace.current_call() or trace.originate(self._requester)
        wait_s = operation.timeout_s if timeout_s is None else timeout_s
        deadline = time.monotonic() + wait_s
        if context.deadline is not None and context.deadline < deadline:
            deadline = context.deadline
        if operation.effect == "write" and key is None:
            key = secrets.token_hex(12)
        recorder = trace.current_recorder()
        if recorder is None:
            return await self._attempt(operation, request, context, deadline, key)
        started, before = datetime.now(UTC), time.perf_counter()
        reply: Rep | None = None
        code: str | None = None
        reason: str | None = None
        try:
            reply = await self._attempt(operation, request, context, deadline, key)
        except ServiceError as error:
            code, reason = error.code, error.reason
            raise
        except asyncio.CancelledError:
            code = "cancelled"
            raise
        else:
            return reply
        finally:
            recorder.record(
                ExternalCall(
                    service=self.contract.name,
                    operation=operation.name,
                    contract_version=str(self.contract),
                    correlation_id=context.correlation_id,
                    causation_id=context.causation_id,
                    started_at=started,
                    duration_ms=(time.perf_counter() - before) * 1000,
                    error_code=code,
                    request=request,
                    reply=reply,
                    error_reason=reason,
                )
            )

    async def follow(self, operation: Operation[Req, Rep], request: Req) -> AsyncGenerator[Rep]:
        """Send a request and yield each reply of the stream as it comes.

        Raises:
            ServiceError: What the part answered, `Unavailable` where it cannot be reached, broke
                off or fell silent, or `DeadlineExceeded` where it did not begin in time; a reader
                goes on from the last cursor it has seen.
        """
        context = trace.current_call() or trace.originate(self._requester)
        body = msgspec.json.encode(request)
        start = self._start(operation, len(body), context, None) + b"connection: close\r\n"
        remaining = context.remaining_s()
        wait_s = operation.timeout_s if remaining is None else min(remaining, operation.timeout_s)
        stream: Stream | None = None
        try:
            async with asyncio.timeout(wait_s):
                stream = await dial(Stream, self.address)
                await stream.begin(start + b"\r\n" + body)
        except BaseException as error:
            if stream is not None:
                stream.close()
            if isinstance(error, OSError):  # a TimeoutError is one as well
                raise self._unanswered(operation, error, sent=False) from error
            raise
        async with aclosing(stream.events(self.contract.name)) as events:
            async for data in events:
                yield self._decode(operation, 200, data)

    async def _attempt(
        self,
        operation: Operation[Req, Rep],
        request: Req,
        context: Call,
        deadline: float,
        key: str | None,
    ) -> Rep:
        body = msgspec.json.encode(request)
        start = self._start(operation, len(body), context, key)
        unreached = trace.current_unreached()
        if unreached is None:
            unreached = set[str]()
        pauses = iter(_PAUSES_S if operation.effect == "read" else ())
        while True:
            try:
                status, payload = await self._exchange(operation, start, body, deadline)
                break
            except Unavailable:
                pause = None if self.contract.name in unreached else next(pauses, None)
                if pause is None or time.monotonic() + pause >= deadline:
                    unreached.add(self.contract.name)
                    raise
                await asyncio.sleep(pause)
        unreached.discard(self.contract.name)
        return self._decode(operation, status, payload)

    async def _exchange(
        self, operation: Operation[Any, Any], start: bytes, body: bytes, deadline: float
    ) -> tuple[int, bytes]:
        """One try: `Unavailable` if it surely did not take effect, else `OutcomeUnknown`."""
        remaining = deadline - time.monotonic()
        if remaining <= 0:
            raise DeadlineExceeded
        connection: Connection | None = None
        try:
            connection = self._kept()
            if connection is None:
                async with asyncio.timeout(remaining):
                    connection = await dial(Connection, self.address)
                remaining = max(0.001, deadline - time.monotonic())
            left = b"%b: %d\r\n\r\n" % (_DEADLINE, remaining * 1000)
            status, payload = await connection.exchange(start + left + body, remaining)
        except BaseException as error:
            if connection is not None:
                connection.close()
            if isinstance(error, OSError):  # a TimeoutError is one as well
                sent = connection is not None and not isinstance(error, NotSent)
                raise self._unanswered(operation, error, sent=sent) from error
            raise
        if connection.reusable and len(self._idle) < _KEPT:
            self._idle.append((time.monotonic(), connection))
        else:
            connection.close()
        return status, payload

    def _unanswered(
        self, operation: Operation[Any, Any], error: OSError, *, sent: bool
    ) -> ServiceError:
        name = f"{self.contract.name}.{operation.name}"
        late = isinstance(error, TimeoutError)
        if sent and operation.effect == "write":
            if late:
                return OutcomeUnknown(f"{name} did not answer in time.", reason="timeout")
            return OutcomeUnknown(f"{name} broke off.", reason="connection_lost")
        if late:
            return DeadlineExceeded(f"{name} did not answer in time.")
        where = f"{self.contract.name} cannot be reached at {self.address}."
        return Unavailable(where, reason="unreachable")

    def _kept(self) -> Connection | None:
        oldest = time.monotonic() - _IDLE_S
        while self._idle:
            kept_at, connection = self._idle.pop()
            if kept_at > oldest and connection.is_quiet():
                return connection
            connection.close()
        return None

    def _start(
        self, operation: Operation[Any, Any], length: int, context: Call, key: str | None
    ) -> bytes:
        """The head of a request but for its deadline."""
        start = self._starts.get(operation.name)
        if start is None:
            line = f"POST /v1/{operation.name} HTTP/1.1\r\n".encode()
            start = self._starts[operation.name] = line + self._fixed
        lines = (
            f"{trace.REQUESTER}: {_word(trace.requester_to_wire(context.requester))}\r\n"
            f"{trace.CORRELATION}: {_word(context.correlation_id)}\r\n"
            f"{trace.TRACEPARENT}: {_word(trace.format_traceparent(context.trace_id))}\r\n"
            f"content-length: {length}\r\n"
        )
        if context.causation_id:
            lines += f"{trace.CAUSATION}: {_word(context.causation_id)}\r\n"
        if context.channel_assertion:
            lines += f"{trace.ASSERTION}: {_word(context.channel_assertion)}\r\n"
        if key is not None:
            lines += f"{trace.IDEMPOTENCY}: {_word(key)}\r\n"
        return start + lines.encode("ascii")

    def _decode(self, operation: Operation[Req, Rep], status: int, payload: bytes) -> Rep:
        if status != 200:
            try:
                body = msgspec.json.decode(payload, type=ErrorBody)
            except msgspec.DecodeError as error:
                raise _unreadable(operation)(
                    f"{self.contract.name} answered {status} without an error body.",
                    reason="contract_broken",
                ) from error
            raise from_body(body, status)
        decoder = self._decoders.get(operation.name)
        if decoder is None:
            kind: Any = operation.reply
            decoder = self._decoders[operation.name] = msgspec.json.Decoder(kind)
        try:
            return decoder.decode(payload)
        except msgspec.DecodeError as error:
            raise _unreadable(operation)(
                f"{self.contract.name}.{operation.name} answered what {self.contract} does not "
                f"allow: {error}",
                reason="contract_broken",
            ) from error


def _unreadable(operation: Operation[Any, Any]) -> type[ServiceError]:
    """What an answer that makes no sense means: a write may well have been done."""
    return OutcomeUnknown if operation.effect == "write" else Internal


def _word(value: str) -> str:
    if _WORD.fullmatch(value) is None:
        raise InvalidArgument(
            f"{value[:80]!r} cannot be sent as a header: it is not one word of printable ASCII.",
            reason="invalid_header",
        )
    return value


class Remote(Generic[Req, Rep]):
    """A client method made from an operation."""

    def __init__(self, operation: Operation[Req, Rep]) -> None:
        self.operation = operation
        self.__doc__ = operation.summary

    @overload
    def __get__(self, client: None, owner: type[Client]) -> Self: ...
    @overload
    def __get__(self, client: Client, owner: type[Client]) -> Bound[Req, Rep]: ...
    def __get__(self, client: Client | None, owner: type[Client]) -> Self | Bound[Req, Rep]:
        return self if client is None else Bound(client, self.operation)


class Bound(Generic[Req, Rep]):
    """An operation of one client, ready to be awaited."""

    __slots__ = ("_client", "_operation")

    def __init__(self, client: Client, operation: Operation[Req, Rep]) -> None:
        self._client = client
        self._operation = operation

    def __call__(
        self, request: Req, *, timeout_s: float | None = None, key: str | None = None
    ) -> Coroutine[Any, Any, Rep]:
        """Call the operation; see `Client.call`."""
        return self._client.call(self._operation, request, timeout_s=timeout_s, key=key)


class Streamed(Generic[Req, Rep]):
    """A client method made from a streaming operation."""

    def __init__(self, operation: Operation[Req, Rep]) -> None:
        self.operation = operation
        self.__doc__ = operation.summary

    @overload
    def __get__(self, client: None, owner: type[Client]) -> Self: ...
    @overload
    def __get__(
        self, client: Client, owner: type[Client]
    ) -> Callable[[Req], AsyncGenerator[Rep]]: ...
    def __get__(
        self, client: Client | None, owner: type[Client]
    ) -> Self | Callable[[Req], AsyncGenerator[Rep]]:
        return self if client is None else partial(client.follow, self.operation)


def streamed(operation: Operation[Req, Rep]) -> Streamed[Req, Rep]:
    """Make a streaming operation a method of a client class."""
    return Streamed(operation)


def remote(operation: Operation[Req, Rep]) -> Remote[Req, Rep]:
    """Make an operation a method of a client class."""
    return Remote(operation)


class AnyClient(Client):
    """What every part answers: `meta` and `health`."""

    contract = Contract("any", "1.0")

    def __init__(
        self, contract_name: str, address: Address, secret: Secret, *, requester: str | None = None
    ) -> None:
        self.contract = Contract(contract_name, "1.0")  # type: ignore[misc]
        super().__init__(address, secret, requester=requester)

    meta = remote(META)
    health = remote(HEALTH)

"""Call a contract: context, deadline, typed errors, retries of reads only, `outcome_unknown`."""

from __future__ import annotations

import asyncio
import secrets
import time
from datetime import UTC, datetime
from typing import Any, ClassVar, Generic, Self, overload

import msgspec

from kit import trace
from kit.address import Address, dial
from kit.auth import Secret
from kit.connection import Connection
from kit.contract import HEALTH, META, Contract, Operation, Rep, Req, Reply, Request
from kit.errors import (
    DeadlineExceeded,
    ErrorBody,
    Internal,
    OutcomeUnknown,
    ServiceError,
    Unavailable,
    from_body,
)
from kit.trace import Call, ExternalCall

_PAUSES_S = (0.05, 0.2)
"""Before the second and the third try of a read."""
_IDLE_S = 30.0
"""A kept connection older than this is not used again; the server keeps them longer."""
_KEPT = 8
"""Idle connections kept per client."""


class Client:
    """Calls one part; a subclass names the contract and its operations."""

    contract: ClassVar[Contract]

    def __init__(self, address: Address, secret: Secret, *, requester: str | None = None) -> None:
        self.address = address
        self._requester = requester or f"service:{secret.principal}"
        self._idle: list[tuple[float, Connection]] = []
        self._decoders: dict[str, msgspec.json.Decoder[Any]] = {}
        host = f"{address.host}:{address.port}" if address.host else self.contract.name
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
        self, operation: Operation[Req, Rep], request: Req, *, timeout_s: float | None = None
    ) -> Rep:
        """Send a request in the context of this task and return the reply.

        Raises:
            ServiceError: What the part answered, or `Unavailable`, `DeadlineExceeded` or
                `OutcomeUnknown` when it did not answer.
        """
        context = trace.current_call() or trace.originate(self._requester)
        started, before = datetime.now(UTC), time.perf_counter()
        reply: Rep | None = None
        code: str | None = None
        try:
            reply = await self._attempt(operation, request, context, timeout_s)
        except ServiceError as error:
            code = error.code
            raise
        except asyncio.CancelledError:
            code = "cancelled"
            raise
        else:
            return reply
        finally:
            recorder = trace.current_recorder()
            if recorder is not None:
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
                    )
                )

    async def _attempt(
        self,
        operation: Operation[Req, Rep],
        request: Req,
        context: Call,
        timeout_s: float | None,
    ) -> Rep:
        deadline = time.monotonic() + (timeout_s or operation.timeout_s)
        if context.deadline is not None:
            deadline = min(deadline, context.deadline)
        body = msgspec.json.encode(request)
        pauses = iter(_PAUSES_S if operation.effect == "read" else ())
        key = secrets.token_hex(12) if operation.effect == "write" else None
        while True:
            try:
                status, payload = await self._exchange(operation, body, context, deadline, key)
                break
            except Unavailable:
                pause = next(pauses, None)
                if pause is None or time.monotonic() + pause >= deadline:
                    raise
                await asyncio.sleep(pause)
        return self._decode(operation, status, payload)

    async def _exchange(
        self,
        operation: Operation[Any, Any],
        body: bytes,
        context: Call,
        deadline: float,
        key: str | None,
    ) -> tuple[int, bytes]:
        """One try: `Unavailable` if it surely did not take effect, else `OutcomeUnknown`."""
        remaining = deadline - time.monotonic()
        if remaining <= 0:
            raise DeadlineExceeded
        where = f"{self.contract.name}.{operation.name}"
        connection: Connection | None = None
        try:
            async with asyncio.timeout(remaining):
                connection = await self._connect()
                head = self._head(operation, len(body), context, remaining, key)
                status, payload = await connection.exchange(head + body)
        except TimeoutError as error:
            self._drop(connection)
            if connection is None or operation.effect == "read":
                raise DeadlineExceeded(f"{where} did not answer in time.") from error
            raise OutcomeUnknown(f"{where} did not answer in time.", reason="timeout") from error
        except OSError as error:
            self._drop(connection)
            if connection is None or operation.effect == "read":
                raise Unavailable(
                    f"{self.contract.name} cannot be reached at {self.address}.",
                    reason="unreachable",
                ) from error
            raise OutcomeUnknown(f"{where} broke off.", reason="connection_lost") from error
        except asyncio.CancelledError:
            self._drop(connection)
            raise
        if connection.reusable and len(self._idle) < _KEPT:
            self._idle.append((time.monotonic(), connection))
        else:
            connection.close()
        return status, payload

    async def _connect(self) -> Connection:
        now = time.monotonic()
        while self._idle:
            kept_at, connection = self._idle.pop()
            if connection.reusable and now - kept_at < _IDLE_S:
                return connection
            connection.close()
        return await dial(Connection, self.address)

    def _drop(self, connection: Connection | None) -> None:
        if connection is not None:
            connection.close()

    def _head(
        self,
        operation: Operation[Any, Any],
        length: int,
        context: Call,
        remaining: float,
        key: str | None,
    ) -> bytes:
        lines = [
            f"{trace.REQUESTER}: {context.requester}",
            f"{trace.CORRELATION}: {context.correlation_id}",
            f"{trace.DEADLINE}: {max(1, int(remaining * 1000))}",
            f"{trace.TRACEPARENT}: {trace.format_traceparent(context.trace_id)}",
            f"content-length: {length}",
        ]
        if context.causation_id:
            lines.append(f"{trace.CAUSATION}: {context.causation_id}")
        if context.channel_assertion:
            lines.append(f"{trace.ASSERTION}: {context.channel_assertion}")
        if key is not None:
            lines.append(f"{trace.IDEMPOTENCY}: {key}")
        start = f"POST /v1/{operation.name} HTTP/1.1\r\n".encode()
        return start + self._fixed + "\r\n".join(lines).encode() + b"\r\n\r\n"

    def _decode(self, operation: Operation[Req, Rep], status: int, payload: bytes) -> Rep:
        if status != 200:
            try:
                body = msgspec.json.decode(payload, type=ErrorBody)
            except msgspec.DecodeError as error:
                raise Internal(
                    f"{self.contract.name} answered {status} without an error body."
                ) from error
            raise from_body(body, status)
        decoder = self._decoders.get(operation.name)
        if decoder is None:
            kind: Any = operation.reply
            decoder = self._decoders[operation.name] = msgspec.json.Decoder(kind)
        try:
            return decoder.decode(payload)
        except msgspec.DecodeError as error:
            raise Internal(
                f"{self.contract.name}.{operation.name} answered what {self.contract} does not "
                f"allow: {error}",
                reason="contract_broken",
            ) from error


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

    async def __call__(self, request: Req, *, timeout_s: float | None = None) -> Rep:
        return await self._client.call(self._operation, request, timeout_s=timeout_s)


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

"""Who calls, for whom, until when, and may they: decided from the headers, before the body."""

from __future__ import annotations

import re
import time
import unicodedata
from functools import lru_cache
from typing import Any

from kit import trace
from kit.auth import Grants, Principal
from kit.clock import Clock
from kit.contract import Contract, Operation
from kit.errors import (
    DeadlineExceeded,
    FailedPrecondition,
    InvalidArgument,
    PermissionDenied,
)
from kit.trace import Call

Headers = dict[bytes, bytes]
_WORD = re.compile(rb"[\x21-\x7e]{1,200}")
_LONG_WORD = re.compile(rb"[\x21-\x7e]{1,4000}")
_MILLISECONDS = re.compile(rb"[0-9]{1,12}")
_KIND_OF_REQUESTER = re.compile(r"(?:user|agent|service):(?=.)")
_LONGEST_REQUESTER = 110
_LONGEST_DEADLINE_S = 3600.0
_AUTHORIZATION = b"authorization"
_REQUESTER = trace.REQUESTER.encode()
_CORRELATION = trace.CORRELATION.encode()
_CAUSATION = trace.CAUSATION.encode()
_DEADLINE = trace.DEADLINE.encode()
_CONTRACT = trace.CONTRACT.encode()
_ASSERTION = trace.ASSERTION.encode()
_IDEMPOTENCY = trace.IDEMPOTENCY.encode()
_TRACEPARENT = trace.TRACEPARENT.encode()
LAST_EVENT = trace.LAST_EVENT.encode()
_ONCE = frozenset(
    {
        _AUTHORIZATION,
        _REQUESTER,
        _CORRELATION,
        _CAUSATION,
        _DEADLINE,
        _CONTRACT,
        _ASSERTION,
        _IDEMPOTENCY,
        _TRACEPARENT,
        LAST_EVENT,
    }
)


def headers_of(sent: list[tuple[bytes, bytes]]) -> Headers:
    """The headers by name.

    Raises:
        InvalidArgument: One that decides something was sent twice.
    """
    headers = dict(sent)
    if len(headers) != len(sent):
        names = [name for name, _ in sent]
        for name in _ONCE:
            if names.count(name) > 1:
                raise InvalidArgument(
                    f"`{name.decode()}` was sent twice.",
                    reason="duplicate_header",
                    field=name.decode(),
                )
    return headers


class Gate:
    """Admits calls to the operations of one contract."""

    def __init__(self, contract: Contract, grants: Grants, clock: Clock) -> None:
        self._contract = contract
        self._spoken_here = str(contract).encode()
        self._grants = grants
        self._clock = clock

    def identify(self, headers: Headers) -> Principal:
        """The program that calls.

        Raises:
            Unauthenticated: It shows no credential that is known here.
        """
        sent = headers.get(_AUTHORIZATION)
        return self._grants.authenticate(None if sent is None else sent.decode("latin-1"))

    def correlation_of(self, headers: Headers) -> str:
        """The caller's correlation id, or a new one.

        Raises:
            InvalidArgument: It is malformed.
        """
        return _word(headers, _CORRELATION) or trace.new_correlation_id()

    def admit(
        self,
        operation: Operation[Any, Any],
        headers: Headers,
        principal: Principal,
        correlation_id: str,
    ) -> Call:
        """The context in which the operation may now be done.

        Raises:
            ServiceError: The caller may not, speaks another contract, is too late, or sent a
                header that cannot be read.
        """
        if operation.scope is not None:
            self._agree_on_contract(headers)
        requester = _requester(headers.get(_REQUESTER), principal)
        word = _word(headers, _ASSERTION, _LONG_WORD)
        allowed = operation.scope is None or operation.scope in principal.scopes
        verified = None
        if operation.asserted and word:
            verified, channel = self._grants.verify_assertion(word, self._clock.now())
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
        return Call(
            requester=requester,
            correlation_id=correlation_id,
            causation_id=_word(headers, _CAUSATION) or "",
            trace_id=_trace_id(headers) or trace.new_trace_id(),
            deadline=_deadline(headers.get(_DEADLINE), operation.timeout_s),
            principal=principal.name,
            channel_assertion=word,
            assertion=verified,
            idempotency_key=_word(headers, _IDEMPOTENCY),
        )

    def _agree_on_contract(self, headers: Headers) -> None:
        if headers.get(_CONTRACT) == self._spoken_here:
            return
        spoken = _word(headers, _CONTRACT)
        if spoken is None:
            return
        name, _, version = spoken.partition("/")
        if name != self._contract.name or version.partition(".")[0] != self._contract.major:
            raise FailedPrecondition(
                f"The caller speaks {spoken}, this is {self._contract}; update the older of the"
                " two.",
                reason="contract_mismatch",
                field=trace.CONTRACT,
            )


def _word(headers: Headers, name: bytes, shape: re.Pattern[bytes] = _WORD) -> str | None:
    value = headers.get(name)
    if value is None:
        return None
    if shape.fullmatch(value) is None:
        header = name.decode()
        raise InvalidArgument(f"`{header}` is one word of printable ASCII.", field=header)
    return value.decode("ascii")


def _trace_id(headers: Headers) -> str:
    return trace.parse_traceparent(headers.get(_TRACEPARENT, b"").decode("latin-1"))


def _deadline(milliseconds: bytes | None, default_s: float) -> float:
    if milliseconds is None:
        return time.monotonic() + default_s
    if _MILLISECONDS.fullmatch(milliseconds) is None:
        raise InvalidArgument(
            "The deadline is a whole number of milliseconds from now.", field=trace.DEADLINE
        )
    remaining = int(milliseconds) / 1000
    if remaining <= 0:
        raise DeadlineExceeded
    return time.monotonic() + min(remaining, _LONGEST_DEADLINE_S)


@lru_cache(maxsize=1024)
def _requester(sent: bytes | None, principal: Principal) -> str:
    """For whom the program speaks; asked once for each pair, as long as its grant stands."""
    if sent is None:
        exact = [name for name in principal.speaks_for if not name.endswith("*")]
        if len(exact) != 1:
            raise InvalidArgument(
                f"Say for whom: send `{trace.REQUESTER}`.",
                reason="requester_missing",
                field=trace.REQUESTER,
            )
        return exact[0]
    named = trace.requester_from_wire(sent)
    if named is not None and not named.isascii():
        named = unicodedata.normalize("NFC", named)
    if (
        named is None
        or len(named) > _LONGEST_REQUESTER
        or _KIND_OF_REQUESTER.match(named) is None
        or " " in named
        or not named.isprintable()
    ):
        raise InvalidArgument(
            "A requester is user:<name>, agent:<id> or service:<name>.", field=trace.REQUESTER
        )
    if not principal.may_speak_for(named):
        raise PermissionDenied(
            f"{principal.name} may not speak for {named}.", reason="requester_foreign"
        )
    return named

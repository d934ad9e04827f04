"""Who asks, why, until when: the context every call carries, and the record of calls made.

The header names are the wire form of section 13 of the architecture; `traceparent` is W3C's.
"""

from __future__ import annotations

import random
import re
import secrets
import time
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol
from urllib.parse import quote, unquote_to_bytes

if TYPE_CHECKING:
    from kit.assertion import Assertion

REQUESTER = "x-requester"
CORRELATION = "x-correlation-id"
CAUSATION = "x-causation-id"
DEADLINE = "x-deadline-ms"
CONTRACT = "x-contract"
ASSERTION = "x-channel-assertion"
IDEMPOTENCY = "idempotency-key"
TRACEPARENT = "traceparent"
LAST_EVENT = "last-event-id"
_TRACEPARENT = re.compile(r"[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")


@dataclass(frozen=True, slots=True)
class Call:
    """The context of one call, the same from the first part to the last."""

    requester: str
    """On whose behalf: `user:<name>`, `agent:<id>` or `service:<name>`."""
    correlation_id: str
    """One for everything that follows from one cause outside."""
    causation_id: str = ""
    """The turn, confirmation or event this call follows from."""
    trace_id: str = ""
    """W3C trace id, 32 hexadecimal digits."""
    deadline: float | None = None
    """On the monotonic clock of this process, in seconds; None means none."""
    principal: str = ""
    """The program that presented the credential, as the server saw it."""
    channel_assertion: str | None = None
    """What the person's channel minted for this turn, passed on unread."""
    assertion: Assertion | None = None
    """The same, verified; set by the server of an operation that asks for it."""
    idempotency_key: str | None = None

    def remaining_s(self) -> float | None:
        """Seconds until the deadline; None means there is none."""
        return None if self.deadline is None else self.deadline - time.monotonic()

    def because(self, causation_id: str) -> Call:
        """The same context for calls that follow from `causation_id`."""
        return replace(self, causation_id=causation_id)


@dataclass(frozen=True, slots=True)
class ExternalCall:
    """One call to another part, as the caller saw it."""

    service: str
    operation: str
    contract_version: str
    correlation_id: str
    causation_id: str
    started_at: datetime
    duration_ms: float
    error_code: str | None
    request: object
    reply: object
    error_reason: str | None = None
    """The fine name below the code: what failed may lie behind the part that was called."""


class Recorder(Protocol):
    """Takes note of external calls."""

    def record(self, call: ExternalCall) -> None:
        """Note one finished call."""
        ...


_call: ContextVar[Call | None] = ContextVar("call", default=None)
_recorder: ContextVar[Recorder | None] = ContextVar("recorder", default=None)
_unreached: ContextVar[set[str] | None] = ContextVar("unreached", default=None)


def current_call() -> Call | None:
    """The context this task works in."""
    return _call.get()


def current_recorder() -> Recorder | None:
    """Who notes external calls of this task."""
    return _recorder.get()


def current_unreached() -> set[str] | None:
    """The parts this piece of work has found unreachable; None when nobody keeps count."""
    return _unreached.get()


@contextmanager
def impatient() -> Generator[set[str]]:
    """Inside the block, a part that could not be reached is tried once more, not waited for.

    The set it hands out holds the parts that could not be reached last.
    """
    token = _unreached.set(found := set[str]())
    try:
        yield found
    finally:
        _unreached.reset(token)


@contextmanager
def working_for(call: Call, recorder: Recorder | None = None) -> Generator[Call]:
    """Make outgoing calls inside the block carry this context."""
    call_token = _call.set(call)
    recorder_token = _recorder.set(recorder) if recorder is not None else None
    try:
        yield call
    finally:
        _call.reset(call_token)
        if recorder_token is not None:
            _recorder.reset(recorder_token)


def enter(call: Call) -> None:
    """Make the rest of this task work in the context of `call`."""
    _call.set(call)


def new_correlation_id() -> str:
    """A fresh correlation id."""
    return f"cor_{secrets.token_hex(10)}"


def new_trace_id() -> str:
    """A fresh W3C trace id."""
    return secrets.token_hex(16)


@lru_cache(maxsize=256)
def requester_to_wire(requester: str) -> str:
    """A requester as a header value: UTF-8, with all but printable ASCII percent-encoded."""
    return quote(requester, safe="!#$&'()*+,/:;<=>?@[]^`{|}")


def requester_from_wire(value: bytes) -> str | None:
    """The requester in a header value, which may also be plain UTF-8; None if it is neither."""
    try:
        return unquote_to_bytes(value).decode("utf-8") if b"%" in value else value.decode("utf-8")
    except UnicodeDecodeError:
        return None


def parse_traceparent(value: str) -> str:
    """The trace id inside a `traceparent` header; empty when it is not a valid one."""
    match = _TRACEPARENT.match(value)
    return match[1] if match else ""


def format_traceparent(trace_id: str) -> str:
    """A `traceparent` header for a new span of this trace."""
    span_id = random.getrandbits(64)
    return f"00-{trace_id}-{span_id:016x}-01"


def originate(requester: str, *, timeout_s: float | None = None, causation_id: str = "") -> Call:
    """A context for a call that nothing else caused."""
    return Call(
        requester=requester,
        correlation_id=new_correlation_id(),
        causation_id=causation_id,
        trace_id=new_trace_id(),
        deadline=None if timeout_s is None else time.monotonic() + timeout_s,
    )

"""What every door of a part does: know its caller and host, refuse in one form, answer in JSON."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from kit.admission import Gate, Headers
from kit.auth import Principal
from kit.body import drop_body
from kit.errors import PermissionDenied, ServiceError

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

_JSON = (b"content-type", b"application/json")
_CLOSE = (b"connection", b"close")
_LOOPBACK = re.compile(rb"(?:127\.0\.0\.1|localhost|\[::1\])(?::[0-9]{1,5})?")

READING = "kit.reading"
"""Where a scope holds the task that a caller who goes away no longer needs."""

RECOGNISE = "kit.recognise"
"""Where a scope holds whom to tell that its caller has shown a credential that is known here."""


class Door:
    """Something that answers at one path."""

    methods: tuple[str, ...] = ("GET", "HEAD")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request (the protocol of ASGI)."""
        raise NotImplementedError


def identify(scope: Scope, headers: Headers, gate: Gate) -> Principal:
    """The program that calls; its connection is one of the known from now on."""
    principal = gate.identify(headers)
    recognise(scope)
    return principal


def recognise(scope: Scope) -> None:
    """Count the connection among those whose caller is known here."""
    tell = scope.get(RECOGNISE)
    if tell is not None:
        tell()


def loopback_host(scope: Scope) -> str:
    """The host that a request names, with its port.

    A page elsewhere may point its own name at this machine, and would be let in otherwise.

    Raises:
        PermissionDenied: It names none, several, or one that is not this machine's loopback.
    """
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    if len(hosts) != 1 or _LOOPBACK.fullmatch(hosts[0]) is None:
        raise PermissionDenied(
            "This listener answers at 127.0.0.1 and localhost alone.", reason="host_foreign"
        )
    return hosts[0].decode()


async def turn_away(error: ServiceError, correlation_id: str, receive: Receive, send: Send) -> None:
    """Refuse a caller that has shown no credential known here, and close its connection."""
    await drop_body(receive)
    await send_json(send, error.http_status, body_of(error, correlation_id), _CLOSE)


def body_of(error: ServiceError, correlation_id: str) -> bytes:
    """The one form of a refusal."""
    return msgspec.json.encode(error.body(correlation_id))


async def send_json(send: Send, status: int, body: bytes, *extra: tuple[bytes, bytes]) -> None:
    """Answer whole."""
    headers = [_JSON, (b"content-length", b"%d" % len(body)), *extra]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})

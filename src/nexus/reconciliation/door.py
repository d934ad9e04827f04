"""The way in: loopback names only, the token in the path, CORS, bounds, one error body."""

from __future__ import annotations

import asyncio
import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec
import structlog

from kit import trace
from kit.body import drop_body, read_body
from kit.contract import LARGEST_BODY
from kit.door import READING, loopback_host, recognise
from kit.errors import (
    DeadlineExceeded,
    Internal,
    NotFound,
    ServiceError,
    Unavailable,
)
from nexus.contract import Language
from nexus.reconciliation.credential import VERSIONS, path_of
from nexus.reconciliation.form import parameters_of
from nexus.reconciliation.routes import Answer, Asked, Routes

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

_log = structlog.get_logger()
_TIMEOUT_S = 30.0
_REQUESTER = "service:reconcile"
_LANGUAGE = re.compile(r"\s*(ru|en)(?:-[\w-]*)?\s*(?:;\s*q=([01](?:\.[0-9]{0,3})?))?\s*", re.I)
_ON_EVERYTHING = [
    (b"access-control-allow-origin", b"*"),
    (b"cache-control", b"no-store"),
    (b"referrer-policy", b"no-referrer"),
    (b"vary", b"accept-language"),
    (b"x-content-type-options", b"nosniff"),
]
_ON_PREFLIGHT = [
    (b"access-control-allow-methods", b"GET, HEAD, POST, OPTIONS"),
    (b"access-control-allow-headers", b"accept-language, content-type"),
    (b"access-control-max-age", b"600"),
]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a request that may come in goes."""

    version: str
    base: str
    path: str


class ReconciliationDoor:
    """The ASGI application of the listener."""

    def __init__(self, routes: Routes, token: str) -> None:
        self._routes = routes
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request (the protocol of ASGI)."""
        correlation_id = trace.new_correlation_id()
        try:
            place = self._admit(scope)
        except ServiceError as error:
            await drop_body(receive)
            refusal = _refusal(error, correlation_id)
            await _send(send, replace(refusal, headers=[(b"connection", b"close")]))
            return
        recognise(scope)
        scope[READING] = asyncio.current_task()
        try:
            answer = await self._answer(scope, receive, place)
        except ServiceError as error:
            answer = _refusal(error, correlation_id)
        except asyncio.CancelledError:
            answer = _refusal(Unavailable("Nexus stops.", reason="stopping"), correlation_id)
        except Exception:  # noqa: BLE001 - the outermost handler of this request
            _log.exception("reconciliation_failed", path=place.path, correlation_id=correlation_id)
            answer = _refusal(Internal(), correlation_id)
        finally:
            del scope[READING]
        await _send(send, answer)

    def _admit(self, scope: Scope) -> _Place:
        """Where the request goes.

        Raises:
            PermissionDenied: It names a host that is not this machine's loopback.
            NotFound: The token is not in its path, or no version of the protocol is there.
        """
        host = loopback_host(scope)
        root, _, rest = scope["path"].removeprefix("/").partition("/")
        token, _, rest = rest.partition("/")
        version, _, path = rest.partition("/")
        is_known = hmac.compare_digest(token.encode(errors="replace"), self._token)
        if root != "reconcile" or not is_known or version not in VERSIONS:
            raise NotFound("There is nothing here.", reason="no_such_path")
        base = f"http://{host}{path_of(self._token.decode(), version)}"
        return _Place(version, base, f"/{path}")

    async def _answer(self, scope: Scope, receive: Receive, place: _Place) -> Answer:
        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        if method == "OPTIONS":
            return Answer(204, b"", "", _ON_PREFLIGHT)
        handlers = self._routes.at(place.path)
        if method not in handlers:
            allow = ", ".join(handlers).encode()
            error = NotFound(
                "This is not offered here.",
                reason="no_such_path",
                status=405 if handlers else 404,
            )
            refusal = _refusal(error, trace.new_correlation_id())
            return replace(refusal, headers=[(b"allow", allow)] if handlers else [])
        headers = dict(scope["headers"])
        body = await read_body(headers.get(b"content-length"), receive, LARGEST_BODY)
        call = trace.originate(_REQUESTER, timeout_s=_TIMEOUT_S)
        trace.enter(call)
        asked = Asked(
            version=place.version,
            base=place.base,
            parameters=parameters_of(scope["query_string"]),
            body=body,
            language=_preferred(headers.get(b"accept-language", b"").decode("latin-1")),
            call=call,
        )
        try:
            async with asyncio.timeout(_TIMEOUT_S):
                answer = await handlers[method](asked)
        except TimeoutError as error:
            raise DeadlineExceeded from error
        spoken = asked.language or "en, ru"
        return replace(answer, headers=[*answer.headers, (b"content-language", spoken.encode())])


def _preferred(accepted: str) -> Language | None:
    """The language of the two that an `Accept-Language` header likes best."""
    weights: dict[Language, float] = {}
    for each in accepted[:500].split(","):
        match = _LANGUAGE.fullmatch(each)
        if match is not None:
            language: Language = "ru" if match[1].lower() == "ru" else "en"
            weights[language] = max(weights.get(language, 0.0), float(match[2] or 1))
    best = max(weights, key=lambda language: weights[language], default=None)
    return best if best and weights[best] > 0 else None


def _refusal(error: ServiceError, correlation_id: str) -> Answer:
    body = msgspec.json.encode(error.body(correlation_id))
    return Answer(error.http_status, body, "application/json")


async def _send(send: Send, answer: Answer) -> None:
    headers: Iterable[tuple[bytes, bytes]] = [
        *([(b"content-type", answer.kind.encode())] if answer.kind else []),
        (b"content-length", b"%d" % len(answer.body)),
        *_ON_EVERYTHING,
        *answer.headers,
    ]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body})

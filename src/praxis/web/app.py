"""Put the pages together: routes, failures said plainly, the door before all of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from kit.auth import Secret
from kit.clock import Clock, SystemClock
from kit.errors import (
    DeadlineExceeded,
    Internal,
    InvalidArgument,
    NotFound,
    PermissionDenied,
    ServiceError,
    Unauthenticated,
    Unavailable,
)
from praxis.client import PraxisClient
from praxis.web.deciding import Deciding
from praxis.web.door import WebDoor
from praxis.web.events import HEARTBEAT_S, Events
from praxis.web.live import Live
from praxis.web.pages import Pages
from praxis.web.reading import Reading, visit_of
from praxis.web.session import Keys

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp

_log = structlog.get_logger()
_NOTHING_KNOWN = (Unavailable, DeadlineExceeded, Unauthenticated)


@dataclass(frozen=True, slots=True)
class Web:
    """The pages, ready to be served."""

    app: ASGIApp
    live: Live
    keys: Keys


def open_web(
    praxis: PraxisClient,
    secret: Secret,
    clock: Clock | None = None,
    *,
    heartbeat_s: float = HEARTBEAT_S,
) -> Web:
    """Compose the pages; templates and files are read here, once."""
    clock = clock or SystemClock()
    pages, keys, live = Pages(clock), Keys(secret, clock), Live(praxis)
    reading = Reading(praxis, pages)
    deciding = Deciding(praxis, reading, clock)

    async def file(request: Request) -> Response:
        found = pages.files.get(request.path_params["name"])
        if found is None:
            return PlainTextResponse("There is no such file.\n", 404)
        is_pinned = request.query_params.get("v") == found.version
        lasts = "private, max-age=31536000, immutable" if is_pinned else "no-cache"
        headers = {"cache-control": lasts}
        return Response(found.content, headers=headers, media_type=found.kind)

    async def fail(request: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException):
            error = NotFound(error.detail, status=error.status_code)
        if "praxis.session" not in request.scope:
            return PlainTextResponse("Something went wrong here.\n", 500)
        if isinstance(error, _NOTHING_KNOWN):
            _log.warning("praxis_unreachable", code=error.code, reason=error.reason)
            return await reading.unknown(request, None)
        if not isinstance(error, ServiceError):
            _log.error("page_failed", path=request.url.path, exc_info=error)
            error = Internal()
        page = pages.page(
            visit_of(request),
            "failed.html",
            done=None,
            kind=_kind_of(error),
            message=error.message if isinstance(error, InvalidArgument | PermissionDenied) else "",
        )
        return HTMLResponse(page, error.http_status)

    routes = [
        Route("/", reading.attention),
        Route("/items/{item_id}", reading.item),
        Route("/items/{item_id}/{verb}", deciding.decide, methods=["POST"]),
        Route("/sources", reading.sources),
        Route("/routines", reading.routines),
        Route("/rejected", reading.rejected),
        Route("/rejected/{rejected_id}/replay", deciding.replay, methods=["POST"]),
        Route("/search", reading.search),
        Route("/events", Events(live, heartbeat_s).stream),
        Route("/static/{name}", file),
    ]
    inner = Starlette(
        routes=routes,
        exception_handlers={HTTPException: fail, ServiceError: fail, Exception: fail},
    )
    return Web(WebDoor(inner, pages, keys), live, keys)


def _kind_of(error: ServiceError) -> str:
    if error.http_status in {404, 405}:
        return "missing"
    return "failed" if error.http_status >= 500 else "forbidden"

"""The way in: loopback names only, no page of another site, a cookie, and headers on everything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from kit.door import loopback_host, recognise
from kit.errors import PermissionDenied
from praxis.web.language import COOKIE as LANGUAGE_COOKIE
from praxis.web.language import language_of
from praxis.web.pages import Pages
from praxis.web.session import SESSION_LIVES_S, Keys

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
_METHODS = frozenset({"GET", "HEAD", "POST"})


class WebDoor:
    """The ASGI application that stands before the pages."""

    def __init__(self, inner: ASGIApp, pages: Pages, keys: Keys) -> None:
        self._inner = inner
        self._pages = pages
        self._keys = keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request (the protocol of ASGI)."""
        if scope["type"] != "http":
            return
        request = Request(scope, receive)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                headers.setdefault("cache-control", "no-store")
                headers.setdefault("vary", "accept-language, cookie")
            await send(message)

        answer = self._stopped(request)
        if answer is None:
            await self._inner(scope, receive, send_guarded)
        else:
            await answer(scope, receive, send_guarded)

    def _stopped(self, request: Request) -> Response | None:
        """The answer to a request that goes no further; None lets it in."""
        try:
            loopback_host(request.scope)
        except PermissionDenied:
            return PlainTextResponse("Only 127.0.0.1 and localhost are answered here.\n", 403)
        if request.method not in _METHODS:
            return PlainTextResponse("Not allowed.\n", 405, {"allow": ", ".join(sorted(_METHODS))})
        if _is_strange(request):
            return PlainTextResponse("Another site may not use these pages.\n", 403)
        if request.url.path.startswith("/static/"):
            return None
        cookie = cookie_of(request)
        link = request.query_params.get("token")
        if link is not None and request.method == "GET":
            return self._let_in(request, cookie, link)
        session = self._keys.session_of(request.cookies.get(cookie))
        if session is None:
            return self._ask_to_sign_in(request, was_used=False)
        request.scope["praxis.session"] = session
        recognise(request.scope)
        return None

    def _let_in(self, request: Request, cookie: str, link: str) -> Response:
        session = self._keys.redeem(link)
        if session is None:
            if self._keys.session_of(request.cookies.get(cookie)) is None:
                return self._ask_to_sign_in(request, was_used=True)
            return RedirectResponse("/", 303)
        # Not a redirect: where another program opened the link, browsers keep a strict cookie from
        # the requests that follow it by themselves.
        answer = HTMLResponse(self._pages.bare(language_of(request), "opened.html"))
        answer.set_cookie(
            cookie, session.cookie, SESSION_LIVES_S, path="/", httponly=True, samesite="strict"
        )
        return answer

    def _ask_to_sign_in(self, request: Request, *, was_used: bool) -> Response:
        language = language_of(request)
        page = self._pages.bare(language, "sign_in.html", was_used=was_used)
        answer = HTMLResponse(page, 401)
        keep_language(request, answer)
        return answer


def cookie_of(request: Request) -> str:
    """The name of the cookie; browsers keep one jar for all ports of a host."""
    return f"praxis_web_{request.url.port or 80}"


def keep_language(request: Request, answer: Response) -> None:
    """Remember a language that was chosen in the query."""
    if request.query_params.get("lang") == (language := language_of(request)):
        answer.set_cookie(
            LANGUAGE_COOKIE, language, 365 * 86400, path="/", httponly=True, samesite="strict"
        )


def _is_strange(request: Request) -> bool:
    """Whether a page of another site asks, other than by being followed to here."""
    site = request.headers.get("sec-fetch-site", "none")
    is_followed = request.headers.get("sec-fetch-mode") == "navigate" and request.method == "GET"
    return site not in {"none", "same-origin"} and not is_followed

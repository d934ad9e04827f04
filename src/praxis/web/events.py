"""The live updates as server-sent events, each with a sentence in the reader's language."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import TYPE_CHECKING

import msgspec
from starlette.responses import Response, StreamingResponse

from kit.visible import visible_line
from praxis.contract import Change
from praxis.web.language import language_of
from praxis.web.live import Live, News
from praxis.web.texts import TEXTS, Texts

if TYPE_CHECKING:
    from starlette.requests import Request

HEARTBEAT_S = 15.0
_SPOKEN = 2
"""Changes told one by one; more of them are only counted."""
_QUIET = frozenset({"item_surfaced", "item_mapped", "execution_reported"})
"""What is worth a refresh, and no words."""


class Events:
    """Streams the news to one browser."""

    def __init__(self, live: Live, heartbeat_s: float = HEARTBEAT_S) -> None:
        self._live = live
        self._heartbeat_s = heartbeat_s

    async def stream(self, request: Request) -> Response:
        """What happens, from where the page was made or the stream broke off."""
        named = request.headers.get("last-event-id") or request.query_params.get("after", "")
        is_number = named.isascii() and named.isdigit() and len(named) <= 18
        after = int(named) if is_number else None
        texts = TEXTS[language_of(request)]
        return StreamingResponse(
            self._told(after, texts),
            media_type="text/event-stream",
            headers={"cache-control": "no-store", "x-accel-buffering": "no"},
        )

    async def _told(self, after: int | None, texts: Texts) -> AsyncGenerator[bytes]:
        news = self._live.listen(after)
        yield b"retry: 2000\n\n"
        upcoming = asyncio.ensure_future(anext(news, None))
        try:
            while True:
                done, _ = await asyncio.wait({upcoming}, timeout=self._heartbeat_s)
                if not done:
                    yield b": still here\n\n"
                    continue
                told = upcoming.result()
                if told is None:
                    return
                yield _event(told, texts)
                upcoming = asyncio.ensure_future(anext(news, None))
        finally:
            upcoming.cancel()
            await asyncio.wait({upcoming})
            await news.aclose()


def _event(news: News, texts: Texts) -> bytes:
    data = msgspec.json.encode({"say": spoken(news.changes, texts), "count": len(news.changes)})
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (news.cursor, news.kind.encode(), data)


def spoken(changes: Sequence[Change], texts: Texts) -> str:
    """What happened, short enough to be read aloud; empty when it is not worth a word."""
    loud = [change for change in changes if change.what not in _QUIET]
    if len(loud) > _SPOKEN:
        return texts.counted(texts.changes, len(loud))
    return " ".join(_sentence(change, texts) for change in loud)


def _sentence(change: Change, texts: Texts) -> str:
    what = texts.what.get(change.what, change.what)
    about = change.details.get("title") or change.source or ""
    return f"{what}: {visible_line(about)}." if about else f"{what}."

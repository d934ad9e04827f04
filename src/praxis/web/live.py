"""Live updates: one long poll of the change feed for all browsers, told on to each of them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Literal

import structlog

from kit.errors import FailedPrecondition, ServiceError
from praxis.client import PraxisClient
from praxis.contract import Change, ListChanges

_log = structlog.get_logger()
_WAIT_S = 25.0
_PAUSES_S = (0.5, 1.0, 2.0, 5.0)
"""Between tries while Praxis does not answer; the last one again and again."""
_REMEMBERED = 500
"""Changes a browser that comes back can still be told of."""
_BEHIND = 100
"""News a browser may leave unread before it is told to look anew."""
_BROWSERS = 64
"""Pages open at once; a further one takes the place of the oldest."""


@dataclass(frozen=True, slots=True)
class News:
    """What a page is told: changes, or that it should look anew, or that Praxis is gone or back."""

    kind: Literal["changes", "reset", "down", "up"]
    cursor: int = 0
    changes: tuple[Change, ...] = ()


class Live:
    """Follows the feed and tells it on."""

    def __init__(self, praxis: PraxisClient) -> None:
        self._praxis = praxis
        self._cursor: int | None = None
        self._recent: deque[Change] = deque(maxlen=_REMEMBERED)
        self._forgotten = 0
        """The cursor up to which changes are no longer remembered here."""
        self._browsers: dict[int, asyncio.Queue[News | None]] = {}
        self._numbers = 0
        self.is_reachable = True
        """Whether Praxis answered the last time it was asked."""
        self._closing = asyncio.Event()

    def close(self) -> None:
        """Let every browser go, and follow no further."""
        self._closing.set()
        for queue in self._browsers.values():
            _put(queue, None)

    async def run(self) -> None:
        """Follow the feed until closed."""
        failures = 0
        while not self._closing.is_set():
            try:
                page = await self._next()
            except ServiceError as error:
                if isinstance(error, FailedPrecondition):  # the feed is another one than before
                    self._cursor = None
                    continue
                self._tell_reachable(is_reachable=False)
                if not failures:
                    _log.warning("praxis_unreachable", code=error.code, reason=error.reason)
                pause = _PAUSES_S[min(failures, len(_PAUSES_S) - 1)]
                failures += 1
                await self._pause(pause)
            else:
                failures = 0
                self._tell_reachable(is_reachable=True)
                if page:
                    self._tell(News("changes", page[-1].cursor, tuple(page)))

    async def listen(self, after: int | None) -> AsyncGenerator[News]:
        """What happens from now on, and first what happened after a cursor.

        Args:
            after: the newest cursor the page knows; None where it knows none.
        """
        self._numbers += 1
        number = self._numbers
        queue: asyncio.Queue[News | None] = asyncio.Queue(_BEHIND)
        self._browsers[number] = queue
        if len(self._browsers) > _BROWSERS:
            oldest = next(iter(self._browsers))
            _put(self._browsers.pop(oldest), None)
        if self._closing.is_set():
            _put(queue, None)
        try:
            yield self._caught_up(after)
            if not self.is_reachable:
                yield News("down", self._cursor or 0)
            while (news := await queue.get()) is not None:
                yield news
        finally:
            self._browsers.pop(number, None)

    def _caught_up(self, after: int | None) -> News:
        """What a page that knows the feed up to `after` has missed."""
        cursor = self._cursor
        if after is None or cursor is None or not self._forgotten <= after <= cursor:
            return News("reset", cursor or 0)
        missed = tuple(change for change in self._recent if change.cursor > after)
        return News("changes", cursor, missed)

    async def _next(self) -> list[Change]:
        """Wait for what follows; at first, only find where the feed ends."""
        if self._cursor is None:
            page = await self._praxis.list_changes(ListChanges(limit=1))
            self._cursor = self._forgotten = page.next_after
            self._recent.clear()
            self._tell(News("reset", page.next_after))
            return []
        began = asyncio.get_running_loop().time()
        wait_s = _WAIT_S if self.is_reachable else 0.0  # that it is back is news by itself
        page = await self._praxis.list_changes(ListChanges(after=self._cursor, wait_s=wait_s))
        self._tell_reachable(is_reachable=True)
        for change in page.changes:
            if len(self._recent) == _REMEMBERED:
                self._forgotten = self._recent[0].cursor
            self._recent.append(change)
        self._cursor = page.next_after
        if not page.changes and asyncio.get_running_loop().time() - began < _PAUSES_S[0]:
            await self._pause(_PAUSES_S[0])  # a Praxis that stops lets nobody wait
        return page.changes

    def _tell_reachable(self, *, is_reachable: bool) -> None:
        if is_reachable != self.is_reachable:
            self.is_reachable = is_reachable
            self._tell(News("up" if is_reachable else "down", self._cursor or 0))

    def _tell(self, news: News) -> None:
        for queue in self._browsers.values():
            _put(queue, news)

    async def _pause(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._closing.wait()
        except TimeoutError:
            return


def _put(queue: asyncio.Queue[News | None], news: News | None) -> None:
    """Add news; a reader too far behind looks anew instead."""
    if queue.full():
        while not queue.empty():
            queue.get_nowait()
        if news is not None and news.kind == "changes":
            news = News("reset", news.cursor)
    queue.put_nowait(news)

"""Hear what Maven says unasked, across its restarts, missing nothing and hearing nothing twice."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from kit.errors import DeadlineExceeded, Internal, ServiceError, Unavailable
from maven.client import MavenClient
from maven.contract import ListNotifications, Notification

WAIT_S = 25.0
"""How long one question for news waits."""
_PAUSES_S = (0.1, 0.2, 0.5, 1.0)
"""Between tries while Maven is away."""


class Listener:
    """A long poll that starts at the newest notification and keeps its place."""

    def __init__(
        self,
        client: MavenClient,
        tell: Callable[[Notification], None],
        link: Callable[[bool], None],
        after: int | None = None,
    ) -> None:
        """Hand news to `tell`, and to `link` whether Maven is there, each time that changes.

        Args:
            client: asks for the news.
            tell: takes each notification once, in order.
            link: takes False when Maven went away and True when it is there (again).
            after: cursor of the last notification already heard; None means from now on.
        """
        self.connected = asyncio.Event()
        self._client = client
        self._tell = tell
        self._link = link
        self._after = after
        self._failures = 0

    async def run(self) -> None:
        """Listen until cancelled.

        Raises:
            ServiceError: Maven refuses to tell; being away is no refusal.
        """
        while True:
            try:
                await self.hear(WAIT_S if self.connected.is_set() else 0.0)
            except (Unavailable, DeadlineExceeded, Internal):
                self._lost()
                await asyncio.sleep(_PAUSES_S[min(self._failures, len(_PAUSES_S)) - 1])

    async def hear(self, wait_s: float = 0.0) -> None:
        """Ask for news once.

        Raises:
            ServiceError: Maven cannot be asked, or refuses to tell.
        """
        began = time.monotonic()
        news = await self._client.list_notifications(
            ListNotifications(after=self._after, wait_s=wait_s)
        )
        self._found()
        for notification in news.notifications:
            if self._after is None or notification.cursor > self._after:
                self._tell(notification)
        self._after = max(news.next_after, self._after or 0)
        if wait_s and not news.notifications and time.monotonic() - began < _PAUSES_S[0]:
            await asyncio.sleep(_PAUSES_S[0])  # it is stopping, and lets nobody wait

    def _found(self) -> None:
        self._failures = 0
        if not self.connected.is_set():
            self.connected.set()
            self._link(True)

    def _lost(self) -> None:
        self._failures += 1
        if self.connected.is_set() or self._failures == 1:
            self.connected.clear()
            self._link(False)


def is_away(error: ServiceError) -> bool:
    """Whether nobody was there to hear, so that nothing can have happened."""
    return isinstance(error, Unavailable) and error.reason == "unreachable"

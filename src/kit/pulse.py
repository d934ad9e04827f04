"""Wake those who wait for news, and let them all go when the part stops."""

from __future__ import annotations

import asyncio


class Pulse:
    """A broadcast without a payload: waiters look again for themselves."""

    def __init__(self) -> None:
        self._waiters: set[asyncio.Future[None]] = set()
        self._closed = False

    @property
    def is_closed(self) -> bool:
        """Whether the part is stopping and nobody should wait any more."""
        return self._closed

    def beat(self) -> None:
        """Wake every waiter."""
        waiters, self._waiters = self._waiters, set()
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    def close(self) -> None:
        """Wake every waiter, now and from now on."""
        self._closed = True
        self.beat()

    async def wait(self, timeout_s: float) -> bool:
        """Wait for the next beat; False when the time ran out or the part is stopping."""
        if self._closed or timeout_s <= 0:
            return False
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.add(waiter)
        try:
            async with asyncio.timeout(timeout_s):
                await waiter
        except TimeoutError:
            return False
        finally:
            self._waiters.discard(waiter)
        return not self._closed

"""Run a job at an interval until told to stop; a failing job is logged and tried again later."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

_log = structlog.get_logger()
_LONGEST_BACKOFF = 32


class Ticker:
    """A background loop with a name, an interval and an orderly end."""

    def __init__(self, name: str, interval_s: float, job: Callable[[], Awaitable[None]]) -> None:
        self.name = name
        self.interval_s = interval_s
        self._job = job
        self._failures = 0
        self._stop = asyncio.Event()
        self._hurry = asyncio.Event()

    async def run(self) -> None:
        """Tick until stopped; after failures wait twice as long each time, within reason."""
        while not self._stop.is_set():
            await self.tick()
            pause = self.interval_s * min(2**self._failures, _LONGEST_BACKOFF)
            try:
                async with asyncio.timeout(pause):
                    await self._hurry.wait()
            except TimeoutError:
                continue
            self._hurry.clear()

    async def tick(self) -> None:
        """Run the job once."""
        try:
            await self._job()
        except Exception:  # noqa: BLE001 - the outermost loop of this job
            self._failures += 1
            _log.exception("ticker_failed", ticker=self.name, failures=self._failures)
        else:
            self._failures = 0

    def hurry(self) -> None:
        """Tick now instead of at the end of the interval."""
        self._hurry.set()

    def stop(self) -> None:
        """Let the current tick finish and make no other."""
        self._stop.set()
        self._hurry.set()

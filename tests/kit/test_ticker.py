"""A ticker ticks, backs off, hurries and stops."""

from __future__ import annotations

import asyncio
import time

from kit.ticker import Ticker


class Job:
    """Counts its runs, and fails when told to."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.fails = False
        self.ran = asyncio.Event()
        self.hold: asyncio.Event | None = None

    async def run(self) -> None:
        self.times.append(time.monotonic())
        self.ran.set()
        if self.hold is not None:
            await self.hold.wait()
        if self.fails:
            raise RuntimeError("as was asked")

    async def until(self, count: int) -> None:
        async with asyncio.timeout(10):
            while len(self.times) < count:
                self.ran.clear()
                await self.ran.wait()


async def test_a_job_runs_at_once_and_then_at_its_interval() -> None:
    job = Job()
    ticker = Ticker("job", 0.02, job.run)
    running = asyncio.ensure_future(ticker.run())
    await job.until(4)
    ticker.stop()
    await running

    assert job.times[3] - job.times[0] >= 0.055


async def test_after_failures_it_waits_twice_as_long_each_time_and_recovers() -> None:
    job = Job()
    job.fails = True
    ticker = Ticker("job", 0.01, job.run)
    running = asyncio.ensure_future(ticker.run())
    await job.until(4)
    job.fails = False
    await job.until(7)
    ticker.stop()
    await running
    pauses = [after - before for before, after in zip(job.times, job.times[1:], strict=False)]

    assert pauses[0] >= 0.019
    assert pauses[1] >= 0.039
    assert pauses[2] >= 0.079
    assert pauses[5] < 0.079


async def test_it_hurries_when_told_even_while_it_ticks() -> None:
    job = Job()
    job.hold = asyncio.Event()
    ticker = Ticker("job", 60, job.run)
    running = asyncio.ensure_future(ticker.run())
    await job.until(1)
    ticker.hurry()
    job.hold.set()
    await job.until(2)
    ticker.hurry()
    await job.until(3)
    ticker.stop()
    await running

    assert len(job.times) == 3


async def test_stopping_lets_the_tick_finish_and_makes_no_other() -> None:
    job = Job()
    job.hold = asyncio.Event()
    ticker = Ticker("job", 0.001, job.run)
    running = asyncio.ensure_future(ticker.run())
    await job.until(1)
    ticker.stop()
    await asyncio.sleep(0)
    still = not running.done()
    job.hold.set()
    async with asyncio.timeout(5):
        await running

    assert still
    assert len(job.times) == 1


async def test_a_ticker_stopped_before_it_began_does_nothing() -> None:
    job = Job()
    ticker = Ticker("job", 60, job.run)
    ticker.stop()
    await ticker.run()

    assert job.times == []

"""A pulse wakes whoever waits, loses no beat, and lets all go when the part stops."""

from __future__ import annotations

import asyncio

from kit.pulse import Pulse
from tests.kit.conftest import Stage
from tests.kit.sample.contract import AwaitNews, Keep


async def test_a_beat_wakes_every_waiter() -> None:
    pulse = Pulse()
    waiting = [asyncio.ensure_future(pulse.wait(30)) for _ in range(5)]
    await asyncio.sleep(0)
    pulse.beat()

    assert await asyncio.gather(*waiting) == [True] * 5


async def test_nobody_waits_longer_than_asked() -> None:
    pulse = Pulse()

    assert await pulse.wait(0.01) is False
    assert await pulse.wait(0) is False


async def test_closing_lets_all_go_now_and_from_now_on() -> None:
    pulse = Pulse()
    waiting = asyncio.ensure_future(pulse.wait(30))
    await asyncio.sleep(0)
    pulse.close()

    assert await waiting is False
    assert await pulse.wait(30) is False
    assert pulse.is_closed


async def test_a_waiter_who_gives_up_does_not_hold_up_the_others() -> None:
    pulse = Pulse()
    going, staying = (asyncio.ensure_future(pulse.wait(30)) for _ in range(2))
    await asyncio.sleep(0)
    going.cancel()
    pulse.beat()

    assert await staying is True


async def test_a_beat_between_looking_and_waiting_is_not_missed(stage: Stage) -> None:
    """Reader and writer interleave at every await: none of 200 notes may be seen a minute late."""
    seen = 0
    async with stage.client() as reader, stage.client() as writer:

        async def follow() -> None:
            nonlocal seen
            while seen < 200:
                rows = stage.sample.store.read("SELECT count(*) FROM note")
                seen = rows[0][0]
                if seen < 200:
                    assert await stage.sample.news.wait(5)

        async def write() -> None:
            for number in range(200):
                await writer.keep(Keep(text=f"{number}"))

        async with asyncio.timeout(30):
            await asyncio.gather(follow(), write(), reader.await_news(AwaitNews(wait_s=5)))

    assert seen == 200

"""Run the pages as a process: loopback only, one feed for all browsers, an orderly stop."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

from kit.address import Address, listen
from kit.doors import GRACE_S, Door
from praxis.web.app import Web

HOST = "127.0.0.1"


def address_at(port: int) -> Address:
    """Where the pages are served."""
    return Address(host=HOST, port=port)


def link_to(web_link: str, port: int) -> str:
    """What a person opens to be let in."""
    return f"http://{HOST}:{port}/?token={web_link}"


@asynccontextmanager
async def serving(web: Web, port: int) -> AsyncGenerator[int]:
    """Serve while the block runs; the port that was taken, where 0 was asked for.

    Raises:
        Unavailable: Somebody listens there already.
    """
    with listen(address_at(port)) as socket:
        door = Door(web.app)
        async with asyncio.TaskGroup() as group:
            served = group.create_task(door.serve([socket]))
            following = group.create_task(web.live.run())
            try:
                await door.ready.wait()
                yield int(socket.getsockname()[1])
            finally:
                web.live.close()
                following.cancel()
                door.finish()
                await asyncio.wait([served], timeout=GRACE_S + 2)


def run(web: Web, port: int, told: Callable[[str], None]) -> None:
    """Serve until told to stop.

    Args:
        web: the pages.
        port: where.
        told: hears the link that opens them, once they are served.

    Raises:
        Unavailable: Somebody listens there already.
    """
    asyncio.run(_run(web, port, told))


async def _run(web: Web, port: int, told: Callable[[str], None]) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with serving(web, port) as taken:
        told(link_to(web.keys.new_link(), taken))
        await stop.wait()

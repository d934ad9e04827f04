"""The command `hexis` as a process of its own, over the folder of a test."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.hexis.world import World

HEXIS = Path(sys.executable).parent / "hexis"


def environment(world: World, **more: str) -> dict[str, str]:
    """What a command of this ecosystem finds around it."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {
        **kept,
        "ECOSYSTEM_HOME": str(world.folder),
        "ECOSYSTEM_REQUESTER": "user:anna",
        "HEXIS_SUPERVISOR_SOCKET": world.settings.supervisor_socket or "",
        "PYTHONUTF8": "1",
        **more,
    }


@asynccontextmanager
async def serving(world: World) -> AsyncGenerator[asyncio.subprocess.Process]:
    """`hexis serve`, ready to answer; killed at the end if it still runs."""
    process = await asyncio.create_subprocess_exec(
        HEXIS, "serve", env=environment(world), stderr=asyncio.subprocess.PIPE
    )
    assert process.stderr is not None
    try:
        async with asyncio.timeout(20):
            heard = b""
            while b'"ready"' not in heard:
                line = await process.stderr.readline()
                assert line, heard.decode()
                heard += line
        draining = asyncio.create_task(process.stderr.read())
        yield process
        await end(process)
        await draining
    finally:
        await end(process)


async def end(process: asyncio.subprocess.Process) -> None:
    """Kill -9."""
    if process.returncode is None:
        process.send_signal(signal.SIGKILL)
        await process.wait()

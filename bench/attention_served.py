"""Serve Praxis in a folder until told to stop, once it has printed a token for it."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

import uvloop

from kit.testing import Program, grants, hosting
from praxis.app import open_part
from praxis.settings import Settings

KEEPER = Program("keeper", ["praxis.read", "praxis.observe"], ["user:*"])
_OWN = Program("praxis", [], ["service:praxis"])


async def _serve(folder: Path) -> None:
    known = grants(folder / "grants.json", "praxis", KEEPER, _OWN)
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    async with hosting(open_part(Settings(), folder, known, _OWN.secret), folder / "s"):
        print(KEEPER.secret.token_for("praxis"), flush=True)
        await stop.wait()


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(Path(sys.argv[1])))

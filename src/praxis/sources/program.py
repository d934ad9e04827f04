"""Run a program of this machine that only tells something: no shell, little time, little output."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from kit.errors import Unavailable
from praxis.sources.verdict import line

_KEPT = ("DBUS_SESSION_BUS_ADDRESS", "HOME", "LOGNAME", "PATH", "USER", "XDG_RUNTIME_DIR")
_LARGEST_COMPLAINT = 4096


@dataclass(frozen=True, slots=True)
class Output:
    """What a program that succeeded has printed."""

    text: str
    complaints: str
    """What it printed as errors, though it succeeded."""


def environment(kept: Sequence[str] = _KEPT) -> dict[str, str]:
    """What a program needs to find the services it asks, and texts and times for a machine."""
    found = {name: os.environ[name] for name in kept if name in os.environ}
    return {**found, "LC_ALL": "C.UTF-8", "TZ": "UTC"}


async def output_of(
    command: Sequence[str],
    *,
    timeout_s: float,
    largest: int = 1 << 20,
    environment: Mapping[str, str],
    folder: str | None = None,
) -> Output:
    """What the program prints; it gets no input.

    Raises:
        Unavailable: It is not there, fails, takes too long or prints too much.
    """
    program = command[0]
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=environment,
            cwd=folder,
            start_new_session=True,
        )
    except OSError as error:
        raise Unavailable(f"{program} cannot be run: {error.strerror}.") from error
    try:
        async with asyncio.timeout(timeout_s):
            text, complaints = await asyncio.gather(
                _read(process.stdout, largest), _read(process.stderr, _LARGEST_COMPLAINT)
            )
            if text is None:
                raise Unavailable(f"{program} printed more than {largest >> 10} KiB.")
            status = await process.wait()
    except TimeoutError as error:
        raise Unavailable(f"{program} did not end within {timeout_s:g} s.") from error
    finally:
        await _end(process)
    said = (complaints or b"").decode(errors="replace")
    if status != 0:
        raise Unavailable(f"{program} failed: {line(said) or f'exit status {status}'}")
    return Output(text.decode(errors="replace"), said)


async def _read(stream: asyncio.StreamReader | None, largest: int) -> bytes | None:
    """All that comes, or None where that is more than `largest`."""
    taken = bytearray()
    while stream is not None and (piece := await stream.read(65536)):
        taken += piece
        if len(taken) > largest:
            return None
    return bytes(taken)


async def _end(process: asyncio.subprocess.Process) -> None:
    """End it and what it has started, and let no zombie and no pipe remain."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, 9)
    await process.wait()

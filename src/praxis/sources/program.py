"""Run a program of this machine that only tells something: no shell, little time, little output."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from kit.errors import Unavailable
from praxis.sources.verdict import line

_KEPT = ("DBUS_SESSION_BUS_ADDRESS", "HOME", "LOGNAME", "PATH", "USER", "XDG_RUNTIME_DIR")
_LARGEST_COMPLAINT = 4096
_END_S = 1.0


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
                _read(process.stdout, largest, lambda: _kill(process)),
                _read(process.stderr, _LARGEST_COMPLAINT),
            )
            status = await process.wait()
    except TimeoutError as error:
        raise Unavailable(f"{program} did not end within {timeout_s:g} s.") from error
    finally:
        await _end(process)
    if len(text) > largest:
        raise Unavailable(f"{program} printed more than {largest >> 10} KiB.", reason="too_much")
    said = complaints.decode(errors="replace")
    if status != 0:
        raise Unavailable(f"{program} failed: {line(said) or f'exit status {status}'}")
    return Output(text.decode(errors="replace"), said)


async def _read(
    stream: asyncio.StreamReader | None, largest: int, enough: Callable[[], None] | None = None
) -> bytes:
    """The first bytes to come; where there are more than `largest`, one more than that."""
    taken = bytearray()
    while stream is not None and (piece := await stream.read(65536)):
        taken += piece[: largest + 1 - len(taken)]
        if len(taken) > largest and enough is not None:
            enough()
    return bytes(taken)


async def _end(process: asyncio.subprocess.Process) -> None:
    """End it and what it has started, and let no zombie and no pipe remain."""
    _kill(process)
    with suppress(TimeoutError):
        async with asyncio.timeout(_END_S):
            await asyncio.gather(_read(process.stdout, 0), _read(process.stderr, 0))
            await process.wait()


def _kill(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)

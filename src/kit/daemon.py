"""Run a part as a process: one instance, its doors, readiness, signals, an orderly stop."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import errno
import fcntl
import os
import resource
import signal
import socket
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from kit.address import Address, listen
from kit.doors import GRACE_S, Door, tcp_address
from kit.errors import Unavailable
from kit.local import socket_path
from kit.pulse import Pulse
from kit.server import Hosted, build_app
from kit.settings import Listening, home
from kit.ticker import Ticker

if TYPE_CHECKING:
    from starlette.types import ASGIApp

_log = structlog.get_logger()
_PR_SET_PDEATHSIG = 1
_OPEN_FILES = 8192
"""What full doors and full queues before them may need at once."""


@dataclass(kw_only=True)
class Running:
    """A composed part and what goes on beside its answers."""

    hosted: Hosted
    tickers: list[Ticker] = field(default_factory=list[Ticker])
    pulses: list[Pulse] = field(default_factory=list[Pulse])
    """Closed first when the part stops, so that nobody waits for news."""
    listeners: dict[Address, ASGIApp] = field(default_factory=dict[Address, "ASGIApp"])
    """Applications of its own at further addresses; each sees to its callers by itself."""


Opener = Callable[[], AbstractAsyncContextManager[Running]]


def run(name: str, opener: Opener, doors: Listening) -> None:
    """Serve a part until it is told to stop.

    Raises:
        Unavailable: Another instance runs already.
    """
    _allow_open_files()
    with _only_instance(name), asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(_run(name, opener, doors))


async def _run(name: str, opener: Opener, doors: Listening) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    if os.environ.get("SUPERVISOR_ENABLED"):
        _die_with_parent(stop)
    async with opener() as running:
        async with serving(running, Address(path=str(socket_path(name))), doors):
            _log.info("ready", pid=os.getpid(), instance_id=running.hosted.instance_id)
            _notify("READY=1")
            await stop.wait()
            _notify("STOPPING=1")
        _log.info("stopped")


@asynccontextmanager
async def serving(
    running: Running, address: Address, doors: Listening | None = None
) -> AsyncGenerator[None]:
    """Answer at `address`, the TCP door and further listeners while the block runs; then stop."""
    app = build_app(running.hosted)
    addresses = {address: Door(app)}
    if doors is not None and doors.tcp:
        addresses[tcp_address(doors)] = Door(app, doors)
    addresses |= {each: Door(listener) for each, listener in running.listeners.items()}
    with contextlib.ExitStack() as listening:
        sockets = [listening.enter_context(_listening(each)) for each in addresses]
        async with asyncio.TaskGroup() as group:
            served = [
                group.create_task(door.serve([socket]))
                for door, socket in zip(addresses.values(), sockets, strict=True)
            ]
            ticking = [group.create_task(ticker.run()) for ticker in running.tickers]
            try:
                for door in addresses.values():
                    await door.ready.wait()
                yield
            finally:
                await _stop(running, list(addresses.values()), served, ticking)


async def _stop(
    running: Running,
    doors: list[Door],
    served: list[asyncio.Task[None]],
    ticking: list[asyncio.Task[None]],
) -> None:
    for pulse in running.pulses:
        pulse.close()
    for ticker in running.tickers:
        ticker.stop()
    for door in doors:
        door.finish()
    await asyncio.wait([*served, *ticking], timeout=GRACE_S + 2)
    for task in ticking:
        task.cancel()


@contextlib.contextmanager
def _listening(address: Address) -> Generator[socket.socket]:
    """A listening socket that leaves no file behind."""
    door = listen(address)
    try:
        yield door
    finally:
        door.close()
        if address.path:
            Path(address.path).unlink(missing_ok=True)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    import uvloop  # only a serving process pays for it

    return uvloop.new_event_loop


@contextlib.contextmanager
def _only_instance(name: str) -> Generator[None]:
    """Hold the part's lock; the kernel lets go of it however the process ends."""
    run_dir = home() / "run"
    run_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    run_dir.chmod(0o700)
    with (run_dir / f"{name}.lock").open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.seek(0)
            raise Unavailable(
                f"{name} runs already (pid {file.read().strip() or 'unknown'}).",
                reason="second_instance",
            ) from error
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def _allow_open_files() -> None:
    """Lift the limit that many systems set at 1,024, as far as it may be lifted."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _OPEN_FILES if hard == resource.RLIM_INFINITY else min(_OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _die_with_parent(stop: asyncio.Event) -> None:
    """Ask the kernel for SIGTERM when the supervisor dies; it may have died already."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if not _supervisor_lives():
        stop.set()


def _supervisor_lives() -> bool:
    control = os.environ.get("SUPERVISOR_SERVER_URL", "")
    if not control.startswith("unix://"):
        return os.getppid() != 1
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.setblocking(False)
        refusals = (errno.ECONNREFUSED, errno.ENOENT)
        return probe.connect_ex(control.removeprefix("unix://")) not in refusals


def _notify(state: str) -> None:
    """Tell systemd, where it is the supervisor."""
    target = os.environ.get("NOTIFY_SOCKET")
    if target:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
            door.connect(f"\0{target[1:]}" if target.startswith("@") else target)
            door.sendall(state.encode())

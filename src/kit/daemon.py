"""Run a part as a process: one instance, its doors, readiness, signals, an orderly stop."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import fcntl
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import structlog
import uvicorn

from kit.address import Address, listen
from kit.errors import InvalidArgument, Unavailable
from kit.local import socket_path
from kit.pulse import Pulse
from kit.server import Hosted, build_app
from kit.settings import Listening, home
from kit.ticker import Ticker

_log = structlog.get_logger()
_PR_SET_PDEATHSIG = 1
_KEEP_ALIVE_S = 75
"""Longer than clients keep an idle connection."""
_GRACE_S = 8
"""Seconds that answers under way get when the part stops."""


@dataclass(kw_only=True)
class Running:
    """A composed part and what goes on beside its answers."""

    hosted: Hosted
    tickers: list[Ticker] = field(default_factory=list[Ticker])
    pulses: list[Pulse] = field(default_factory=list[Pulse])
    """Closed first when the part stops, so that nobody waits for news."""


Opener = Callable[[], AbstractAsyncContextManager[Running]]



def run(name: str, opener: Opener, doors: Listening) -> None:
    """Serve a part until it is told to stop.

    Raises:
        Unavailable: Another instance runs already.
    """
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
) -> AsyncIterator[None]:
    """Answer at `address` (and the TCP door, if set) while the block runs; then stop in order."""
    doors = doors or Listening()
    app = build_app(running.hosted)
    servers = [(_server(app), listen(address))]
    if doors.tcp:
        servers.append((_server(app, doors), listen(_checked(doors))))
    async with asyncio.TaskGroup() as group:
        served = [group.create_task(server.serve([door])) for server, door in servers]
        ticking = [group.create_task(ticker.run()) for ticker in running.tickers]
        try:
            while not all(server.started for server, _ in servers):
                await asyncio.sleep(0.005)
            yield
        finally:
            for pulse in running.pulses:
                pulse.close()
            for ticker in running.tickers:
                ticker.stop()
            for server, _ in servers:
                server.should_exit = True
            await asyncio.wait([*served, *ticking], timeout=_GRACE_S + 2)
            for task in ticking:
                task.cancel()
            for _, door in servers:
                door.close()
            if address.path:
                Path(address.path).unlink(missing_ok=True)


class _Server(uvicorn.Server):
    """A server that leaves signals to `_run`."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _server(app: object, doors: Listening | None = None) -> _Server:
    config = uvicorn.Config(
        app,  # pyright: ignore[reportArgumentType] - uvicorn's own protocol type is narrower
        http="httptools",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=_KEEP_ALIVE_S,
        timeout_graceful_shutdown=_GRACE_S,
        ssl_certfile=doors.tls_cert if doors else None,
        ssl_keyfile=doors.tls_key if doors else None,
    )
    return _Server(config)


def _checked(doors: Listening) -> Address:
    address = Address.parse(doors.tcp or "")
    if address.path:
        raise InvalidArgument("`tcp` is http://host:port.", field="tcp")
    if not address.is_loopback and not doors.tls_cert:
        if not doors.tcp_without_tls:
            raise InvalidArgument(
                f"{address} faces other machines without TLS; set tls_cert and tls_key, or "
                "tcp_without_tls = true to let tokens be overheard.",
                field="tcp",
            )
        _log.warning("tcp_without_tls", address=str(address), danger="tokens can be overheard")
    return address


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    import uvloop  # noqa: PLC0415 - only a serving process pays for it

    return uvloop.new_event_loop


@contextlib.contextmanager
def _only_instance(name: str) -> Iterator[None]:
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


def _die_with_parent(stop: asyncio.Event) -> None:
    """Ask the kernel for SIGTERM when the supervisor dies; it may have died already."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() == 1:
        stop.set()


def _notify(state: str) -> None:
    """Tell systemd, where it is the supervisor."""
    target = os.environ.get("NOTIFY_SOCKET")
    if target:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
            door.connect(f"\0{target[1:]}" if target.startswith("@") else target)
            door.sendall(state.encode())

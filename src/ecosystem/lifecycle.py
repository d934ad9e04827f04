"""Start every part, find what runs already, repair what was left behind, stop everything."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import signal
import time
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

from ecosystem import credentials, seed, supervision
from ecosystem.parts import BY_NAME, BY_PROGRAM, CLI, PARTS, Part
from ecosystem.settings import Settings
from ecosystem.supervision import RUNNING, Control
from kit.address import LONGEST_SOCKET_PATH
from kit.auth import write_private
from kit.client import AnyClient
from kit.contract import HealthReply, Nothing
from kit.errors import InvalidArgument, ServiceError, Unavailable
from kit.local import address_of, person, secret_of

_READY_S = 60.0
_GONE_S = 20.0
_FOLDERS = ("run", "log", "config", "credentials", *(part.name for part in PARTS))


@dataclass(frozen=True, slots=True)
class Started:
    """What `up` found and did."""

    was_running: bool
    repaired: list[str]
    """Programs left over from a dead supervisor, or started again because they had stopped."""
    reconfigured: list[str]
    """Programs started anew because a setting has changed."""
    health: dict[str, HealthReply]
    seconds: float


def up(home: Path, settings: Settings) -> Started:
    """Bring every part up and wait until each says it is healthy.

    Raises:
        Unavailable: The supervisor or a part did not start; the message says where to look.
    """
    began = time.monotonic()
    _prepare(home)
    with _alone(home):
        credentials.ensure(home)
        seed.write_capabilities(home)
        control = Control(home)
        was_running = control.pid() is not None
        configured = _configure(home, settings)
        reconfigured: list[str] = []
        if was_running:
            reconfigured = control.update() if configured else []
            repaired = _start_stopped(control)
        else:
            repaired = _clear_leftovers(home)
            supervision.start(home)
        health = asyncio.run(_until_ready(home, settings, control))
    return Started(was_running, repaired, reconfigured, health, time.monotonic() - began)


def down(home: Path) -> bool:
    """Stop every part and the supervisor; False when nothing ran.

    Raises:
        Unavailable: Something would not stop.
    """
    if not (home / "run").is_dir():
        return False
    with _alone(home):
        control = Control(home)
        pid = control.pid()
        if pid is not None:
            control.shutdown()
            _wait_until_gone(pid)
        left = _clear_leftovers(home)
        for path in (home / "run").iterdir():
            path.unlink()
    return pid is not None or bool(left)


def restart(home: Path, program: str) -> None:
    """Stop one program and start it again."""
    control = Control(home)
    control.stop(program)
    control.start(program)


async def ask_health(part: Part, *, timeout_s: float = 2.0) -> HealthReply:
    """What one part says of its own health.

    Raises:
        ServiceError: It does not answer, or refuses the credential.
    """
    async with AnyClient(
        part.name, address_of(part.name), secret_of(CLI), requester=person()
    ) as client:
        return await client.health(Nothing(), timeout_s=timeout_s)


def _prepare(home: Path) -> None:
    socket = f"{supervision.socket_of(home)}.{2**22}"
    if len(os.fsencode(socket)) > LONGEST_SOCKET_PATH:
        raise InvalidArgument(
            f"{home} is too long a path: its Unix sockets would not fit into "
            f"{LONGEST_SOCKET_PATH} bytes. Set ECOSYSTEM_HOME to a shorter one.",
            field="ECOSYSTEM_HOME",
        )
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    for folder in (home, *(home / name for name in _FOLDERS)):
        folder.mkdir(exist_ok=True, mode=0o700)
        folder.chmod(0o700)


def _configure(home: Path, settings: Settings) -> bool:
    """Write the supervisor's configuration; True when it is another one than before."""
    path = supervision.configuration_path(home)
    text = supervision.configuration(home, settings)
    if path.exists() and path.read_text("utf-8") == text:
        return False
    write_private(path, text.encode())
    return True


@contextlib.contextmanager
def _alone(home: Path) -> Generator[None]:
    """Two `up` or `down` at once take turns."""
    with (home / "config" / "lifecycle.lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _start_stopped(control: Control) -> list[str]:
    stopped = [
        process.program
        for process in control.processes()
        if process.program in BY_PROGRAM and process.state in supervision.STOPPED_STATES
    ]
    for program in stopped:
        control.start(program)
    return stopped


def _clear_leftovers(home: Path) -> list[str]:
    """Parts exit when their supervisor dies; wait for that, and end what does not."""
    holders = {part.name: pid for part in PARTS if (pid := _lock_holder(home, part)) is not None}
    deadline = time.monotonic() + _GONE_S / 2
    while any(_lock_holder(home, BY_NAME[name]) for name in holders):
        if time.monotonic() > deadline:
            for name in holders:
                pid = _lock_holder(home, BY_NAME[name])
                if pid is not None:
                    os.kill(pid, signal.SIGKILL)
            deadline = time.monotonic() + _GONE_S
        time.sleep(0.05)
    return list(holders)


def _lock_holder(home: Path, part: Part) -> int | None:
    """The process that serves a part now, by the lock it holds."""
    path = home / "run" / f"{part.name}.lock"
    try:
        with path.open("r+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return int(file.read().strip() or 0) or None
    except FileNotFoundError:
        return None
    return None


def _wait_until_gone(pid: int) -> None:
    deadline = time.monotonic() + _GONE_S
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise Unavailable(
        f"The supervisor (pid {pid}) does not stop; see its log, or end it with `kill {pid}`.",
        reason="supervisor_stuck",
    )


async def _until_ready(home: Path, settings: Settings, control: Control) -> dict[str, HealthReply]:
    async with asyncio.timeout(_READY_S):
        replies = await asyncio.gather(*(_healthy(home, part, control) for part in PARTS))
    await seed.seed(home, settings)
    return {reply.service: reply for reply in replies}


async def _healthy(home: Path, part: Part, control: Control) -> HealthReply:
    log = home / "log" / f"{part.program}.log"
    while True:
        try:
            return await ask_health(part)
        except ServiceError as error:
            process = await asyncio.to_thread(control.process, part.program)
            if process.state in {"FATAL", "EXITED"}:
                raise Unavailable(
                    f"{part.name} did not start ({process.state.lower()}); {log} says why.",
                    reason="part_failed",
                ) from error
            await asyncio.sleep(0.05 if process.state == RUNNING else 0.1)

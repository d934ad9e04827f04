"""Start every part, find what runs already, repair what was left behind, stop everything."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import signal
import time
from collections.abc import Generator, Iterable
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

_READY_S = 40.0
_SETTLED_S = 8
"""A part that has run for longer and does not answer will not begin to by itself."""
_GONE_S = 20.0
_FOLDERS = ("run", "log", "config", "credentials", *(part.name for part in PARTS))


@dataclass(frozen=True, slots=True)
class Started:
    """What `up` found and did."""

    was_running: bool
    repaired: list[str]
    """Parts left over from a dead supervisor, or started again for they did not work."""
    reconfigured: list[str]
    """Parts started anew because a setting has changed."""
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
        new_secrets = credentials.ensure(home)
        seed.write_capabilities(home)
        control = Control(home)
        was_running = control.pid() is not None
        configured = _configure(home, settings)
        reconfigured: list[str] = []
        if was_running:
            changed = control.update() if configured else []
            reconfigured = [BY_PROGRAM[each].name for each in changed if each in BY_PROGRAM]
            repaired = _start_stopped(control) + _start_anew(control, new_secrets)
        else:
            repaired = _clear_leftovers(home)
            supervision.start(home)
        health = asyncio.run(_until_ready(home, settings, control, repaired))
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
            if not _gone([pid], _GONE_S):
                raise Unavailable(
                    f"The supervisor (pid {pid}) does not stop; end it with `kill {pid}`.",
                    reason="supervisor_stuck",
                )
        left = _clear_leftovers(home)
        for path in (home / "run").iterdir():
            path.unlink()
    return pid is not None or bool(left)


def restart(home: Path, named: str) -> Part:
    """Stop one part and start it again; it may be named as a part or as its program.

    Raises:
        InvalidArgument: There is no such part.
        Unavailable: The supervisor does not answer, or could not start it.
    """
    part = BY_NAME.get(named) or BY_PROGRAM.get(named)
    if part is None:
        raise InvalidArgument(
            f"There is no part {named!r}; there are {', '.join(BY_NAME)}.", field="part"
        )
    control = Control(home)
    control.stop(part.program)
    control.start(part.program)
    return part


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
    if not str(home).isprintable():
        raise InvalidArgument(
            f"{str(home)!r} holds control characters; name another folder.", field="ECOSYSTEM_HOME"
        )
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
        BY_PROGRAM[process.program]
        for process in control.processes()
        if process.program in BY_PROGRAM and process.state in supervision.STOPPED_STATES
    ]
    for part in stopped:
        control.start(part.program)
    return [part.name for part in stopped]


def _start_anew(control: Control, programs: list[str]) -> list[str]:
    """A running part holds the secret it was started with; a new one needs a new start."""
    parts = [BY_PROGRAM[program] for program in programs if program in BY_PROGRAM]
    for part in parts:
        control.stop(part.program)
        control.start(part.program)
    return [part.name for part in parts]


def _clear_leftovers(home: Path) -> list[str]:
    """Parts exit when their supervisor dies; wait for that, and end what does not."""
    holders = {part.name: pid for part in PARTS if (pid := _lock_holder(home, part)) is not None}
    if not _gone(holders.values(), _GONE_S / 2):
        for name, pid in holders.items():
            if _lock_holder(home, BY_NAME[name]) == pid:
                os.kill(pid, signal.SIGKILL)
        _gone(holders.values(), _GONE_S)
    return list(holders)


def _gone(pids: Iterable[int], within_s: float) -> bool:
    """Whether these processes have ended in time."""
    deadline = time.monotonic() + within_s
    while any(_lives(pid) for pid in pids):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def _lives(pid: int) -> bool:
    """Whether a process runs; one that ended and was not waited for does not."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text("utf-8")
        return status.rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


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


async def _until_ready(
    home: Path, settings: Settings, control: Control, repaired: list[str]
) -> dict[str, HealthReply]:
    waiting = {part.name: _healthy(home, part, control, repaired) for part in PARTS}
    replies = await asyncio.gather(*waiting.values())
    await seed.seed(home, settings)
    return {reply.service: reply for reply in replies}


async def _healthy(home: Path, part: Part, control: Control, repaired: list[str]) -> HealthReply:
    """Its health once it has one; a part that runs and does not answer is started anew, once."""
    log = home / "log" / f"{part.program}.log"
    deadline = time.monotonic() + _READY_S
    failure: ServiceError | None = None
    while time.monotonic() < deadline:
        try:
            return await ask_health(part)
        except ServiceError as error:
            failure = error
        process = await asyncio.to_thread(control.process, part.program)
        if process.state in {"FATAL", "EXITED"}:
            raise Unavailable(
                f"{part.name} did not start ({process.state.lower()}); {log} says why.",
                reason="part_failed",
            ) from failure
        if process.has_run_s > _SETTLED_S and part.name not in repaired:
            repaired.append(part.name)
            await asyncio.to_thread(restart, home, part.name)
        await asyncio.sleep(0.05 if process.state == RUNNING else 0.1)
    raise Unavailable(
        f"{part.name} runs and does not become healthy: {failure} {log} may say why.",
        reason="part_unhealthy",
    ) from failure

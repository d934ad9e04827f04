"""Measure this machine: room on its disks, memory, load."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from kit.clock import Clock
from kit.errors import Unavailable
from praxis.contract.looks import HostLook
from praxis.domain.thresholds import Band
from praxis.sources import Reading
from praxis.sources.verdict import bad, good

_PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Room:
    """What is free on a disk, in percent of all that programs may use."""

    bytes_free: float
    files_free: float
    free: int


def room_of(path: str) -> Room:
    """What is free where something is mounted.

    Raises:
        FileNotFoundError: Nothing is mounted there.
        OSError: It cannot be read.
    """
    if not os.path.ismount(path):
        raise FileNotFoundError(path)
    shown = os.statvfs(path)
    usable = shown.f_blocks - shown.f_bfree + shown.f_bavail
    files = shown.f_files - shown.f_ffree + shown.f_favail
    return Room(
        bytes_free=100 * shown.f_bavail / usable if usable else 0.0,
        files_free=100 * shown.f_favail / files if files else 100.0,
        free=shown.f_bavail * shown.f_frsize,
    )


class HostSource:
    """This machine."""

    def __init__(
        self,
        look: HostLook,
        clock: Clock,
        *,
        proc: Path = _PROC,
        room_of: Callable[[str], Room] = room_of,
    ) -> None:
        self._look = look
        self._clock = clock
        self._proc = proc
        self._mounts = {mount: _Mount(mount, room_of) for mount in look.mounts}
        low, memory, load = look.disk_free, look.memory_available, look.load_per_core
        self._room = {
            mount: Band(low.problem_below, low.ok_from, high_is_good=True) for mount in look.mounts
        }
        self._memory = Band(memory.problem_below, memory.ok_from, high_is_good=True)
        self._load = Band(load.problem_above, load.ok_to, high_is_good=False)

    async def poll(self) -> list[Reading]:
        """Measure once; what lies between the thresholds and was never judged is not judged.

        Raises:
            Unavailable: The machine does not tell.
        """
        at = self._clock.now()
        disks = asyncio.gather(*(self._disk(mount, at) for mount in self._mounts.values()))
        readings = [reading for told in await disks for reading in told]
        available, load = await asyncio.to_thread(measure, self._proc)
        well = self._memory.judge(available)
        said = f"{available:.0f} % of memory available"
        readings += _told(at, "memory", well, said, {"available_percent": f"{available:.1f}"})
        well = self._load.judge(load)
        said = f"load of {load:.1f} per core"
        readings += _told(at, "load", well, said, {"per_core": f"{load:.2f}"})
        return readings

    def close(self) -> None:
        """Nothing is held between looks."""

    async def _disk(self, mount: _Mount, at: datetime) -> list[Reading]:
        key, path = f"disk:{mount.path}", mount.path
        try:
            room = await mount.measure(self._look.timeout_s)
        except TimeoutError:
            return [bad(at, "timeout", f"{path} does not answer", key=key, kind="host.disk")]
        except FileNotFoundError:
            said = f"nothing is mounted at {path}"
            return [bad(at, "not_mounted", said, key=key, kind="host.disk")]
        except OSError as error:
            said = f"{path} cannot be measured: {error.strerror}"
            return [bad(at, "unreadable", said, key=key, kind="host.disk")]
        scarce = "files" if room.files_free < room.bytes_free else "bytes"
        least = min(room.files_free, room.bytes_free)
        said = f"{least:.0f} % of {scarce} free on {path}"
        details = {"free_percent": f"{least:.1f}", "free_bytes": str(room.free), "of": scarce}
        return _told(at, "disk", self._room[path].judge(least), said, details, key)


class _Mount:
    """A mount point whose disk may never answer; then one thread waits for it, and no more."""

    def __init__(self, path: str, room_of: Callable[[str], Room]) -> None:
        self.path = path
        self._room_of = room_of
        self._is_asked = False

    async def measure(self, timeout_s: float) -> Room:
        """Its room.

        Raises:
            TimeoutError: It does not answer, now or since an earlier look.
            OSError: Nothing is mounted there, or it cannot be read.
        """
        if self._is_asked:
            raise TimeoutError
        self._is_asked = True
        loop = asyncio.get_running_loop()
        found: asyncio.Future[Room] = loop.create_future()
        # Not a thread of the pool: it would be missing there, and hold up the end of the process.
        threading.Thread(target=self._work, args=(loop, found), daemon=True).start()
        async with asyncio.timeout(timeout_s):
            return await found

    def _work(self, loop: asyncio.AbstractEventLoop, found: asyncio.Future[Room]) -> None:
        result: Room | OSError
        try:
            result = self._room_of(self.path)
        except OSError as error:
            result = error
        self._is_asked = False
        _answer(loop, found, result)


def _answer(
    loop: asyncio.AbstractEventLoop, found: asyncio.Future[Room], result: Room | OSError
) -> None:
    def settle() -> None:
        if found.done():
            return
        if isinstance(result, OSError):
            found.set_exception(result)
        else:
            found.set_result(result)

    if not loop.is_closed():
        loop.call_soon_threadsafe(settle)


def measure(proc: Path) -> tuple[float, float]:
    """Percent of memory available, and load of five minutes per core.

    Raises:
        Unavailable: The kernel does not tell.
    """
    try:
        rows = (row.split(":") for row in (proc / "meminfo").read_text("utf-8").splitlines())
        memory = {row[0]: int(row[1].split()[0]) for row in rows if len(row) == 2}
        load = float((proc / "loadavg").read_text("utf-8").split()[1])
        available = 100 * memory["MemAvailable"] / memory["MemTotal"]
    except (OSError, ValueError, LookupError, ZeroDivisionError) as error:
        raise Unavailable(f"{proc} does not tell of memory and load.") from error
    return available, load / (os.cpu_count() or 1)


def _told(
    at: datetime,
    what: str,
    well: bool | None,
    said: str,
    details: dict[str, str],
    key: str | None = None,
) -> list[Reading]:
    if well is None:
        return []
    key, kind = key or what, f"host.{what}"
    if well:
        return [good(at, said, details, key=key, kind=kind)]
    reason = "load_high" if what == "load" else f"{what}_scarce"
    return [bad(at, reason, said, "warning", details, key=key, kind=kind)]

"""A whole ecosystem on real processes: time to ready, memory by process, a turn through all."""

from __future__ import annotations

import asyncio
import os
import re
import statistics
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from bench.table import Row
from kit.address import Address
from kit.auth import Secret
from kit.clock import SystemClock
from kit.ids import Ids
from maven.client import MavenClient
from maven.contract import TakeTurn

ROOT = Path(__file__).parents[1]
QUESTIONS = ("is vecna healthy?", "как там векна?")
"""Each asks Nexus, Praxis and Hexis."""
TURNS = 200
ALLOWED_MS = 25.0
ALLOWED_S = 5.0
ALLOWED_MIB = 60.0
ALLOWED_RUSSIAN_MIB = 90.0
RUSSIAN = ("nexus",)
"""Where the Russian morphology is loaded."""


def measure(folder: Path) -> list[Row]:
    """Rows of the table."""
    os.environ |= {"ECOSYSTEM_HOME": str(folder), "ECOSYSTEM_REQUESTER": "user:bench"}
    with _running():
        pass
    with _running() as seconds:
        turns, cpu_ms = asyncio.run(_turns(folder))
        sizes = {name: pss_mib(pid) for name, pid in _processes(folder).items()}
    p50, p95 = statistics.median(turns), sorted(turns)[int(len(turns) * 0.95)]
    ready = Row("prepared `make up` to ready", f"{seconds:.1f} s", "5 parts, 1 supervisor",
                good=seconds <= ALLOWED_S)  # fmt: skip
    spent = f"p95 {p95:.1f} ms, {cpu_ms:.1f} ms CPU in all parts"
    turn = Row("read turn through all parts, p50", f"{p50:.1f} ms", spent, good=p50 <= ALLOWED_MS)
    return [ready, turn, *(_size(name, size) for name, size in sizes.items())]


def _size(name: str, mib: float) -> Row:
    allowed = ALLOWED_RUSSIAN_MIB if name in RUSSIAN else ALLOWED_MIB
    return Row(f"PSS of {name}", f"{mib:.1f} MiB", f"{allowed:.0f} allowed", good=mib <= allowed)


@contextmanager
def _running() -> Generator[float]:
    began = time.monotonic()
    try:
        _make("up")
        yield time.monotonic() - began
    finally:
        _make("down")


def _make(target: str) -> None:
    done = subprocess.run(
        ["/usr/bin/env", "make", target], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


async def _turns(folder: Path) -> tuple[list[float], float]:
    """Milliseconds of each turn as the person's program sees it, and CPU a turn cost."""
    secret = Secret.load(folder / "credentials" / "terminal")
    address = Address(path=str(folder / "run" / "maven.sock"))
    ids, took = Ids(SystemClock()), list[float]()
    async with MavenClient(address, secret, requester="user:bench") as client:

        async def take(number: int) -> None:
            text = QUESTIONS[number % len(QUESTIONS)]
            turn = TakeTurn(turn_id=ids.new("trn"), text=text, channel="terminal")
            began = time.perf_counter()
            answer = await client.take_turn(turn)
            took.append((time.perf_counter() - began) * 1000)
            assert not answer.degraded, answer.text

        for number in range(20):
            await take(number)
        took.clear()
        before = _cpu_ms(folder)
        for number in range(TURNS):
            await take(number)
    return took, (_cpu_ms(folder) - before) / TURNS


def _processes(folder: Path) -> dict[str, int]:
    run = folder / "run"
    parts = {path.stem: int(path.read_text("ascii")) for path in sorted(run.glob("*.lock"))}
    return parts | {"supervisord": int((run / "supervisord.pid").read_text("ascii"))}


def _cpu_ms(folder: Path) -> float:
    total = 0
    for pid in _processes(folder).values():
        for task in Path(f"/proc/{pid}/task").iterdir():
            total += int((task / "schedstat").read_text("ascii").split()[0])
    return total / 1e6


def pss_mib(pid: int) -> float:
    """What a process takes of memory, with its share of what it shares."""
    found = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text("ascii"), re.M)
    assert found is not None
    return int(found[1]) / 1024

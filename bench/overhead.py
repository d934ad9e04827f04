"""What the kit costs over a bare call: CPU time of client and server, in separate processes.

The least of several rounds counts: on a busy machine a round can only look dearer than it is.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.table import Row
from kit.testing import Program, grants

CALLS = 3000
ROUNDS = 7
ALLOWED_US = 60.0


@dataclass(frozen=True)
class Cost:
    """CPU µs of one call."""

    client: float
    server: float

    @property
    def total(self) -> float:
        """Both sides."""
        return self.client + self.server


def measure(folder: Path) -> list[Row]:
    """Rows of the table."""
    caller = Program("caller", ["echo.read"], ["user:*"])
    caller.secret.save(folder / "credentials" / "caller")
    grants(folder / "grants.json", "echo", caller)
    costs: dict[str, list[Cost]] = {"bare": [], "kit": []}
    with ExitStack() as servers:
        running = {kind: servers.enter_context(_server(kind, folder)) for kind in costs}
        for _ in range(ROUNDS):
            for kind, process in running.items():
                costs[kind].append(_round(kind, folder, process.pid))
    bare, kit = (
        Cost(min(c.client for c in each), min(c.server for c in each)) for each in costs.values()
    )
    over = kit.total - bare.total
    ratio = f"×{kit.total / bare.total:.2f}"
    allowed = f"{ALLOWED_US:.0f} allowed"
    return [
        Row("bare Starlette + msgspec call", f"{bare.total:.0f} µs CPU", _sides(bare)),
        Row("the kit's call", f"{kit.total:.0f} µs CPU", _sides(kit), ratio),
        Row("the kit over a bare call", f"{over:.0f} µs CPU", allowed, good=over <= ALLOWED_US),
    ]


def _sides(cost: Cost) -> str:
    return f"client {cost.client:.0f}, server {cost.server:.0f}"


@contextmanager
def _server(kind: str, folder: Path) -> Generator[subprocess.Popen[bytes]]:
    process = subprocess.Popen([sys.executable, "-m", "bench.echo", kind, folder])
    try:
        deadline = time.monotonic() + 20
        while not (folder / f"{kind}.sock").exists():
            assert time.monotonic() < deadline, f"{kind} did not start"
            time.sleep(0.02)
        yield process
    finally:
        process.kill()
        process.wait()


def _round(kind: str, folder: Path, server: int) -> Cost:
    with subprocess.Popen(
        [sys.executable, "-m", "bench.caller", kind, folder, str(CALLS)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as caller:
        assert caller.stdin
        assert caller.stdout
        assert caller.stdout.readline() == "warm\n"
        before = _cpu_ns(server)
        caller.stdin.write("go\n")
        caller.stdin.flush()
        client = float(caller.stdout.readline())
    return Cost(client, (_cpu_ns(server) - before) / CALLS / 1000)


def _cpu_ns(pid: int) -> int:
    return int(Path(f"/proc/{pid}/schedstat").read_text("ascii").split()[0])

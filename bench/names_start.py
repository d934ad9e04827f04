"""How soon Nexus answers after a start with 50,000 entities, and how much memory it then takes."""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from csv import writer
from pathlib import Path

from bench.fillers import Filler, fillers
from bench.household import pss_mib
from bench.table import Row
from kit.client import AnyClient
from kit.contract import Nothing
from kit.errors import Unavailable
from kit.local import address_of
from kit.testing import Program, grants
from nexus.client import NexusClient
from nexus.contract import Resolve, ResolveBatch

SIZE = 50_000
STARTS = 7
ASKED = 2_000
ALLOWED_S = 1.0
ALLOWED_MIB = 90.0
COMMAND = Path(sys.executable).with_name("nexus")
CLI = Program("cli", ["nexus.read", "nexus.write"], ["user:*", "service:cli"])


def measure(folder: Path) -> list[Row]:
    """Rows of the table."""
    os.environ |= {"ECOSYSTEM_HOME": str(folder), "ECOSYSTEM_REQUESTER": "user:bench"}
    (folder / "nexus").mkdir(mode=0o700)
    (folder / "run").mkdir(mode=0o700)
    grants(folder / "nexus" / "grants.json", "nexus", CLI)
    CLI.secret.save(folder / "credentials" / "cli")
    return asyncio.run(_measured(folder))


async def _measured(folder: Path) -> list[Row]:
    things = fillers(SIZE, ())
    catalog = folder / "many.csv"
    _write(catalog, things)
    async with _serving():
        began = time.monotonic()
        applying = await asyncio.create_subprocess_exec(
            COMMAND, "apply", "--yes", "--catalog", "many", catalog, stdout=subprocess.DEVNULL
        )
        assert await applying.wait() == 0
        applied = time.monotonic() - began
    starts: list[float] = []
    begun = asked = 0.0
    for _ in range(STARTS):
        async with _serving() as (pid, seconds):
            starts.append(seconds)
            begun = pss_mib(pid)
            await _ask([name for _, name in things[:: SIZE // ASKED]])
            asked = pss_mib(pid)
    median, worst = statistics.median(starts), max(starts)
    return [
        Row(f"`nexus apply` of {SIZE:,} new entities", f"{applied:.1f} s", "a CSV file"),
        Row(f"`nexus serve` over {SIZE:,} entities to its first answer", f"{median:.2f} s",
            f"the slowest of {STARTS}: {worst:.2f} s", good=worst <= ALLOWED_S),
        Row("PSS of it, nothing asked yet", f"{begun:.1f} MiB", f"{ALLOWED_MIB:.0f} allowed",
            good=begun <= ALLOWED_MIB),
        Row(f"PSS of it after {ASKED:,} mistyped names", f"{asked:.1f} MiB",
            f"{ALLOWED_MIB:.0f} allowed", good=asked <= ALLOWED_MIB),
    ]  # fmt: skip


def _write(path: Path, things: list[Filler]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = writer(file)
        rows.writerow(["key", "type", "name_ru", "name_en"])
        for number, (type, name) in enumerate(things):
            is_russian = any("а" <= letter <= "я" for letter in name.lower())
            rows.writerow([f"n{number}", type, *([name, ""] if is_russian else ["", name])])


@asynccontextmanager
async def _serving() -> AsyncGenerator[tuple[int, float]]:
    """Nexus as its own process: its id, and the seconds until it said how it is."""
    began = time.monotonic()
    process = await asyncio.create_subprocess_exec(COMMAND, "serve", stderr=subprocess.DEVNULL)
    try:
        async with AnyClient("nexus", address_of("nexus"), CLI.secret) as nexus:
            while True:
                try:
                    await nexus.health(Nothing())
                except Unavailable:
                    assert process.returncode is None, "Nexus does not start."
                    await asyncio.sleep(0.002)
                else:
                    break
        yield process.pid, time.monotonic() - began
    finally:
        process.terminate()
        await process.wait()


async def _ask(names: list[str]) -> None:
    """Resolve each name without its middle letter."""
    async with NexusClient(address_of("nexus"), CLI.secret, requester="user:bench") as nexus:
        for start in range(0, len(names), 100):
            some = names[start : start + 100]
            questions = [
                Resolve(text=name[: len(name) // 2] + name[len(name) // 2 + 1 :] or name)
                for name in some
            ]
            await nexus.resolve_batch(ResolveBatch(questions=questions), timeout_s=60)

"""A process killed while it applies a catalog has applied all of it or nothing."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path

import msgspec
import pytest

from ecosystem import credentials
from kit.address import Address
from kit.auth import Grant, save_grants
from kit.contract import HEALTH, Nothing
from kit.errors import OutcomeUnknown, Unavailable
from kit.testing import Program
from nexus.client import NexusClient
from nexus.contract import ApplyCatalog, CatalogEntry
from tests.requirements import requirement

SIZE = 10_000
MOMENTS_S = (0.3, 0.6, 0.9, 1.2, 1.6, 2.0, 2.5)
"""After so long the process dies: while it reads, checks, writes, commits and indexes."""
WRITER = Program("writer", ["nexus.read", "nexus.write"], ["user:ann"])


@pytest.fixture
def home() -> Generator[Path]:
    path = Path(tempfile.mkdtemp(prefix="kill", dir="/tmp"))
    yield path
    shutil.rmtree(path, ignore_errors=True)


def let_in(home: Path) -> None:
    """Everything a process needs to start, and a program that may write."""
    credentials.ensure(home)
    path = home / "nexus" / "grants.json"
    known = msgspec.json.decode(path.read_bytes(), type=list[Grant])
    save_grants(path, [*known, WRITER.grant_for("nexus")])


def catalog(version: int) -> ApplyCatalog:
    entries = [
        CatalogEntry(
            key=f"thing-{number}",
            type="household.object",
            names={"en": f"thing {number} of {version}"},
            aliases=[f"alias {number} of {version}"],
            external={"inventory": f"{version}-{number}"},
            relations={"part_of": f"thing-{number + 1}"} if number < SIZE - 1 else {},
        )
        for number in range(SIZE)
    ]
    return ApplyCatalog("home", entries)


def start(home: Path) -> subprocess.Popen[bytes]:
    environment = {name: value for name, value in os.environ.items() if "ECOSYSTEM" not in name}
    return subprocess.Popen(
        [Path(sys.executable).parent / "nexus", "serve"],
        env=environment | {"ECOSYSTEM_HOME": str(home)},
        stderr=subprocess.DEVNULL,
    )


async def live(home: Path, version: int, dies_after_s: float) -> bool:
    """One life, in which one version is applied; whether that was acknowledged."""
    process = start(home)
    address = Address(path=str(home / "run" / "nexus.sock"))
    try:
        async with NexusClient(address, WRITER.secret, requester="user:ann") as nexus:
            async with asyncio.timeout(60):
                while True:
                    try:
                        await nexus.call(HEALTH, Nothing(), timeout_s=5)
                        break
                    except Unavailable:
                        continue
            asyncio.get_running_loop().call_later(dies_after_s, process.kill)
            try:
                await nexus.apply_catalog(catalog(version))
            except (OutcomeUnknown, Unavailable):
                return False
            return True
    finally:
        process.kill()
        await asyncio.to_thread(process.wait)


def state(home: Path) -> set[tuple[str, int]]:
    """How much of which version is there, table by table."""
    connection = sqlite3.connect(home / "nexus" / "nexus.db")
    words = [row[0] for row in connection.execute("PRAGMA integrity_check")]
    assert words == ["ok"]
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    found: set[tuple[str, int]] = set()
    for sql in (
        "SELECT substr(text, instr(text, ' of ') + 4), count(*) FROM entity_name GROUP BY 1",
        "SELECT substr(text, instr(text, ' of ') + 4), count(*) FROM alias GROUP BY 1",
        "SELECT substr(external_id, 1, instr(external_id, '-') - 1), count(*)"
        " FROM external_reference WHERE system = 'inventory' GROUP BY 1",
        "SELECT max(revision), count(*) FROM entity HAVING count(*) > 0",
    ):
        found |= {(str(version), count) for version, count in connection.execute(sql)}
    connection.close()
    return found


@requirement("nexus.surface.catalog")
@pytest.mark.slow
@pytest.mark.timeout(240)
def test_a_killed_catalog_is_all_there_or_not_at_all(home: Path) -> None:
    let_in(home)
    before: set[tuple[str, int]] = set()
    revision = 0
    acknowledged: list[bool] = []
    for version, moment_s in enumerate((*MOMENTS_S, 60.0), start=1000):
        acknowledged.append(asyncio.run(live(home, version, moment_s)))

        after = state(home)

        new = {(str(version), SIZE), (str(revision + 1), SIZE)}
        assert after in ([new] if acknowledged[-1] else [before, new]), version
        revision += after == new
        before = after
    assert not all(acknowledged)
    assert acknowledged[-1]

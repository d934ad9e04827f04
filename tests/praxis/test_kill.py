"""Praxis killed a hundred times under load: what it acknowledged is there, the feed has no hole."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import pytest

from ecosystem import credentials
from kit.address import Address
from kit.auth import Grant, save_grants
from kit.contract import HEALTH, Nothing
from kit.errors import OutcomeUnknown, ServiceError, Unavailable
from kit.testing import Program
from praxis.client import PraxisClient
from praxis.contract import ListChanges, Observe, ObserveBatch, ObservedState, Transition
from tests.requirements import requirement

LIVES = 100
WRITERS = 4
KEEPER = Program("keeper", ["praxis.read", "praxis.observe", "praxis.transition"], ["user:*"])
_CUT_OFF = (OutcomeUnknown, Unavailable)


@dataclass
class Known:
    """What was acknowledged, over all lives."""

    events: list[str] = field(default_factory=list[str])
    pinned: list[str] = field(default_factory=list[str])
    cursors: list[int] = field(default_factory=list[int])


@pytest.fixture
def home() -> Generator[Path]:
    path = Path(tempfile.mkdtemp(prefix="kill", dir="/tmp"))
    credentials.ensure(path)
    grants = path / "praxis" / "grants.json"
    known = msgspec.json.decode(grants.read_bytes(), type=list[Grant])
    save_grants(grants, [*known, KEEPER.grant_for("praxis")])
    yield path
    shutil.rmtree(path, ignore_errors=True)


def start(home: Path) -> subprocess.Popen[bytes]:
    environment = {name: value for name, value in os.environ.items() if "ECOSYSTEM" not in name}
    return subprocess.Popen(
        [Path(sys.executable).parent / "praxis", "serve"],
        env=environment | {"ECOSYSTEM_HOME": str(home)},
        stderr=subprocess.DEVNULL,
    )


def client(home: Path) -> PraxisClient:
    address = Address(path=str(home / "run" / "praxis.sock"))
    return PraxisClient(address, KEEPER.secret, requester="user:anna")


async def awake(praxis: PraxisClient) -> None:
    async with asyncio.timeout(60):
        while True:
            try:
                await praxis.call(HEALTH, Nothing(), timeout_s=5)
            except Unavailable:
                await asyncio.sleep(0.01)
            else:
                return


async def observe(praxis: PraxisClient, known: Known, life: int, writer: int) -> None:
    """Report, one by one and many at once, until the process is gone."""
    number = 0
    while True:
        number += 1
        size = 16 if number % 5 == 0 else 1
        names = [f"{life}-{writer}-{number}-{place}" for place in range(size)]
        states: tuple[ObservedState, ...] = ("problem", "problem", "ok")
        reports = [
            Observe(
                source="load",
                kind="load",
                state=states[(number + place) % 3],
                summary=f"event {name}",
                key=f"key-{writer}-{place}",
                event_id=name,
            )
            for place, name in enumerate(names)
        ]
        try:
            await praxis.observe_batch(ObserveBatch(reports))
        except _CUT_OFF:
            return
        known.events += names


async def decide(praxis: PraxisClient, known: Known, life: int) -> None:
    """Pin one new item after another until the process is gone."""
    number = 0
    while True:
        number += 1
        report = Observe(
            source="load",
            kind="load",
            state="problem",
            summary="to be pinned",
            key=f"pin-{life}-{number}",
        )
        try:
            opened = await praxis.observe(report)
            pinned = await praxis.pin(Transition(opened.item_id or ""))
        except _CUT_OFF:
            return
        known.pinned.append(pinned.item_id)


async def follow(praxis: PraxisClient, known: Known) -> None:
    """Read the feed from where it was left until the process is gone."""
    while True:
        after = known.cursors[-1] if known.cursors else 0
        try:
            page = await praxis.list_changes(ListChanges(after=after, limit=500, wait_s=5))
        except ServiceError:
            return
        known.cursors += [change.cursor for change in page.changes]


async def live(home: Path, known: Known, life: int, dies_after_s: float) -> None:
    """One life under load, ended by a kill."""
    process = start(home)
    clients = [client(home) for _ in range(WRITERS + 2)]
    try:
        await awake(clients[0])
        asyncio.get_running_loop().call_later(dies_after_s, process.kill)
        await asyncio.gather(
            *(observe(clients[writer], known, life, writer) for writer in range(WRITERS)),
            decide(clients[-2], known, life),
            follow(clients[-1], known),
        )
    finally:
        process.kill()
        for each in clients:
            each.close()
        await asyncio.to_thread(process.wait)


async def check(home: Path, known: Known) -> None:
    """Everything acknowledged is there; what is sent again is known."""
    process = start(home)
    praxis = client(home)
    try:
        await awake(praxis)
        await follow_to_the_end(praxis, known)
        for first in range(0, len(known.events), 500):
            names = known.events[first : first + 500]
            again = [
                Observe(source="load", kind="load", state="info", summary="again", event_id=name)
                for name in names
            ]
            observed = (await praxis.observe_batch(ObserveBatch(again))).observed
            assert all(each.duplicate for each in observed)
    finally:
        praxis.close()
        process.terminate()
        await asyncio.to_thread(process.wait)


async def follow_to_the_end(praxis: PraxisClient, known: Known) -> None:
    while True:
        after = known.cursors[-1] if known.cursors else 0
        page = await praxis.list_changes(ListChanges(after=after, limit=500))
        if not page.changes:
            return
        known.cursors += [change.cursor for change in page.changes]


@requirement("praxis.measured.killed")
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_hundred_kills_lose_nothing_acknowledged(home: Path) -> None:
    known, chance = Known(), random.Random(1)  # noqa: S311 - moments, not secrets

    for life in range(LIVES):
        asyncio.run(live(home, known, life, chance.uniform(0.01, 0.25)))

    asyncio.run(check(home, known))
    connection = sqlite3.connect(home / "praxis" / "praxis.db")
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    pinned = connection.execute("SELECT item_id FROM item WHERE standing ->> '$.is_pinned'")
    kept = {row[0] for row in pinned}
    connection.close()
    assert len(known.events) > LIVES * 10
    assert known.cursors == list(range(1, len(known.cursors) + 1))
    assert len(known.pinned) > LIVES / 4
    assert set(known.pinned) <= kept

"""Killed with -9 under load, fifty times in all, no part loses what it acknowledged.

Each life ends at a random moment: while the part starts, or in the midst of eight writers. What was
sent without an answer is sent again with its key, so that nothing may be there twice either.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import time
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from maven.client import MavenClient
from maven.contract import Answer, GetTurn, TakeTurn
from nexus.client import NexusClient
from nexus.contract import CreateEntity, Entity, Resolve, Resolved
from praxis.client import PraxisClient
from praxis.contract import GetItem, Observe, Observed
from tests.ecosystem.killing import Victim, Work, absent
from vecna.client import VecnaClient
from vecna.contract import Connect, Connected, Recall


async def connect(client: VecnaClient, number: int, key: str) -> Connected:
    sent = Connect(topic=f"topic {number}", content=f"Урок {number}", source_agent="max")
    return await client.connect(sent, key=key)


async def fragment_missing(client: VecnaClient, number: int, reply: Connected) -> str:
    recalled = await client.recall(Recall(topic=f"topic {number}"))
    there = [each.fragment_id for each in recalled.fragments]
    return "" if there == [reply.fragment.fragment_id] else f"fragment {number}: {there}"


async def create(client: NexusClient, number: int, key: str) -> Entity:
    names: dict[Any, str] = {"en": f"thing number {number}", "ru": f"вещь номер {number}"}
    return await client.create_entity(CreateEntity(type="household.object", names=names), key=key)


async def entity_missing(client: NexusClient, number: int, reply: Entity) -> str:
    for name in (f"thing number {number}", f"вещь номер {number}"):
        found = await client.resolve(Resolve(text=name))
        if not isinstance(found, Resolved) or found.entity_id != reply.entity_id:
            return f"{name}: {found}"
    return ""


def report(number: int) -> Observe:
    return Observe(
        source="load:test",
        event_id=f"event-{number}",
        key=f"key-{number}",
        kind="test",
        state="problem",
        summary=f"Сбой {number}",
        observed_at=datetime(2026, 11, 30, 12, 0, tzinfo=UTC),
    )


async def observe(client: PraxisClient, number: int, key: str) -> Observed:
    return await client.observe(report(number), key=key)


async def item_missing(client: PraxisClient, number: int, reply: Observed) -> str:
    again = await client.observe(report(number))
    if not again.duplicate or again.observation_id != reply.observation_id:
        return f"observation {number} was forgotten"
    item = await client.get_item(GetItem(item_id=reply.item_id or ""))
    return "" if item.count == 1 else f"item {number} counts {item.count}"


def turn_id(number: int) -> str:
    return f"trn_{number:016d}"


async def take_turn(client: MavenClient, number: int, key: str) -> Answer:
    turn = TakeTurn(
        turn_id=turn_id(number),
        text="помощь" if number % 2 else "help",
        channel="terminal",
        conversation_id=f"c{number}",
    )
    return await client.take_turn(turn, key=key)


async def turn_missing(client: MavenClient, number: int, reply: Answer) -> str:
    return await absent(client.get_turn(GetTurn(turn_id=reply.turn_id)), f"turn {number}")


WORKS: list[tuple[Work[Any], int]] = [
    (Work(VecnaClient, ["vecna.read", "vecna.write"], connect, fragment_missing), 16),
    (Work(NexusClient, ["nexus.read", "nexus.write"], create, entity_missing), 12),
    (Work(PraxisClient, ["praxis.read", "praxis.observe"], observe, item_missing), 12),
    (Work(MavenClient, ["maven.talk", "maven.read"], take_turn, turn_missing, 12), 10),
]


def test_there_are_fifty_kills() -> None:
    assert sum(kills for _, kills in WORKS) == 50


@pytest.fixture
def home() -> Generator[Path]:
    path = Path(tempfile.mkdtemp(prefix="kill"))
    yield path
    shutil.rmtree(path, ignore_errors=True)


async def kill_and_judge(victim: Victim[Any], kills: int) -> list[str]:
    for _ in range(kills):
        await victim.live()
    return await victim.judge()


@pytest.mark.slow
@pytest.mark.timeout(150)
@pytest.mark.parametrize(("work", "kills"), WORKS, ids=[work.part for work, _ in WORKS])
def test_nothing_acknowledged_is_lost(
    home: Path, work: Work[Any], kills: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ECOSYSTEM_REQUESTER", "user:ann")
    victim = Victim(home, work, seed := time.time_ns())
    faults = asyncio.run(kill_and_judge(victim, kills))

    assert faults == [], f"seed {seed}"
    assert len(victim.tally.acknowledged) > kills

"""Compose Maven."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

from hexis.client.executor import Executor
from kit.auth import Grants
from kit.clock import Clock, SystemClock
from kit.daemon import Running
from kit.ids import Ids
from kit.pulse import Pulse
from kit.server import Hosted
from kit.store import Store
from kit.ticker import Ticker
from maven import sentences
from maven.contract import CONTRACT
from maven.jobs.follow import Follower, zone_of
from maven.ports import Ports
from maven.service import Maven
from maven.settings import Settings
from maven.store import Conversations
from maven.store.known import KnownEntities
from maven.store.watches import Watches
from nexus.client import NexusClient
from praxis.client import PraxisClient

_FOLLOW_EVERY_S = 0.5
_FORGET_EVERY_S = 3600.0


@asynccontextmanager
async def open_part(
    settings: Settings,
    folder: Path,
    grants: Grants,
    nexus: NexusClient,
    praxis: PraxisClient,
    hexis: Executor,
    clock: Clock | None = None,
) -> AsyncGenerator[Running]:
    """Open Maven's store in `folder`, compile its sentences, and hand back the part."""
    clock = clock or SystemClock()
    store = Store(folder / "maven.db", "maven.store", clock)
    news, stopping = Pulse(), Pulse()
    zone, grammar = await asyncio.to_thread(lambda: (zone_of(settings.zone), sentences.load()))
    try:
        ports = Ports(
            nexus=nexus,
            praxis=praxis,
            hexis=hexis,
            conversations=Conversations(store),
            watches=Watches(store),
            known=KnownEntities(store),
            grammar=grammar,
            clock=clock,
            settings=settings,
            stopping=stopping,
        )
        follower = Follower(ports, Ids(clock), zone, news.beat)
        follow = Ticker("follow", _FOLLOW_EVERY_S, follower.tick)
        ports.watch_now = follow.hurry

        async def forget() -> None:
            now = clock.now()
            ports.known.age()
            await ports.conversations.forget(
                now - timedelta(days=settings.trace_days),
                now - timedelta(days=settings.history_days),
            )

        yield Running(
            hosted=Hosted(
                contract=CONTRACT,
                service=Maven(ports, zone, news),
                grants=grants,
                store=store,
                clock=clock,
            ),
            tickers=[follow, Ticker("forget", _FORGET_EVERY_S, forget)],
            pulses=[stopping, news],
        )
    finally:
        for client in (nexus, praxis, hexis):
            client.close()
        await store.close()

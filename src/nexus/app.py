"""Compose Nexus."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from kit.auth import Grants
from kit.clock import Clock, SystemClock
from kit.daemon import Running
from kit.pulse import Pulse
from kit.server import Hosted
from kit.store import Store
from nexus.contract import CONTRACT
from nexus.service import Nexus
from nexus.settings import Settings
from nexus.store import EntityStore
from nexus.store.finding import NameReader


@asynccontextmanager
async def open_part(
    settings: Settings, folder: Path, grants: Grants, clock: Clock | None = None
) -> AsyncGenerator[Running]:
    """Open Nexus's store in `folder`, index it, and hand back the part, ready to be served."""
    clock = clock or SystemClock()
    store = Store(folder / "nexus.db", "nexus.store", clock)
    try:
        entities = EntityStore(store)
        await entities.renew_names()
        pulse = Pulse()
        service = Nexus(entities, NameReader(store), pulse, clock)
        hosted = Hosted(contract=CONTRACT, service=service, grants=grants, store=store, clock=clock)
        yield Running(hosted=hosted, pulses=[pulse])
    finally:
        await store.close()

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
from nexus.register import Register
from nexus.service import Nexus
from nexus.settings import Settings
from nexus.store import EntityStore


@asynccontextmanager
async def open_part(
    settings: Settings, folder: Path, grants: Grants, clock: Clock | None = None
) -> AsyncGenerator[Running]:
    """Open Nexus's store in `folder`, index it, and hand back the part, ready to be served."""
    clock = clock or SystemClock()
    store = Store(folder / "nexus.db", "nexus.store", clock)
    try:
        entities = EntityStore(store)
        register = Register(entities)
        await register.load()
        pulse = Pulse()
        service = Nexus(entities, register, pulse, clock)
        hosted = Hosted(contract=CONTRACT, service=service, grants=grants, store=store, clock=clock)
        yield Running(hosted=hosted, pulses=[pulse])
    finally:
        await store.close()

"""Compose Vecna."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

from kit.auth import Grants
from kit.clock import Clock, SystemClock
from kit.daemon import Running
from kit.server import Hosted
from kit.store import Store
from vecna.contract import CONTRACT
from vecna.service import Vecna
from vecna.settings import Settings
from vecna.store import FragmentStore


@asynccontextmanager
async def open_part(
    settings: Settings, folder: Path, grants: Grants, clock: Clock | None = None
) -> AsyncGenerator[Running]:
    """Open Vecna's store in `folder` and hand back the part, ready to be served."""
    clock = clock or SystemClock()
    store = Store(folder / "vecna.db", "vecna.store", clock)
    try:
        service = Vecna(FragmentStore(store), clock, timedelta(minutes=settings.dedup_window_min))
        hosted = Hosted(contract=CONTRACT, service=service, grants=grants, store=store, clock=clock)
        yield Running(hosted=hosted)
    finally:
        await store.close()

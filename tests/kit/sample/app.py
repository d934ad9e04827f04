"""Compose the made-up part."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from kit.auth import Grants
from kit.clock import Clock, SystemClock
from kit.daemon import Running
from kit.server import Hosted
from kit.store import Store
from tests.kit.sample.contract import CONTRACT
from tests.kit.sample.service import Sample


@asynccontextmanager
async def open_part(
    folder: Path, grants: Grants, clock: Clock | None = None
) -> AsyncGenerator[Running]:
    """Open the part in `folder`."""
    clock = clock or SystemClock()
    store = Store(folder / "sample.db", "tests.kit.sample", clock)
    try:
        sample = Sample(store)
        hosted = Hosted(contract=CONTRACT, service=sample, grants=grants, store=store, clock=clock)
        yield Running(hosted=hosted, pulses=[sample.news])
    finally:
        await store.close()

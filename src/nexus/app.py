"""Compose Nexus."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from kit.address import Address
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
from nexus.store.vocabulary import Vocabulary

if TYPE_CHECKING:
    from starlette.types import ASGIApp


@asynccontextmanager
async def open_part(
    settings: Settings, folder: Path, grants: Grants, clock: Clock | None = None
) -> AsyncGenerator[Running]:
    """Open Nexus's store in `folder`, index it, and hand back the part, ready to be served.

    Raises:
        Unauthenticated: The secret of the reconciliation service can be read by others.
    """
    clock = clock or SystemClock()
    store = Store(folder / "nexus.db", "nexus.store", clock)
    try:
        entities = EntityStore(store)
        await entities.renew_names()
        pulse = Pulse()
        service = Nexus(entities, NameReader(store), pulse, clock)
        hosted = Hosted(contract=CONTRACT, service=service, grants=grants, store=store, clock=clock)
        listeners = await _listeners(settings, folder, service, store)
        yield Running(hosted=hosted, pulses=[pulse], listeners=listeners)
    finally:
        await store.close()


async def _listeners(
    settings: Settings, folder: Path, service: Nexus, store: Store
) -> dict[Address, ASGIApp]:
    """The reconciliation service, if it is switched on; loaded only then."""
    if settings.reconcile_port is None:
        return {}
    from nexus.reconciliation.credential import token_in
    from nexus.reconciliation.door import ReconciliationDoor
    from nexus.reconciliation.routes import Routes

    token = await asyncio.to_thread(token_in, folder)
    door = ReconciliationDoor(Routes(service, Vocabulary(store)), token)
    return {Address(host="127.0.0.1", port=settings.reconcile_port): door}

"""Compose Hexis."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import structlog

from hexis.consent import Consent
from hexis.contract import CONTRACT
from hexis.delivery import Reports
from hexis.executors import Executor
from hexis.executors.supervisor import Supervisor
from hexis.identity import Identities
from hexis.jobs import Jobs
from hexis.service import Hexis
from hexis.settings import Settings
from hexis.store.capabilities import load_folder
from hexis.store.key import load_key
from kit.auth import Grants
from kit.clock import Clock, SystemClock
from kit.daemon import Running
from kit.ids import Ids
from kit.server import Hosted
from kit.settings import home
from kit.store import Store
from kit.ticker import Ticker
from nexus.client import NexusClient
from praxis.client import PraxisClient

_log = structlog.get_logger()
_EXPIRY_EVERY_S = 1.0


@asynccontextmanager
async def open_part(
    settings: Settings,
    folder: Path,
    grants: Grants,
    nexus: NexusClient,
    praxis: PraxisClient,
    clock: Clock | None = None,
) -> AsyncGenerator[Running]:
    """Open Hexis's store in `folder`, settle what a crash left, and hand back the part."""
    clock = clock or SystemClock()
    socket = Path(settings.supervisor_socket or home() / "run" / "supervisor.sock")
    executors: dict[str, Executor] = {"supervisor": Supervisor(socket, settings.own_program)}
    capabilities = await asyncio.to_thread(
        load_folder,
        Path(settings.capabilities or home() / "config" / "capabilities"),
        {name: executor.check for name, executor in executors.items()},
    )
    for reason in capabilities.disabled:
        _log.error("provider_disabled", reason=reason)
    key = await asyncio.to_thread(load_key, folder / "confirmation.key")
    store = Store(folder / "hexis.db", "hexis.store", clock)
    jobs = Jobs(store, capabilities, executors, Reports(store, praxis, clock), clock)
    identities, ids = Identities(nexus), Ids(clock)
    try:
        lifetime = timedelta(seconds=settings.confirmation_ttl_s)
        consent = Consent(store, capabilities, identities, key, lifetime, clock, ids)
        service = Hexis(store, capabilities, identities, consent, jobs, clock, ids)
        await jobs.settle()
        hosted = Hosted(
            contract=CONTRACT,
            service=service,
            grants=grants,
            store=store,
            clock=clock,
            degraded=lambda: [f"Provider file disabled: {why}" for why in capabilities.disabled],
        )
        expiry = Ticker("confirmations_expire", _EXPIRY_EVERY_S, service.expire)
        yield Running(hosted=hosted, tickers=[jobs.reports.ticker, expiry], pulses=[jobs.pulse])
    finally:
        await jobs.close(settings.grace_s)
        await store.close()

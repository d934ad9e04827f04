"""Compose Hexis."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

from hexis.consent import Consent
from hexis.contract import CONTRACT
from hexis.delivery import Reports
from hexis.executors import Executor
from hexis.executors.supervisor import Supervisor
from hexis.identity import Identities
from hexis.jobs import Jobs
from hexis.service import Hexis
from hexis.settings import Settings
from hexis.store.capabilities import Folder
from hexis.store.key import load_key
from hexis.store.retention import Retention
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

_LOOK_EVERY_S = 1.0
_TRIM_EVERY_S = 60.0


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
    providers = Folder(
        Path(settings.capabilities or home() / "config" / "capabilities"),
        {name: executor.check for name, executor in executors.items()},
    )
    await providers.current()
    key = await asyncio.to_thread(load_key, folder / "confirmation.key")
    store = Store(folder / "hexis.db", "hexis.store", clock)
    jobs = Jobs(store, providers, executors, Reports(store, praxis, clock), clock)
    identities, ids = Identities(nexus), Ids(clock)
    try:
        lifetime = timedelta(seconds=settings.confirmation_ttl_s)
        consent = Consent(store, providers, jobs, identities, key, lifetime, clock, ids)
        service = Hexis(store, providers, identities, consent, jobs, clock, ids)
        await jobs.settle()
        hosted = Hosted(
            contract=CONTRACT,
            service=service,
            grants=grants,
            store=store,
            clock=clock,
            degraded=lambda: [
                f"Provider file disabled: {why}" for why in providers.latest.disabled
            ],
        )
        tickers = [
            jobs.reports.ticker,
            Ticker("executions_end", _LOOK_EVERY_S, jobs.write_ends),
            Ticker("confirmations_expire", _LOOK_EVERY_S, service.expire),
            Ticker("records_trimmed", _TRIM_EVERY_S, Retention(store).trim),
        ]
        yield Running(hosted=hosted, tickers=tickers, pulses=[jobs.pulse])
    finally:
        await jobs.close(settings.grace_s)
        await store.close()
        providers.close()

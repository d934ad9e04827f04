"""Compose Praxis."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from hexis.client.catalog import Catalog
from kit.address import Address
from kit.auth import Grants, Secret
from kit.client import AnyClient
from kit.clock import Clock, SystemClock
from kit.daemon import Running
from kit.ids import Ids
from kit.pulse import Pulse
from kit.server import Hosted
from kit.store import Store
from kit.ticker import Ticker
from nexus.client import NexusClient
from praxis.applicable import Applicable
from praxis.contract import CONTRACT, HealthCheck, Look
from praxis.domain.flapping import Damping
from praxis.domain.freshness import Patience
from praxis.doors.listener import Listener
from praxis.mapping import EVERY_S as MAPPING_EVERY_S
from praxis.mapping import Mapping
from praxis.overdue import EVERY_S as OVERDUE_EVERY_S
from praxis.overdue import Overdue
from praxis.service import Praxis
from praxis.settings import Settings
from praxis.sources import Source
from praxis.sources.health_check import HealthSource
from praxis.sources.looks import source_of
from praxis.sources.polling import Polling
from praxis.store.changes import Feed
from praxis.store.deliveries import Doors, RejectedReader
from praxis.store.ledger import Ledger
from praxis.store.reading import Items
from praxis.store.routines import Routines
from praxis.store.searching import Finder
from praxis.store.sources import SourceBook
from praxis.watch import EVERY_S, Vigil, Watch

if TYPE_CHECKING:
    from starlette.types import ASGIApp

_FINDABLE_S = 5.0
"""How often what was told becomes findable, unless a search asks earlier."""


@asynccontextmanager
async def open_part(
    settings: Settings,
    folder: Path,
    grants: Grants,
    secret: Secret,
    clock: Clock | None = None,
    *,
    nexus: NexusClient | None = None,
    catalog: Catalog | None = None,
) -> AsyncGenerator[Running]:
    """Open Praxis's store in `folder` and hand back the part, ready to be served.

    Args:
        settings: what a person may set.
        folder: where the database is.
        grants: the programs Praxis knows.
        secret: the credential Praxis shows to the parts whose health it asks for.
        clock: where the time comes from.
        nexus: whom to ask what a subject is; None where nobody can be asked.
        catalog: whom to ask what could be done; the same.
    """
    clock = clock or SystemClock()

    def adapt(name: str, check: HealthCheck | Look) -> Source:
        if not isinstance(check, HealthCheck):
            return source_of(name, check, clock, settings.logins)
        contract = check.contract or name.rpartition(":")[2]
        client = AnyClient(contract, Address.parse(check.address), secret)
        timeout_s = settings.health_timeout_s
        return HealthSource(client, clock, failures=check.failures, timeout_s=timeout_s)

    patience = Patience(
        grace=settings.grace, slack_s=settings.slack_s, start_up_s=settings.start_up_s
    )
    store = Store(folder / "praxis.db", "praxis.store", clock)
    try:
        vigil, pulse = Vigil(clock), Pulse()
        book, items = SourceBook(store), Items(store)
        ids = Ids(clock)
        damping = Damping(
            most_turns=settings.flapping_turns,
            window=timedelta(seconds=settings.flapping_window_s),
            quiet=timedelta(seconds=settings.flapping_quiet_s),
        )
        ledger = Ledger(store, clock, ids, pulse, vigil.horizon, damping)
        polling = Polling(adapt, book, ledger, items, clock)
        watch = Watch(vigil, book, items, ledger, polling, patience)
        finder = Finder(store)
        routines = await asyncio.to_thread(Routines, store)
        doors = await asyncio.to_thread(Doors, store)
        overdue = Overdue(vigil, routines, ledger, clock)
        service = Praxis(
            ledger=ledger,
            items=items,
            finder=finder,
            routines=routines,
            doors=doors,
            rejected=RejectedReader(store),
            applicable=Applicable(catalog),
            feed=Feed(store),
            book=book,
            polling=polling,
            patience=patience,
            pulse=pulse,
            ids=ids,
            clock=clock,
        )
        hosted = Hosted(contract=CONTRACT, service=service, grants=grants, store=store, clock=clock)
        tickers = [
            Ticker("watch", EVERY_S, watch.look),
            Ticker("remember", settings.remember_every_s, watch.remember),
            Ticker("routines", OVERDUE_EVERY_S, overdue.look),
            Ticker("search", _FINDABLE_S, finder.keep_up),
        ]
        if nexus is not None:
            mapping = Mapping(nexus, items, ledger, clock)
            tickers.append(Ticker("map", MAPPING_EVERY_S, mapping.look))
        async with polling:
            yield Running(
                hosted=hosted,
                tickers=tickers,
                pulses=[pulse],
                listeners=_listeners(settings, doors, service),
            )
        await watch.remember()
    finally:
        await store.close()


def _listeners(settings: Settings, doors: Doors, service: Praxis) -> dict[Address, ASGIApp]:
    """The doors, if they are open."""
    if settings.doors_port is None:
        return {}
    listener = Listener(doors, service.deliver)
    return {Address(host="127.0.0.1", port=settings.doors_port): listener}

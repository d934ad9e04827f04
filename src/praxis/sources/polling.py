"""Look at every pulled source at its own pace; none waits for another, none harms another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import Context
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self

import structlog
from msgspec.structs import replace

from kit.clock import Clock, to_text
from kit.errors import ServiceError
from kit.ticker import Ticker
from kit.trace import originate, working_for
from praxis.contract import HealthCheck, Look, ObservedState, Severity
from praxis.domain.freshness import KnownSource
from praxis.domain.observation import Observation
from praxis.sources import Reading, Source
from praxis.store.ledger import Ledger
from praxis.store.reading import Items
from praxis.store.sources import SourceBook, after

_log = structlog.get_logger()
_REPEAT = timedelta(seconds=10)
"""How often a problem that goes on is written again."""
_STOP_S = 5.0

Adapt = Callable[[str, HealthCheck | Look], Source]
"""Makes the adapter of a source from its name and what is configured."""


@dataclass(frozen=True, slots=True)
class _Loop:
    ticker: Ticker
    task: asyncio.Task[None]
    adapter: Source

    async def end(self) -> None:
        """Wait for the look under way, and no longer than a look may take."""
        _, pending = await asyncio.wait({self.task}, timeout=_STOP_S)
        for late in pending:
            late.cancel()
        self.adapter.close()


class Polling:
    """The pulled sources, each with its own loop."""

    def __init__(
        self, adapt: Adapt, book: SourceBook, ledger: Ledger, items: Items, clock: Clock
    ) -> None:
        self._adapt = adapt
        self._book = book
        self._ledger = ledger
        self._items = items
        self._clock = clock
        self._loops: dict[str, _Loop] = {}
        self._trouble: dict[str, str] = {}
        self._told: dict[tuple[str, str], tuple[ObservedState, Severity, datetime | None]] = {}
        """State, severity and time of what was last written of each item of a source."""

    async def __aenter__(self) -> Self:
        for source in self._book.all():
            if source.last_state is not None and source.last_severity is not None:
                told = (source.last_state, source.last_severity, None)
                self._told[source.source, source.kind] = told
            self._start(source)
        return self

    async def __aexit__(self, *_: object) -> None:
        loops, self._loops = self._loops, {}
        for loop in loops.values():
            loop.ticker.stop()
        for loop in loops.values():
            await loop.end()

    async def follow(self, source: KnownSource) -> None:
        """Look at a source as it is configured now, from now on."""
        known = self._loops.pop(source.source, None)
        if known is not None:
            known.ticker.stop()
            await known.end()
        for each in [each for each in self._told if each[0] == source.source]:
            del self._told[each]
        self._start(source)

    def _start(self, source: KnownSource) -> None:
        check = source.pulled
        if check is None:
            return
        try:
            adapter = self._adapt(source.source, check)
        except ServiceError as error:  # what it needs may have gone since it was configured
            _log.warning("source_unusable", source=source.source, error=error.message)
            self._trouble[source.source] = error.message
            return
        ticker = Ticker(source.source, check.every_s, lambda: self._look(source.source, adapter))
        # A fresh context: the loop outlives the call that registered the source.
        task = asyncio.get_running_loop().create_task(ticker.run(), context=Context())
        self._loops[source.source] = _Loop(ticker, task, adapter)

    def try_out(self, source: KnownSource) -> None:
        """Whether a source could be looked at as it is configured.

        Raises:
            InvalidArgument: It could not; the field says why.
        """
        if source.pulled is not None:
            self._adapt(source.source, source.pulled).close()

    def trouble(self, name: str) -> str:
        """Why a source cannot be looked at; empty when it can."""
        return self._trouble.get(name, "")

    async def _look(self, name: str, adapter: Source) -> None:
        with working_for(originate("service:praxis")):
            try:
                readings = await adapter.poll()
            except ServiceError as error:
                if self._trouble.get(name) != error.message:
                    _log.warning("source_unreadable", source=name, error=error.message)
                self._trouble[name] = error.message
                return
            self._trouble.pop(name, None)
            self._book.hear(name, self._clock.now())
            for reading in readings:
                await self._record(name, reading)

    async def _record(self, name: str, reading: Reading) -> None:
        source = self._book.get(name)
        if source is None:
            return
        observation = _observation(source, reading, self._clock)
        stand = after(source, observation)
        if reading.instance_id is not None and reading.instance_id != source.instance_id:
            stand = replace(
                stand, instance_id=reading.instance_id, instance_started_at=reading.started_at
            )
        self._book.put(stand, observation)
        if stand.instance_id != source.instance_id and source.instance_id is not None:
            await self._ledger.tell_of_instance(stand, source.instance_started_at)
        if self._matters(source, observation):
            await self._ledger.observe(observation, stand)
            told = (observation.state, observation.severity, observation.observed_at)
            self._told[name, observation.key] = told
            self._book.written(stand)

    def _matters(self, source: KnownSource, observation: Observation) -> bool:
        """Whether it must be written: it is news, or an item waits for it, or it goes on and on."""
        state, severity, at = self._told.get((source.source, observation.key), (None, None, None))
        if observation.state != state or observation.severity != severity:
            return True
        if observation.state == "ok":
            return self._items.needs_health(source.source, observation.key, source.entity_id)
        return at is None or observation.observed_at - at >= _REPEAT


def _observation(source: KnownSource, reading: Reading, clock: Clock) -> Observation:
    key = reading.key or source.kind
    return Observation(
        source=source.source,
        event_id=reading.event_id or f"{key}@{to_text(reading.observed_at)}",
        key=key,
        kind=reading.kind or source.kind,
        state=reading.state,
        severity=reading.severity,
        summary=_named(source, reading),
        observed_at=reading.observed_at,
        received_at=clock.now(),
        details=reading.details,
        subject=reading.subject,
        link=reading.link,
        weight=reading.weight,
        is_look=True,
    )


def _named(source: KnownSource, reading: Reading) -> str:
    """What was seen, with the name of the source; an agent is named by its own words."""
    is_agent = (reading.kind or "").startswith("agent.")
    if source.look is None or is_agent:
        return reading.summary
    return f"{source.source}: {reading.summary}"

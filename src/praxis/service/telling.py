"""What is told: observations, and how far executions have come."""

from __future__ import annotations

from datetime import datetime, timedelta

from kit import redact
from kit.errors import InvalidArgument, PermissionDenied
from kit.trace import Call
from praxis.contract import (
    ExecutionReported,
    Observe,
    ObserveBatch,
    Observed,
    ObservedBatch,
    ReportExecution,
)
from praxis.domain.freshness import KnownSource
from praxis.domain.observation import Observation
from praxis.service.composed import Composed
from praxis.store.intake import HEXIS, OWN
from praxis.store.sources import after

_AHEAD = timedelta(seconds=60)
"""How far a reporter's clock may run ahead."""
RESERVED = frozenset({OWN, HEXIS})
_TITLE = 400
"""Characters of a summary that are kept."""


class Telling(Composed):
    """The operations of those who report."""

    async def observe(self, request: Observe, call: Call) -> Observed:
        """Take one observation.

        Raises:
            InvalidArgument: It was observed in the future.
            PermissionDenied: The source is one that only Praxis itself speaks for.
        """
        return (await self._take([request], ""))[0]

    async def observe_batch(self, request: ObserveBatch, call: Call) -> ObservedBatch:
        """Take many observations, or none of them.

        Raises:
            InvalidArgument: One was observed in the future.
            PermissionDenied: One is of a source that only Praxis itself speaks for.
        """
        return ObservedBatch(await self._take(request.observations, "observations."))

    async def report_execution(self, request: ReportExecution, call: Call) -> ExecutionReported:
        """Take one state of an execution."""
        healthy = self._book.healthy_since(request.entity_id, request.at)
        return await self._ledger.report(request, healthy)

    async def _take(self, requests: list[Observe], place: str) -> list[Observed]:
        now = self._clock.now()
        told = [
            self._checked(request, now, f"{place}{number}." if place else "")
            for number, request in enumerate(requests)
        ]
        return await self._record(told, now)

    async def _record(self, told: list[Observation], now: datetime) -> list[Observed]:
        """Take observations, and how their sources stand after those that are new."""
        stand: dict[str, KnownSource] = {}
        for observation in told:
            name, event_id = observation.source, observation.event_id
            if event_id and self._items.has_event(name, event_id):
                continue
            self._book.hear(name, min(observation.observed_at, now))
            heard_of = KnownSource(source=name, kind=observation.kind, registered_at=now)
            stand[name] = after(stand.get(name) or self._book.get(name) or heard_of, observation)
        for source in stand.values():
            self._book.put(source)
        news = [source for source in stand.values() if self._book.is_news(source)]
        observed = await self._ledger.observe_all(told, news)
        for source in news:
            self._book.written(source)
        return observed

    def _checked(self, request: Observe, now: datetime, place: str) -> Observation:
        self._refuse_what_praxis_sees(request.source, f"{place}source")
        if request.observed_at is not None and request.observed_at > now + _AHEAD:
            raise InvalidArgument(
                f"`observed_at` lies in the future; it is {now.isoformat()} here.",
                reason="observed_in_future",
                field=f"{place}observed_at",
            )
        return Observation(
            source=request.source,
            event_id=request.event_id or "",
            key=request.key or request.source,
            kind=request.kind,
            state=request.state,
            severity=request.severity,
            summary=redact.text(request.summary, _TITLE),
            observed_at=request.observed_at or now,
            received_at=now,
            entity_id=request.entity_id,
            details={
                redact.text(name): redact.text(value) for name, value in request.details.items()
            },
            subject=request.subject and redact.text(request.subject),
            group=request.group,
            link=request.link and redact.text(request.link, 500),
        )

    def _refuse_what_praxis_sees(self, name: str, field: str) -> None:
        source = self._book.get(name)
        if name in RESERVED or (source is not None and source.pulled):
            raise PermissionDenied(
                f"Praxis looks at {name} by itself; nobody else reports for it.",
                reason="source_reserved",
                field=field,
            )

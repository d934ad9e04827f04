"""Praxis: one method per operation."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import msgspec

from kit import redact
from kit.address import Address
from kit.clock import Clock
from kit.errors import InvalidArgument, NotFound, PermissionDenied
from kit.ids import Ids
from kit.pulse import Pulse
from kit.trace import Call
from praxis.contract import (
    AttentionList,
    ChangeList,
    ExecutionList,
    ExecutionReported,
    GetItem,
    Item,
    ItemList,
    ListAttention,
    ListChanges,
    ListItemExecutions,
    ListItems,
    ListSources,
    MarkSurfaced,
    Observe,
    Observed,
    PutSource,
    ReportExecution,
    SourceList,
    SourceState,
    Transition,
)
from praxis.domain.freshness import KnownSource, Patience, freshness
from praxis.domain.observation import Observation
from praxis.sources.polling import Polling
from praxis.store.changes import Feed
from praxis.store.intake import HEXIS, OWN
from praxis.store.items import Items
from praxis.store.ledger import Ledger
from praxis.store.sources import SourceBook, after

_AHEAD = timedelta(seconds=60)
"""How far a reporter's clock may run ahead."""
_RESERVED = frozenset({OWN, HEXIS})
_TITLE = 400
"""Characters of a summary that are kept."""


class Praxis:
    """What needs a person, and why."""

    def __init__(
        self,
        *,
        ledger: Ledger,
        items: Items,
        feed: Feed,
        book: SourceBook,
        polling: Polling,
        patience: Patience,
        pulse: Pulse,
        ids: Ids,
        clock: Clock,
    ) -> None:
        self._ledger = ledger
        self._items = items
        self._feed = feed
        self._book = book
        self._polling = polling
        self._patience = patience
        self._pulse = pulse
        self._ids = ids
        self._clock = clock

    async def list_attention(self, request: ListAttention, call: Call) -> AttentionList:
        """What needs attention, what was set aside, and why an empty list is to be believed."""
        ranked, total = self._items.attention(request.entity_ids, request.limit)
        sources = [self._state(source) for source in self._book.all() if source.is_registered]
        aside, _ = self._items.list(
            ListItems(
                entity_ids=request.entity_ids,
                operational="active",
                attention="resolved",
                limit=request.limit,
            )
        )
        return AttentionList(
            items=ranked,
            total=total,
            sources=sources,
            set_aside=[item for item in aside if not item.awaiting_recovery],
        )

    async def list_changes(self, request: ListChanges, call: Call) -> ChangeList:
        """The feed after a cursor.

        Raises:
            FailedPrecondition: The feed does not hold what follows that cursor.
        """
        after_cursor = request.after
        if after_cursor is None:
            after_cursor = 0 if request.since is not None else self._feed.end()
        ends_at = self._clock.monotonic() + request.wait_s
        while True:
            page = self._feed.page(after_cursor, request.since, request.entity_ids, request.limit)
            # Nothing runs between this read and the wait, so no beat falls in between.
            remaining = ends_at - self._clock.monotonic()
            if page.changes or not await self._pulse.wait(remaining):
                return page

    async def list_items(self, request: ListItems, call: Call) -> ItemList:
        """Items of some entities or of all."""
        found, total = self._items.list(request)
        return ItemList(items=found, total=total)

    async def get_item(self, request: GetItem, call: Call) -> Item:
        """One item.

        Raises:
            NotFound: There is none of this id.
        """
        item = self._items.get(request.item_id)
        if item is None:
            raise NotFound(f"There is no item {request.item_id}.", field="item_id")
        return item

    async def list_item_executions(self, request: ListItemExecutions, call: Call) -> ExecutionList:
        """What was done about an item.

        Raises:
            NotFound: There is none of this id.
        """
        item = await self.get_item(GetItem(request.item_id), call)
        return ExecutionList(executions=item.executions)

    async def list_sources(self, request: ListSources, call: Call) -> SourceList:
        """Sources of some entities or all."""
        wanted = set(request.entity_ids)
        return SourceList(
            sources=[
                self._state(source)
                for source in self._book.all()
                if not wanted or wanted & {source.entity_id, source.named_entity_id}
            ]
        )

    async def observe(self, request: Observe, call: Call) -> Observed:
        """Take one observation.

        Raises:
            InvalidArgument: It was observed in the future.
            PermissionDenied: The source is one that only Praxis itself speaks for.
        """
        now = self._clock.now()
        source = self._book.get(request.source)
        if request.source in _RESERVED or (source is not None and source.health_check):
            raise PermissionDenied(
                f"Praxis looks at {request.source} by itself; nobody else reports for it.",
                reason="source_reserved",
                field="source",
            )
        observation = self._observation(request, now)
        if observation.observed_at > now + _AHEAD:
            raise InvalidArgument(
                f"`observed_at` lies in the future; it is {now.isoformat()} here.",
                reason="observed_in_future",
                field="observed_at",
            )
        if self._items.has_event(observation.source, observation.event_id):
            return await self._ledger.observe(observation)
        self._book.hear(request.source, min(observation.observed_at, now))
        heard_of = KnownSource(source=request.source, kind=request.kind, registered_at=now)
        stand = after(source or heard_of, observation)
        self._book.put(stand)
        observed = await self._ledger.observe(observation, stand)
        self._book.written(stand)
        return observed

    async def report_execution(self, request: ReportExecution, call: Call) -> ExecutionReported:
        """Take one state of an execution."""
        healthy = self._book.healthy_since(request.entity_id, request.at)
        return await self._ledger.report(request, healthy)

    async def mark_surfaced(self, request: MarkSurfaced, call: Call) -> ItemList:
        """Items were shown to a person.

        Raises:
            NotFound: One of them does not exist.
        """
        return await self._ledger.surface(request, call.requester)

    async def acknowledge(self, request: Transition, call: Call) -> Item:
        """A person has taken note.

        Raises:
            Conflict: The item moved on since they saw it.
        """
        return await self._ledger.transit("acknowledged", _clean(request), call.requester)

    async def resolve(self, request: Transition, call: Call) -> Item:
        """A person says it is dealt with, even if its source says otherwise.

        Raises:
            Conflict: The item moved on since they saw it.
        """
        return await self._ledger.transit("resolved", _clean(request), call.requester)

    async def put_source(self, request: PutSource, call: Call) -> SourceState:
        """Register a source or change it; one that is pulled is looked at from now on.

        Raises:
            InvalidArgument: The name is reserved, the address none, or the interval shorter than
                that of the check.
        """
        _check_source(request)
        known = self._book.get(request.source)
        configured = KnownSource(
            source=request.source,
            kind=request.kind,
            entity_id=request.entity_id,
            expected_every_s=request.expected_every_s,
            health_check=request.health_check,
            registered_at=self._clock.now(),
        )
        if known is not None:
            configured = replace(
                known,
                registered_at=(known if known.is_registered else configured).registered_at,
                kind=request.kind,
                entity_id=request.entity_id,
                expected_every_s=request.expected_every_s,
                health_check=request.health_check,
            )
        if configured != known:
            self._book.put(configured)
            await self._ledger.put_source(configured)
            self._book.written(configured)
            await self._polling.follow(configured)
        return self._state(self._book.get(request.source) or configured)

    def _observation(self, request: Observe, now: datetime) -> Observation:
        details = request.details.items()
        return Observation(
            source=request.source,
            event_id=request.event_id or self._ids.new("evt"),
            key=request.key or request.source,
            kind=request.kind,
            state=request.state,
            severity=request.severity,
            summary=redact.text(request.summary, _TITLE),
            observed_at=request.observed_at or now,
            received_at=now,
            entity_id=request.entity_id,
            details={redact.text(name): redact.text(value) for name, value in details},
        )

    def _state(self, source: KnownSource) -> SourceState:
        heard_at = self._book.heard_at(source.source)
        return SourceState(
            source=source.source,
            kind=source.kind,
            entity_id=source.entity_id or source.named_entity_id,
            freshness=freshness(source, heard_at, self._clock.now(), self._patience),
            expected_every_s=source.expected_every_s,
            last_observed_at=source.last_observed_at,
            last_state=source.last_state,
            last_change_at=source.last_change_at,
            instance_started_at=source.instance_started_at,
        )


def _clean(request: Transition) -> Transition:
    return msgspec.structs.replace(request, note=redact.text(request.note, _TITLE))


def _check_source(request: PutSource) -> None:
    if request.source in _RESERVED:
        raise InvalidArgument(
            f"`{request.source}` is a name Praxis uses itself.", reason="reserved", field="source"
        )
    check = request.health_check
    if check is None:
        return
    try:
        Address.parse(check.address)
    except InvalidArgument as error:
        raise InvalidArgument(error.message, field="health_check.address") from error
    if request.expected_every_s < check.every_s:
        raise InvalidArgument(
            "`expected_every_s` is shorter than the check's own `every_s`.",
            field="expected_every_s",
        )

"""What the operations of Praxis are made of."""

from __future__ import annotations

from kit.clock import Clock
from kit.ids import Ids
from kit.pulse import Pulse
from praxis.applicable import Applicable
from praxis.contract import SourceState
from praxis.domain.freshness import KnownSource, Patience, freshness
from praxis.sources.polling import Polling
from praxis.store.changes import Feed
from praxis.store.deliveries import Doors, RejectedReader
from praxis.store.ledger import Ledger
from praxis.store.reading import Items
from praxis.store.routines import Routines
from praxis.store.searching import Finder
from praxis.store.sources import SourceBook


class Composed:
    """Holds the parts; the operations are added by topic."""

    def __init__(
        self,
        *,
        ledger: Ledger,
        items: Items,
        finder: Finder,
        feed: Feed,
        book: SourceBook,
        polling: Polling,
        routines: Routines,
        doors: Doors,
        rejected: RejectedReader,
        applicable: Applicable,
        patience: Patience,
        pulse: Pulse,
        ids: Ids,
        clock: Clock,
    ) -> None:
        self._ledger = ledger
        self._items = items
        self._finder = finder
        self._feed = feed
        self._book = book
        self._polling = polling
        self._routines = routines
        self._doors = doors
        self._rejected = rejected
        self._applicable = applicable
        self._patience = patience
        self._pulse = pulse
        self._ids = ids
        self._clock = clock

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
            dialect=None if (door := self._doors.of(source.source)) is None else door.dialect,
        )

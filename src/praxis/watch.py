"""What time alone changes: sources that fall silent, waits for recovery that end in vain."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from kit.clock import Clock
from praxis.domain.freshness import Patience, freshness, is_forgotten, is_silent
from praxis.sources.polling import Polling
from praxis.store.ledger import Ledger
from praxis.store.reading import Items
from praxis.store.sources import SourceBook

EVERY_S = 1.0
_FIRST_LOOK = timedelta(seconds=10)
"""How long after a start, or after having been frozen, no wait is called vain."""
_FROZEN = timedelta(seconds=10)
"""A gap between two looks from which it was Praxis itself that was not there."""
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


class Vigil:
    """Since when Praxis has been able to see, without a gap."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.since = self._last = clock.now()

    def awake(self) -> datetime:
        """Note that Praxis is awake now; a long gap begins a new vigil."""
        now = self._clock.now()
        if now - self._last > _FROZEN:
            self.since = now
        self._last = now
        return now

    def horizon(self) -> datetime:
        """Up to when a recovery would have been seen."""
        now = self._clock.now()
        return now if now - self.since >= _FIRST_LOOK else _NEVER


class Watch:
    """Looks at the clock."""

    def __init__(
        self,
        vigil: Vigil,
        book: SourceBook,
        items: Items,
        ledger: Ledger,
        polling: Polling,
        patience: Patience,
    ) -> None:
        self._vigil = vigil
        self._book = book
        self._items = items
        self._ledger = ledger
        self._polling = polling
        self._patience = patience

    async def look(self) -> None:
        """Judge every source and every wait by the present time."""
        now = self._vigil.awake()
        for source in self._book.all():
            heard_at = self._book.heard_at(source.source)
            silent = is_silent(source, heard_at, self._vigil.since, now, self._patience)
            # Patience after a start is for those judged fresh; a stale one must really be heard.
            fresh = freshness(source, heard_at, now, self._patience) == "fresh"
            if silent != source.is_stale and (silent or fresh):
                judged = replace(source, is_stale=silent)
                self._book.put(judged)
                await self._ledger.judge(judged, self._polling.trouble(source.source))
                self._book.written(judged)
        due = self._items.due(self._vigil.horizon())
        if due:
            await self._ledger.pass_time(due)

    async def remember(self) -> None:
        """Write down what was heard since the last time, and let go of who is long gone."""
        now = self._vigil.awake()
        gone = [source.source for source in self._book.all() if is_forgotten(source, now)]
        if gone:
            for name in gone:
                self._book.forget(name)
            await self._ledger.forget_sources(gone)
        await self._ledger.sweep()
        stand = self._book.unwritten()
        if stand:
            await self._ledger.save_sources(stand)
            for source in stand:
                self._book.written(source)

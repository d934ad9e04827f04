"""Tell when a calendar was last changed; one that stands still may be cut off."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path

from kit.clock import Clock
from kit.errors import Unavailable
from praxis.contract.looks import CalendarLook
from praxis.sources import Reading
from praxis.sources.caldav import PROPFIND, Collection
from praxis.sources.verdict import bad, good


class CalendarSource:
    """One calendar."""

    def __init__(self, look: CalendarLook, clock: Clock, logins: Path | None) -> None:
        self._look = look
        self._clock = clock
        self._collection = Collection(look, logins)

    async def poll(self) -> list[Reading]:
        """Ask once.

        Raises:
            ServiceError: The server cannot be asked or does not tell.
        """
        at = self._clock.now()
        found = await self._collection.ask("PROPFIND", PROPFIND)
        times = [changed_at(each["getlastmodified"]) for each in found if "getlastmodified" in each]
        if not times:
            raise Unavailable(f"{self._look.path} does not tell when it was changed.")
        newest = max(times)
        said = f"was last changed on {newest:%Y-%m-%d %H:%M} UTC"
        details = {"changed_at": newest.isoformat(), "days": str((at - newest).days)}
        if at - newest > timedelta(days=self._look.stale_days):
            return [bad(at, "stale", said, "warning", details)]
        return [good(at, said, details)]

    def close(self) -> None:
        """Nothing is held between looks."""


def changed_at(text: str) -> datetime:
    """The instant that a server told.

    Raises:
        Unavailable: It is none.
    """
    try:
        found = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        raise Unavailable("The server tells no times.") from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)

"""Time zones by name, read from disk once each."""

from __future__ import annotations

from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


@cache
def zone_of(name: str) -> ZoneInfo:
    """The zone; the first time it is read from disk, so not on the event loop.

    Raises:
        LookupError: There is no such zone.
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise LookupError(
            f"There is no time zone `{name}`; name one such as `Europe/Berlin`."
        ) from error

"""Where the time comes from: a protocol, and the system's own clock."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from functools import lru_cache
from typing import Protocol

from kit.errors import InvalidArgument


class Clock(Protocol):
    """Tells the wall time and a time that never jumps."""

    def now(self) -> datetime:
        """The present instant, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds from an arbitrary start, never going back."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The present instant, aware, in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds from an arbitrary start, never going back."""
        return time.monotonic()


@lru_cache(maxsize=512)
def to_text(at: datetime) -> str:
    """RFC 3339 in UTC with microseconds, a form that sorts as text.

    Raises:
        InvalidArgument: In UTC it would lie outside the years 1 to 9999.
    """
    if at.tzinfo is UTC:
        return f"{at.isoformat(timespec='microseconds')[:-6]}Z"
    try:
        utc = at.astimezone(UTC)
    except OverflowError as error:
        raise InvalidArgument(
            f"The time {at} is out of range.", reason="time_out_of_range"
        ) from error
    return f"{utc.replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


def from_text(text: str) -> datetime:
    """The instant that `to_text` wrote."""
    return datetime.fromisoformat(text)

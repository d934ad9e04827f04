"""In which order a topic is recalled (VECNA specification, section 4.2)."""

from __future__ import annotations

import calendar
from datetime import datetime

VITAL = 5
"""The importance that age does not touch."""


def decay_before(now: datetime) -> datetime:
    """Fragments older than this, unless vital, go below the others: six calendar months."""
    years, month = divmod(now.month - 1 - 6, 12)
    year, month = now.year + years, month + 1
    day = min(now.day, calendar.monthrange(year, month)[1])
    return now.replace(year=year, month=month, day=day)

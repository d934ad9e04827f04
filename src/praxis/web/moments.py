"""Times as a person reads them: how long ago, and exactly when, in both languages."""

from __future__ import annotations

from datetime import datetime

from praxis.web.texts import Texts
from praxis.web.texts.table import Unit

_JUST = 10
_STEPS: tuple[tuple[int, int, Unit], ...] = (
    (60, 1, "second"),
    (3600, 60, "minute"),
    (86400, 3600, "hour"),
    (45 * 86400, 86400, "day"),
)
"""Below so many seconds, in units of so many seconds, called so."""
_EVERY: tuple[tuple[float, Unit], ...] = ((86400, "day"), (3600, "hour"), (60, "minute"))


def relative(at: datetime, now: datetime, texts: Texts) -> str:
    """How long ago or how soon, such as `5 minutes ago`; a date when it is far."""
    seconds = (now - at).total_seconds()
    size = abs(seconds)
    if size < _JUST:
        return texts.now
    for below, unit_s, unit in _STEPS:
        if size < below:
            forms = texts.ago if seconds > 0 else texts.ahead
            return texts.counted(forms[unit], int(size // unit_s))
    return _date(at, texts)


def exact(at: datetime, texts: Texts) -> str:
    """The date and time of this machine's zone, to the second, with the zone."""
    local = at.astimezone()
    zone = local.strftime("%z")
    return f"{_date(at, texts)}, {local:%H:%M:%S} UTC{zone[:3]}:{zone[3:5]}"


def every(seconds: float, texts: Texts) -> str:
    """An interval, such as `5 minutes` after “every”."""
    for unit_s, unit in _EVERY:
        if seconds >= unit_s and seconds % unit_s == 0:
            return texts.counted(texts.every[unit], int(seconds // unit_s))
    return texts.counted(texts.every["second"], max(1, round(seconds)))


def _date(at: datetime, texts: Texts) -> str:
    local = at.astimezone()
    return f"{local.day} {texts.months[local.month - 1]} {local.year}"

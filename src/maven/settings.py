"""Settings of Maven, table `[maven]`."""

from __future__ import annotations

from kit.settings import Listening
from maven.contract import Language


class Settings(Listening, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a person may set."""

    log_level: str = "info"
    """`debug`, `info`, `warning` or `error`."""
    zone: str | None = None
    """Time zone in which times are said, such as `Europe/Moscow`; the machine's own by default."""
    language: Language = "en"
    """What to answer in when nothing that was said tells."""
    wait_s: float = 10.0
    """Seconds a turn waits for the end of what it set going before it answers without it."""
    watch_min: float = 15.0
    """Minutes Maven waits to tell what became of an execution."""
    trace_days: float = 30.0
    """Days the trace of a turn is kept."""
    history_days: float = 365.0
    """Days a turn and what was said unasked are kept."""

"""Settings of Vecna, table `[vecna]`."""

from __future__ import annotations

from kit.settings import Listening


class Settings(Listening, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a person may set."""

    log_level: str = "info"
    """`debug`, `info`, `warning` or `error`."""
    dedup_window_min: float = 5.0
    """Minutes in which the same important fragment is kept once; 0 keeps every one."""

"""Settings of Nexus, table `[nexus]`."""

from __future__ import annotations

from kit.settings import Listening


class Settings(Listening, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a person may set."""

    log_level: str = "info"
    """`debug`, `info`, `warning` or `error`."""

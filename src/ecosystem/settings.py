"""Settings of the ecosystem as a whole, table `[ecosystem]`."""

from __future__ import annotations

import msgspec


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a person may set."""

    restart_on_crash: bool = True
    """Whether the supervisor starts a part again when it dies by itself."""
    health_every_s: float = 1.0
    """How often Praxis asks each part how it is."""

"""Settings of Nexus, table `[nexus]`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from kit.settings import Listening


class Settings(Listening, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a person may set."""

    log_level: str = "info"
    """`debug`, `info`, `warning` or `error`."""
    reconcile_port: Annotated[int, Meta(ge=1, le=65535)] | None = None
    """Port on 127.0.0.1 of the reconciliation service; `nexus reconcile-url` prints its URLs."""

"""Settings of Hexis, table `[hexis]`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from kit.settings import Listening


class Settings(Listening, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a person may set."""

    log_level: str = "info"
    """`debug`, `info`, `warning` or `error`."""
    capabilities: str | None = None
    """Folder of the provider files; `config/capabilities` in the ecosystem's folder if not set."""
    supervisor_socket: str | None = None
    """Where supervisord listens; `run/supervisor.sock` in the ecosystem's folder if not set."""
    own_program: str = "hexis"
    """What the supervisor calls Hexis; `restart-<it>` is the program that restarts it."""
    confirmation_ttl_s: Annotated[float, Meta(gt=0, le=3600)] = 120.0
    """Seconds in which a person can say yes."""
    grace_s: Annotated[float, Meta(ge=0, le=60)] = 5.0
    """Seconds that executions under way get when Hexis stops."""

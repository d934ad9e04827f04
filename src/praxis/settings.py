"""Settings of Praxis, table `[praxis]`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from msgspec import Meta

from kit.settings import Listening


class Settings(Listening, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a person may set."""

    log_level: str = "info"
    """`debug`, `info`, `warning` or `error`."""
    grace: float = 3.0
    """How many expected intervals a source may stay silent before it counts as stale."""
    slack_s: float = 2.0
    """Seconds of silence borne on top of that, whatever the interval."""
    start_up_s: float = 60.0
    """At most so many seconds after its own start Praxis calls no source stale."""
    flapping_turns: Annotated[int, Meta(ge=1, le=1000)] = 3
    """More changes between ill and well than this within `flapping_window_s` are flapping."""
    flapping_window_s: Annotated[float, Meta(gt=0)] = 300.0
    """Seconds in which changes are counted."""
    flapping_quiet_s: Annotated[float, Meta(ge=0)] = 120.0
    """Seconds that what flaps must be well before its recovery is believed."""
    health_timeout_s: float = 2.0
    """Seconds a health check waits for its answer."""
    remember_every_s: float = 30.0
    """Seconds between writing down what was heard and changed nothing."""
    doors_port: Annotated[int, Meta(ge=1, le=65535)] | None = None
    """Port on 127.0.0.1 where sources deliver in their own dialects; none keeps the doors shut."""
    logins: Path | None = None
    """A netrc file of mode 0600 with the passwords of CalDAV servers, each for its host alone."""

"""When a source counts as gone quiet; silence is never taken for recovery."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import msgspec

from praxis.contract import Freshness, HealthCheck, Look, ObservedState, Severity

_UNPROMISED = timedelta(days=1)
"""How long the word of a source that promised nothing passes for fresh."""
_FORGOTTEN = timedelta(days=30)
"""After so long without a word such a source is no longer known."""


class KnownSource(msgspec.Struct, frozen=True, kw_only=True):
    """A source and the last that is known from it."""

    source: str
    kind: str
    entity_id: str | None = None
    expected_every_s: float | None = None
    """None: it was never registered, only heard of."""
    health_check: HealthCheck | None = None
    look: Look | None = None
    registered_at: datetime
    last_observed_at: datetime | None = None
    last_state: ObservedState | None = None
    last_severity: Severity | None = None
    last_change_at: datetime | None = None
    instance_id: str | None = None
    instance_started_at: datetime | None = None
    is_stale: bool = False
    """It has been judged silent, and its items marked."""
    named_entity_id: str | None = None
    """The entity its newest observation named."""

    @property
    def pulled(self) -> HealthCheck | Look | None:
        """How Praxis looks at it by itself; None: it is told."""
        return self.health_check or self.look

    @property
    def is_registered(self) -> bool:
        """Whether it promised to speak, so that its silence means something."""
        return self.expected_every_s is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How much silence is borne."""

    grace: float = 3.0
    """Intervals that may pass without news."""
    slack_s: float = 2.0
    """And so many seconds more, whatever the interval."""
    start_up_s: float = 60.0
    """At most so long after a start of Praxis nothing is judged that it could not have heard."""

    def allowed(self, source: KnownSource) -> timedelta:
        """How long this source may be silent."""
        if source.expected_every_s is None:
            return _UNPROMISED
        return timedelta(seconds=source.expected_every_s * self.grace + self.slack_s)


def freshness(
    source: KnownSource, heard_at: datetime | None, now: datetime, patience: Patience
) -> Freshness:
    """How fresh its news is, by what is really known; no grace makes old news fresh."""
    if source.last_observed_at is None:
        return "never"
    latest = max(source.last_observed_at, heard_at or source.last_observed_at)
    return "fresh" if now - latest <= patience.allowed(source) else "stale"


def is_silent(
    source: KnownSource,
    heard_at: datetime | None,
    watching_since: datetime,
    now: datetime,
    patience: Patience,
) -> bool:
    """Whether its silence is to be reported: longer than allowed, and not our own deafness."""
    if not source.is_registered:
        return False
    allowed = patience.allowed(source)
    known = [source.registered_at, source.last_observed_at, heard_at]
    latest = max(at for at in known if at is not None)
    listening_for = min(allowed, timedelta(seconds=patience.start_up_s))
    return now > latest + allowed and now > watching_since + listening_for


def is_forgotten(source: KnownSource, now: datetime) -> bool:
    """Whether it promised nothing and has been quiet for so long that it need not be known."""
    latest = source.last_observed_at or source.registered_at
    return not source.is_registered and now - latest > _FORGOTTEN

"""What a source reported, and what Hexis reported: the facts that items are folded from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import msgspec

from praxis.contract import ObservedState, Severity

SEVERITIES: tuple[Severity, ...] = ("info", "warning", "error", "critical")
"""From the mildest to the gravest."""
HEALTH = "health"
"""The kind whose `ok` lets an entity count as seen healthy."""


def gravity(severity: Severity) -> int:
    """A number that grows with the severity."""
    return SEVERITIES.index(severity)


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """One report of one source; never changed once received."""

    source: str
    event_id: str
    key: str
    kind: str
    state: ObservedState
    severity: Severity
    summary: str
    observed_at: datetime
    received_at: datetime
    observation_id: str = ""
    """Given when it is received."""
    entity_id: str | None = None
    """The entity it names itself; its source's is not written here."""
    details: dict[str, str] = {}
    subject: str = ""
    """What it is about in the words of its source, which Nexus may know."""
    group: str = ""
    """What items of one cause have in common."""
    link: str = ""
    weight: int = 0
    """How much the signal proves: within an episode a lighter one does not outdo a heavier."""
    is_look: bool = False
    """Praxis looked by itself: that a problem goes on is no new report of it."""

    @property
    def shows_health(self) -> bool:
        """Whether it shows what it is about to be well."""
        return self.kind == HEALTH and self.state == "ok"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy:
    """An execution that succeeded and after which its entity must be seen healthy again."""

    execution_id: str
    at: datetime
    recover_by: datetime
    healthy_at: datetime | None = None
    """The first time after `at` that the entity was seen healthy, as far as is known."""

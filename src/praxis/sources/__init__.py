"""What Praxis looks at by itself: one adapter per way of looking, behind one small protocol."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from praxis.contract import ObservedState, Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one look showed."""

    state: ObservedState
    severity: Severity
    summary: str
    observed_at: datetime
    """When the look began: what it shows cannot be newer."""
    key: str | None = None
    """Which item of the source this is about; None: the one that bears the source's kind."""
    kind: str | None = None
    """None: the source's."""
    event_id: str | None = None
    """The same id twice is one observation; None: a look of its own."""
    weight: int = 0
    """How much it proves: within an episode a lighter one does not outdo a heavier."""
    subject: str = ""
    link: str = ""
    details: dict[str, str] = field(default_factory=dict[str, str])
    instance_id: str | None = None
    """Which run of the observed thing answered."""
    started_at: datetime | None = None


class Source(Protocol):
    """Something that can be looked at."""

    async def poll(self) -> list[Reading]:
        """Look once; empty when the look settles nothing yet.

        Raises:
            ServiceError: It cannot be looked at, which says nothing about how it is.
        """
        ...

    def close(self) -> None:
        """Let go of what looking needs."""
        ...

"""What a delivery tells: reports of things, and beats that only show its source to be alive."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from praxis.contract import ObservedState, Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One thing that a source says something of."""

    key: str
    """Which item of the source this is about; never made of text meant for reading."""
    kind: str
    state: ObservedState
    """`progress` takes back a `waiting` of the same kind; `ok` ends whatever goes on."""
    summary: str
    severity: Severity = "warning"
    observed_at: datetime | None = None
    """When it was so, by the source's clock; None where the source does not say."""
    event_id: str | None = None
    """The same id twice is one report; None where two alike may be two."""
    weight: int = 0
    """How much the signal proves: within an episode a lighter one does not outdo a heavier."""
    subject: str = ""
    """What it is about in the words of the source, such as `instance=homesrv:9100`."""
    group: str = ""
    """What items of one cause have in common."""
    link: str = ""
    """Where the source shows more; never followed."""
    details: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class Beat:
    """The source is alive."""

    every_s: float | None = None
    """How often it promises to say so; None where it promises nothing."""


Told = list[Report | Beat]

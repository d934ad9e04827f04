"""What this host holds, seen without changing it: units, repositories, containers."""

from __future__ import annotations

from dataclasses import dataclass, field

from nexus.contract import Discovery

MOST = 2000
"""Things of one kind that are taken; as many as one proposal holds."""


@dataclass(slots=True)
class Sight:
    """What one source saw."""

    discoveries: list[Discovery] = field(default_factory=list[Discovery])
    remarks: list[str] = field(default_factory=list[str])
    """What was left out, and why."""

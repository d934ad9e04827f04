"""The dialects others speak to Praxis in: each turns one delivery into what it tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from typing import Protocol

from praxis.domain.told import Told


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """What came in at a door, as it came."""

    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """By lower-case name."""
    method: str = "POST"
    path: str = ""
    """What followed the door's own path, without its slash: `UUID/start`."""
    query: Mapping[str, str] = field(default_factory=dict[str, str])
    zone: tzinfo = UTC
    """The zone of times that name none."""


class Unfit(Exception):
    """A delivery that does not fit its dialect; it is kept, to be looked at and replayed."""

    def __init__(self, why: str, field: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.field = field


class Dialect(Protocol):
    """One way of telling."""

    name: str

    def read(self, delivery: Delivery) -> Told:
        """What it tells; an empty list where it has nothing to say to Praxis.

        Raises:
            Unfit: It is no delivery of this dialect.
        """
        ...

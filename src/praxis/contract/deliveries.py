"""Deliveries in the dialects of others: taken, or kept as rejected to be looked at and replayed."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from kit.contract import Id, PageLimit, Reply, Request, Time
from praxis.contract.state import SourceName
from praxis.contract.telling import Observed

DialectName = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*$(?!\n)", max_length=40)]
"""Which way of telling: `alertmanager`, `github`, `claude`, …"""
LARGEST_DELIVERY = 1 << 20
"""Bytes of a delivery at most."""


class Deliver(Request):
    """A source tells something in its own dialect."""

    source: SourceName
    dialect: DialectName
    body: Annotated[bytes, Meta(max_length=LARGEST_DELIVERY)] = b""
    """As it came, in base 64."""
    headers: Annotated[dict[str, str], Meta(max_length=100)] = {}
    method: Annotated[str, Meta(max_length=10)] = "POST"
    path: Annotated[str, Meta(max_length=300)] = ""
    """What followed the door's own path: for a ping, which check and what of it."""
    query: Annotated[dict[str, str], Meta(max_length=50)] = {}


class Delivered(Reply):
    """What became of a delivery."""

    observed: list[Observed] = []
    beat: bool = False
    """It showed the source to be alive."""
    rejected_id: Id | None = None
    """It did not fit its dialect, and is kept under this id."""
    why: str = ""
    field: str = ""
    """Where in the delivery it did not fit."""


class ListRejected(Request):
    """Which deliveries did not fit?"""

    source: SourceName | None = None
    limit: PageLimit = 50


class Rejected(Reply):
    """A delivery that did not fit its dialect."""

    rejected_id: Id
    source: str
    dialect: str
    at: Time
    why: str
    field: str
    excerpt: str
    """The beginning of its body, without secrets."""
    size: int
    """Bytes of its body."""


class RejectedList(Reply):
    """Rejected deliveries, the newest first."""

    rejected: list[Rejected]
    total: int


class ReplayRejected(Request):
    """Read a rejected delivery once more, as its dialect is understood now."""

    rejected_id: Id

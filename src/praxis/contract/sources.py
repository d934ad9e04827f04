"""Sources: what reports, how often it promises to, and what Praxis looks at by itself."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from kit.contract import Id, Reply, Request
from praxis.contract.deliveries import DialectName
from praxis.contract.every_look import Look
from praxis.contract.state import Kind, SourceName, SourceState


class ListSources(Request):
    """Which sources report, and how fresh are they?"""

    entity_ids: Annotated[list[Id], Meta(max_length=50)] = []
    """Sources of these entities, and those whose newest observation named one of them."""


class SourceList(Reply):
    """Every source asked for."""

    sources: list[SourceState]


class HealthCheck(Request):
    """Praxis asks an address for its health, again and again."""

    address: Annotated[str, Meta(pattern=r"^(unix:///|http://|https://).+$(?!\n)", max_length=500)]
    every_s: Annotated[float, Meta(ge=0.1, le=3600)] = 1.0
    failures: Annotated[int, Meta(ge=1, le=100)] = 2
    """How many failures in a row make a problem."""
    contract: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*$(?!\n)", max_length=40)] | None = None
    """What is spoken there; none takes what follows the last colon of the source's name."""


class OpenDoor(Request):
    """The source delivers in its own dialect, at a path of its own."""

    dialect: DialectName
    secret: Annotated[str, Meta(min_length=8, max_length=200)] | None = None
    """What its deliveries are signed with; then one without the signature is refused."""
    zone: Annotated[str, Meta(max_length=60)] = "UTC"
    """Where its times are read that name no zone."""
    renew: bool = False
    """Give the door another path; the old one leads nowhere from then on."""


class PutSource(Request):
    """Register a source, or change it."""

    source: SourceName
    kind: Kind
    expected_every_s: Annotated[float, Meta(gt=0, le=31 * 86400)] | None = None
    """How often it promises to speak; none means its silence means nothing."""
    entity_id: Id | None = None
    health_check: HealthCheck | None = None
    """Present: Praxis asks a part of the ecosystem for its health, again and again."""
    look: Look | None = None
    """Present: Praxis looks by itself. With neither, the source tells by `observe` or its door."""
    door: OpenDoor | None = None
    """Present: it also delivers in its own dialect; the answer says where."""

"""The world-state snapshot: each provider gives one bounded fragment, and none can break it."""

from __future__ import annotations

import asyncio
from typing import Protocol

from kit.errors import ServiceError
from maven.domain.snapshot import PATIENCE_S, Fragment, Snapshot, within_budget
from maven.domain.turn import Turn
from maven.ports import Ports, within


class Provider(Protocol):
    """One source of world state."""

    name: str
    source: str

    async def collect(self, turn: Turn, ports: Ports) -> list[str]:
        """Compact lines, the most important first."""
        ...


async def collect(providers: tuple[Provider, ...], turn: Turn, ports: Ports) -> Snapshot:
    """Ask all providers at once; one that fails or is late is marked degraded."""
    fragments = await asyncio.gather(*(_fragment(each, turn, ports) for each in providers))
    return Snapshot(turn.at, tuple(fragments))


async def _fragment(provider: Provider, turn: Turn, ports: Ports) -> Fragment:
    lines: list[str] = []
    degraded = None
    try:
        lines = await within(2 * PATIENCE_S, provider.collect(turn, ports))
    except ServiceError as error:
        degraded = error.code
    return Fragment(
        name=provider.name,
        source=provider.source,
        captured_at=ports.clock.now(),
        lines=within_budget(lines),
        degraded=degraded,
    )

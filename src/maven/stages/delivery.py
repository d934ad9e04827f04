"""Delivery: the answer goes back the way the question came, and what it told counts as surfaced."""

from __future__ import annotations

from dataclasses import replace

from kit.errors import ServiceError
from maven.domain.outcome import Attention, CannotAct, Health
from maven.domain.turn import Turn
from maven.ports import Ports
from praxis.contract import MarkSurfaced


async def deliver(turn: Turn, ports: Ports) -> Turn:
    """Hand the answer to the channel; items told for the first time are marked as surfaced."""
    fresh = _first_told(turn)
    delivered = f"returned to {turn.channel}"
    if not fresh:
        return replace(turn, delivered=delivered)
    try:
        await ports.praxis.mark_surfaced(MarkSurfaced(item_ids=fresh, channel=turn.channel))
    except ServiceError as error:
        failed = f"{delivered}; {len(fresh)} items could not be marked as surfaced"
        return replace(turn, delivered=failed, fallback=f"praxis.mark_surfaced: {error.code}")
    return replace(turn, delivered=f"{delivered}; {len(fresh)} items surfaced")


def _first_told(turn: Turn) -> list[str]:
    match turn.outcome:
        case Attention(items=ranked):
            items = [each.item for each in ranked]
        case Health(items=told) | CannotAct(health=Health(items=told)):
            items = list(told)
        case _:
            return []
    return [each.item_id for each in items if each.attention == "new"]

"""World state from Praxis: how much needs attention, and what cannot be seen."""

from __future__ import annotations

from maven.domain.snapshot import PATIENCE_S
from maven.domain.turn import Turn
from maven.ports import Ports
from praxis.contract import ListAttention


class Attention:
    """The head of the attention list."""

    name = "praxis"
    source = "praxis.list_attention"

    async def collect(self, turn: Turn, ports: Ports) -> list[str]:
        """How many items, the first few, and the sources that are not fresh."""
        listed = await ports.praxis.list_attention(ListAttention(limit=3), timeout_s=PATIENCE_S)
        quiet = [each.source for each in listed.sources if each.freshness != "fresh"]
        lines = [f"{listed.total} in need of attention"]
        lines += [f"{each.item.kind}: {each.item.title[:80]}" for each in listed.items]
        return [*lines, f"not fresh: {', '.join(quiet)}"] if quiet else lines

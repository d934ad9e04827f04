"""World state from Hexis: which kinds of action there are at all."""

from __future__ import annotations

from collections import Counter

from hexis.contract.catalog import ListCapabilities
from maven.domain.snapshot import PATIENCE_S
from maven.domain.turn import Turn
from maven.ports import Ports


class Actions:
    """Capabilities by risk."""

    name = "hexis"
    source = "hexis.list_capabilities"

    async def collect(self, turn: Turn, ports: Ports) -> list[str]:
        """How many there are of each risk, and which actions."""
        listed = await ports.hexis.list_capabilities(ListCapabilities(), timeout_s=PATIENCE_S)
        risks = Counter(each.risk for each in listed.capabilities)
        lines = [f"capabilities of risk {risk}: {count}" for risk, count in sorted(risks.items())]
        actions = sorted({each.action for each in listed.capabilities})
        return [*lines, f"actions: {', '.join(actions)}"] if actions else lines

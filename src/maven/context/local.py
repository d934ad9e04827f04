"""World state Maven has itself: the time, and what the conversation is about."""

from __future__ import annotations

from maven.domain.turn import Turn
from maven.ports import Ports


class Time:
    """When and where it is."""

    name = "time"
    source = "clock"

    async def collect(self, turn: Turn, ports: Ports) -> list[str]:
        """The local date, weekday, time and zone."""
        return [turn.at.astimezone(turn.zone).strftime("%A %Y-%m-%d %H:%M %Z")]


class Conversation:
    """What waits for an answer and what was spoken of."""

    name = "dialogue"
    source = "dialogue"

    async def collect(self, turn: Turn, ports: Ports) -> list[str]:
        """Pending questions first, then the focus."""
        state = turn.dialogue
        lines: list[str] = []
        if state.confirmation:
            waiting = state.confirmation
            lines.append(f"waits for yes: {waiting.action} {waiting.target.entity_id}")
        if state.choice:
            lines.append(f"waits for a choice: {state.choice.intent}")
        lines += [f"in focus: {each.entity_id} {each.name('en')}" for each in state.focus]
        return lines

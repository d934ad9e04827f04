"""Resolution, query and action: the parts that are authoritative are asked."""

from __future__ import annotations

from dataclasses import replace

from maven.domain.outcome import Talk
from maven.domain.turn import Turn
from maven.ports import Ports
from maven.tools import Tool, action, attention, consent, identity, story

_TALK = frozenset({
    "repeat", "help", "greeting", "thanks", "okay", "farewell", "compound", "qualified", "unknown",
})  # fmt: skip

QUERIES: dict[str, Tool] = {
    "attention": attention.attention,
    "health": attention.health,
    "changes": attention.changes,
    "story": story.story,
    "abilities": action.abilities,
    "describe": identity.describe,
}
"""They only read."""
ACTIONS: dict[str, Tool] = {
    "status": action.act,
    "logs": action.act,
    "restart": action.act,
    "acknowledge": attention.acknowledge,
    "done": attention.done,
    "yes": consent.yes,
    "no": consent.no,
    "cancel": consent.no,
    "reprompt": consent.ask_again,
}
"""They ask Hexis for an execution, or record what a person decided."""


async def resolve(turn: Turn, ports: Ports) -> Turn:
    """Settle which thing is meant before anything else is asked."""
    if turn.outcome is not None or turn.route is None:
        return turn
    if turn.route.intent in {"acknowledge", "done"}:
        return turn
    return await identity.find_target(turn, ports)


async def query(turn: Turn, ports: Ports) -> Turn:
    """Read what was asked for."""
    if turn.outcome is not None or turn.route is None:
        return turn
    intent = turn.route.intent
    if intent in _TALK:
        text = turn.dialogue.last_answer if intent == "repeat" else ""
        return replace(turn, outcome=Talk(intent, text))
    tool = QUERIES.get(intent)
    return await tool(turn, ports) if tool else turn


async def act(turn: Turn, ports: Ports) -> Turn:
    """Do what was asked for, as far as it may be done."""
    if turn.outcome is not None or turn.route is None:
        return turn
    return await ACTIONS[turn.route.intent](turn, ports)

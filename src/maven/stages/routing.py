"""Snapshot and router: the world as it is, and the one tool that answers what was said."""

from __future__ import annotations

from dataclasses import replace

from maven import context
from maven.context.hexis import Actions
from maven.context.local import Conversation, Time
from maven.context.nexus import Entities
from maven.context.praxis import Attention
from maven.domain.fastpath import Tie
from maven.domain.outcome import Dropped
from maven.domain.route import further, named, route
from maven.domain.turn import Turn, made
from maven.ports import Ports
from maven.tools.consent import refuse

PROVIDERS: tuple[context.Provider, ...] = (
    Time(),
    Conversation(),
    Entities(),
    Attention(),
    Actions(),
)
_NO_MODEL = "no model is configured; the sentence alone decides"
_BARE = frozenset({"acknowledge", "done", "okay", "thanks"})
"""Too close to a yes to be taken as anything while one is waited for."""


async def capture(turn: Turn, ports: Ports) -> Turn:
    """One bounded look at the world, from every provider that answers in time."""
    snapshot = await context.collect(PROVIDERS, turn, ports)
    missing = ", ".join(snapshot.degraded)
    return replace(turn, snapshot=snapshot, fallback=f"without {missing}" if missing else None)


async def choose(turn: Turn, ports: Ports) -> Turn:
    """The tool for the sentence; a change of topic ends what was waited for."""
    if turn.route is not None:
        return replace(turn, fallback=_NO_MODEL)
    utterance, dialogue = made(turn.utterance), turn.dialogue
    chosen = route(turn.found, utterance)
    if turn.found is None and dialogue.confirmation is None:
        chosen = further(utterance, dialogue.topic, len(dialogue.surfaced)) or chosen
    if chosen.intent == "about":
        chosen = named(dialogue.topic or "health", chosen.reference)
    reason = _NO_MODEL
    if isinstance(turn.found, Tie):
        reason = f"{_NO_MODEL}; a tie of {' and '.join(turn.found.intents)}"
    waiting = turn.dialogue.confirmation
    if waiting is not None and (chosen.intent in _BARE or chosen.intent == "unknown"):
        return replace(turn, route=named("reprompt"), fallback=reason)
    turn = replace(turn, route=chosen, fallback=reason)
    if chosen.kind in {"read", "change"}:
        turn = replace(turn, dialogue=turn.dialogue.without_choice())
    if waiting is not None and chosen.kind == "change":
        await refuse(waiting, ports)
        dialogue = turn.dialogue.without_confirmation()
        turn = replace(turn, dialogue=dialogue, dropped=Dropped(waiting))
    return turn

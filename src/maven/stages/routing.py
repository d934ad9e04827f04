"""Snapshot and router: the world as it is, and the one tool that answers what was said."""

from __future__ import annotations

from dataclasses import replace

from maven import context
from maven.context.hexis import Actions
from maven.context.local import Conversation, Time
from maven.context.nexus import Entities
from maven.context.praxis import Attention
from maven.domain.dialogue import Dialogue
from maven.domain.fastpath import Tie
from maven.domain.outcome import Dropped
from maven.domain.route import Route, further, named, puts_aside, route
from maven.domain.turn import Turn, made
from maven.plain_answer import is_named
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
_BARE = frozenset({"acknowledge", "done", "okay", "thanks", "unknown"})
"""Nothing else than a poor answer where a yes or no was just asked for."""


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
    if chosen.intent == "leave":
        chosen = _left(chosen, dialogue)
    if dialogue.is_asked and chosen.intent in _BARE:
        return replace(turn, route=named("reprompt"), fallback=reason)
    turn = replace(turn, route=chosen, fallback=reason)
    if chosen.kind in {"read", "change"} or puts_aside(chosen):
        turn = replace(turn, dialogue=turn.dialogue.without_choice())
    waiting = dialogue.confirmation
    if waiting is not None and puts_aside(chosen):
        told = await refuse(waiting, ports)
        dialogue = turn.dialogue.without_confirmation()
        turn = replace(turn, dialogue=dialogue, dropped=Dropped(waiting, told))
    return turn


def _left(chosen: Route, dialogue: Dialogue) -> Route:
    """A thing that is not to be done: a no to it, where that is what waits for a yes."""
    said = chosen.reference.text if chosen.reference else ""
    waiting = dialogue.confirmation
    is_other = waiting is not None and said and not is_named(said, waiting.asked.names)
    return named("reprompt" if is_other else "no")

"""Input, dialogue and fast path: from a text to what it says, with no call to anybody."""

from __future__ import annotations

from dataclasses import replace

from maven.domain.closed import Said, answer_of, chosen
from maven.domain.dialogue import Dialogue, Option, PendingChoice, Told
from maven.domain.fastpath import Match
from maven.domain.outcome import Lapsed
from maven.domain.route import Reference, Route, named, understand
from maven.domain.turn import Turn, made
from maven.domain.utterance import Utterance, fold, hear, language_of, variants
from maven.ports import Ports


async def take_in(turn: Turn, ports: Ports) -> Turn:
    """Read the text, and remember the conversation it belongs to."""
    utterance = hear(turn.text)
    dialogue = _with_news(turn, ports)
    language = (
        language_of(utterance.words)
        or turn.asked_language
        or dialogue.language
        or turn.default_language
    )
    return replace(turn, utterance=utterance, dialogue=dialogue, language=language)


async def as_answer(turn: Turn, ports: Ports) -> Turn:
    """Take it as yes, no, cancel or a choice, where that is all it can be."""
    utterance = made(turn.utterance)
    said = answer_of(utterance.words)
    turn = _expired(replace(turn, said=said))
    if turn.outcome is not None:
        return turn
    choice = turn.dialogue.choice
    if choice is not None:
        picked = _picked(utterance, said, choice)
        if picked is not None:
            return _continued(turn, choice, picked)
    route = _verdict(said, turn.dialogue)
    return replace(turn, route=route) if route else turn


async def as_sentence(turn: Turn, ports: Ports) -> Turn:
    """Find the sentence template it is."""
    if turn.route is not None:
        return turn
    found = understand(ports.grammar, made(turn.utterance))
    if not isinstance(found, Match):
        return replace(turn, found=found)
    language = language_of(found.rest) or turn.language
    return replace(turn, found=found, language=language)


def _with_news(turn: Turn, ports: Ports) -> Dialogue:
    """The conversation as it was left, or as what was said unasked since has left it."""
    dialogue = ports.conversations.dialogue(turn.requester, turn.conversation_id)
    news = ports.watches.told_since_turn(turn.requester, turn.conversation_id)
    if news is None:
        return dialogue
    item_ids, about = news
    told = [Told(item_id, about.names, about.entity_id) for item_id in item_ids]
    return dialogue.telling(told).about(about)


def _expired(turn: Turn) -> Turn:
    """Questions that waited too long are gone; a yes or no that comes too late hears so."""
    dialogue = turn.dialogue
    if dialogue.choice and dialogue.choice.expires_at <= turn.at:
        dialogue = dialogue.without_choice()
    waiting = dialogue.confirmation
    if waiting is None or waiting.expires_at > turn.at:
        return replace(turn, dialogue=dialogue)
    dialogue = dialogue.without_confirmation()
    if turn.said.verdict is None:
        return replace(turn, dialogue=dialogue)
    route = named("no" if turn.said.verdict != "yes" else "yes")
    return replace(turn, dialogue=dialogue, route=route, outcome=Lapsed(waiting))


def _verdict(said: Said, dialogue: Dialogue) -> Route | None:
    """Yes and no, which mean something alone; weak ones only where they were asked for."""
    waiting = dialogue.confirmation
    if said.verdict == "yes":
        if said.is_weak and waiting is None:
            return None
        return named("yes")
    if said.verdict is not None:
        return named("no")
    return named("reprompt") if waiting is not None and said.is_mixed else None


def _picked(utterance: Utterance, said: Said, choice: PendingChoice) -> Option | None:
    if said.verdict == "yes":
        return choice.options[0] if len(choice.options) == 1 else None
    if said.verdict is not None:
        return None
    for words in variants(utterance):
        option = chosen(words, choice.options)
        if option is not None:
            return option
    return None


def _continued(turn: Turn, choice: PendingChoice, picked: Option) -> Turn:
    """Go on with what was wanted, now that it is known of what."""
    words = made(turn.utterance).words
    names = (*picked.names.values(), *picked.words)
    own = {fold(word) for name in names for word in name.split()}
    others = tuple(word for word in words if word.folded not in own)
    language = language_of(others) or turn.asked_language or turn.dialogue.language or turn.language
    return replace(
        turn,
        route=named(choice.intent, Reference(entity_id=picked.id)),
        dialogue=turn.dialogue.without_choice(),
        language=language,
    )

"""Input, dialogue and fast path: from a text to what it says, with no call to anybody."""

from __future__ import annotations

from dataclasses import replace

from maven.domain.closed import Said, answer_of, chosen
from maven.domain.dialogue import Dialogue, Option, PendingChoice, Told
from maven.domain.fastpath import Match
from maven.domain.outcome import AskAgain, Lapsed, PickOne
from maven.domain.route import Reference, named, understand
from maven.domain.turn import Turn, made
from maven.domain.utterance import Utterance, fold, hear, language_of, variants
from maven.plain_answer import NOTHING
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
    waiting = turn.dialogue.confirmation
    said = answer_of(utterance.text, waiting.asked if waiting else NOTHING)
    turn = _expired(replace(turn, said=said))
    if turn.outcome is not None:
        return turn
    choice = turn.dialogue.choice
    if choice is not None:
        picked = _picked(utterance, said, choice)
        if picked is not None:
            return _continued(turn, choice, picked)
        if said.verdict == "yes" and turn.dialogue.confirmation is None:
            return replace(turn, route=named("yes"), outcome=PickOne(choice))
    return _answered(turn)


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


def _answered(turn: Turn) -> Turn:
    """Yes and no, which mean something alone; a yes only to the question asked last."""
    said, waiting = turn.said, turn.dialogue.confirmation
    if waiting is None:
        verdict = "no" if said.verdict == "cancel" else said.verdict
        return replace(turn, route=named(verdict)) if verdict else turn
    if said.verdict and turn.answering not in (None, waiting.confirmation_id):
        return _again(turn, AskAgain(waiting, "other_question"))
    if said.verdict == "yes":
        if turn.dialogue.is_asked:
            return replace(turn, route=named("yes"))
        return _again(turn, AskAgain(waiting, "not_asked_last"))
    if said.verdict is not None:
        return replace(turn, route=named("no"))
    is_unclear = said.is_mixed or (said.is_weak and turn.dialogue.is_asked)
    return _again(turn, AskAgain(waiting)) if is_unclear else turn


def _again(turn: Turn, outcome: AskAgain) -> Turn:
    """The proposal is the one question again."""
    dialogue = turn.dialogue.without_choice()
    return replace(turn, route=named("reprompt"), outcome=outcome, dialogue=dialogue)


def _picked(utterance: Utterance, said: Said, choice: PendingChoice) -> Option | None:
    if said.verdict == "yes" or said.is_weak:
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

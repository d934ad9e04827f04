"""From the sentence that was recognised to the one tool that answers it, without guessing."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from maven.domain.closed import ordinal
from maven.domain.fastpath import Grammar, Match, Several, Tie, is_nameless
from maven.domain.qualified import is_qualified, is_qualified_order
from maven.domain.utterance import Utterance, fold, hear

Purpose = Literal["read", "mutate"]
Kind = Literal["read", "change", "talk", "dialogue"]
"""`change` may end in something done; `dialogue` answers a question of Maven's."""


@dataclass(frozen=True, slots=True)
class Reference:
    """What a sentence speaks of, before anybody has said which thing that is."""

    text: str = ""
    """The name as it was said; empty when it was left out or a pronoun."""
    entity_id: str = ""
    """Set when it was chosen from what Nexus offered."""
    is_guess: bool = False
    """That a name was said at all is only likely."""


@dataclass(frozen=True, slots=True)
class Route:
    """The chosen tool and what it is given."""

    intent: str
    tool: str
    """Named as the operation it rests on."""
    kind: Kind
    reference: Reference | None = None
    purpose: Purpose = "read"
    action: str | None = None
    """What Hexis is asked for."""
    argument: str = ""
    """What else was said, such as the period of a question for changes."""


@dataclass(frozen=True, slots=True)
class _Rule:
    tool: str
    kind: Kind = "read"
    names: Literal["never", "may", "must"] = "never"
    purpose: Purpose = "read"
    action: str | None = None


RULES: dict[str, _Rule] = {
    "about": _Rule("maven.ask", names="must"),
    "attention": _Rule("praxis.list_attention"),
    "health": _Rule("praxis.list_items", names="must"),
    "status": _Rule("hexis.execute", names="must", action="status"),
    "logs": _Rule("hexis.execute", names="must", action="logs"),
    "restart": _Rule("hexis.execute", "change", "must", "mutate", "restart"),
    "story": _Rule("hexis.list_executions", names="may"),
    "changes": _Rule("praxis.list_changes", names="may"),
    "abilities": _Rule("hexis.list_capabilities", names="must"),
    "describe": _Rule("nexus.get_entity", names="must"),
    "acknowledge": _Rule("praxis.acknowledge", "change"),
    "done": _Rule("praxis.resolve", "change"),
    "yes": _Rule("dialog.confirm", "dialogue"),
    "no": _Rule("dialog.deny", "dialogue"),
    "cancel": _Rule("dialog.cancel", "dialogue"),
    "leave": _Rule("dialog.deny", "dialogue", "may"),
    "reprompt": _Rule("dialog.reprompt", "dialogue"),
    "repeat": _Rule("maven.repeat", "talk"),
    "help": _Rule("maven.help", "talk"),
    "greeting": _Rule("maven.chat", "talk"),
    "thanks": _Rule("maven.chat", "talk"),
    "okay": _Rule("maven.chat", "talk"),
    "farewell": _Rule("maven.chat", "talk"),
    "compound": _Rule("maven.ask", "talk"),
    "qualified": _Rule("maven.ask", "talk"),
    "unknown": _Rule("maven.ask", "talk"),
}
"""Every intent and the tool that answers it."""

_PRONOUNS = frozenset({
    "it", "its", "him", "her", "them", "this", "that", "this one", "that one", "the service",
    "this service",
    "он", "она", "оно", "они", "его", "ее", "их", "это", "этот", "эту", "эта", "этого", "этой",
    "ей", "ему", "им",
    "ней", "нем", "него", "нее", "ним", "тот", "та", "этот сервис", "сервис", "этим", "тем",
})  # fmt: skip
_JOINING = r"(?:^|(?<=\s))(?:and|then|plus|also|и|потом|затем|плюс)(?=\s|$)|[,;]|\s[&+]\s"
_NAMES_JOINED = re.compile(_JOINING, re.IGNORECASE)
_SENTENCES_JOINED = re.compile(rf"{_JOINING}|[.!?](?:\s|$)", re.IGNORECASE)
_ORDERS = frozenset({"restart", "restart_request", "restart_question"})
_UNCLEAR_ORDERS = frozenset({"compound", "qualified"})
_COURTESIES = frozenset({"greeting", "thanks", "okay", "farewell"})
_FURTHER = frozenset({"and", "also", "but", "so", "а", "и", "но", "ну"})
_OF = frozenset({"for", "of", "about", "with", "у", "с", "со", "о", "об", "про", "по", "для"})
_LONGEST_FURTHER = 4


def understand(grammar: Grammar, utterance: Utterance) -> Match | Tie | Several | None:
    """The sentence a text is; of several, the one that is not mere courtesy."""
    found = grammar.match(utterance)
    is_whole = isinstance(found, Match) and not _SENTENCES_JOINED.search(found.name or "")
    if is_whole or isinstance(found, Tie):
        return found
    pieces = [piece for each in _SENTENCES_JOINED.split(utterance.text) if (piece := each.strip())]
    each_found = [grammar.match(hear(piece)) for piece in pieces]
    matches = [each for each in each_found if isinstance(each, Match)]
    if len(pieces) < 2 or len(matches) < len(pieces):
        return found
    asking = [each for each in matches if each.intent not in _COURTESIES]
    if len(asking) > 1:
        return Several(tuple(each.intent for each in asking))
    return (asking or matches)[0]


def route(found: Match | Tie | Several | None, utterance: Utterance) -> Route:
    """The tool for a sentence; what is not surely understood goes to one that asks."""
    if isinstance(found, Several):
        return named("compound")
    if not isinstance(found, Match):
        return named("qualified" if is_qualified_order(utterance) else "unknown")
    if found.intent in _ORDERS and is_qualified(found.name or ""):
        return named("qualified")
    intent = _without_question(found.intent, utterance)
    rule = RULES[intent]
    names = [each for each in _NAMES_JOINED.split(found.name or "") if not is_nameless(each)]
    if intent == "leave":
        return named(intent, _reference(found.name or ""))
    if len(names) > 1:
        return named("compound")
    reference = None
    if rule.names != "never" and (found.name is not None or rule.names == "must"):
        reference = _reference(names[0].strip() if names else "")
    return named(intent, reference, argument=" ".join(word.folded for word in found.rest))


def further(utterance: Utterance, topic: str, told: int) -> Route | None:
    """The last question asked of something else, as in "and Praxis?" or "the second?".

    Args:
        utterance: what was said, and is no sentence by itself.
        topic: the intent last answered.
        told: how many items were told last, which a number may pick from.
    """
    begun = 0
    words = utterance.words
    while begun < len(words) and words[begun].folded in _FURTHER:
        begun += 1
    is_led = begun > 0
    while is_led and begun < len(words) and words[begun].folded in _OF:
        begun += 1
    rest = words[begun:]
    is_number = told > 1 and ordinal(rest, told) is not None
    if not 0 < len(rest) <= _LONGEST_FURTHER or not (is_led or is_number):
        return None
    reference = _reference(utterance.said(rest))
    return named(topic or "health", replace(reference, is_guess=True))


def puts_aside(chosen: Route) -> bool:
    """Whether a route asks for something else to be done, so that what waited for a yes is off."""
    is_order = chosen.kind == "change" and chosen.action is not None
    return is_order or chosen.intent in _UNCLEAR_ORDERS


def _reference(said: str) -> Reference:
    return Reference(text="" if fold(said) in _PRONOUNS else said)


def named(intent: str, reference: Reference | None = None, argument: str = "") -> Route:
    """The route of an intent that is already known."""
    rule = RULES[intent]
    return Route(
        intent=intent,
        tool=rule.tool,
        kind=rule.kind,
        reference=reference,
        purpose=rule.purpose,
        action=rule.action,
        argument=argument,
    )


def _without_question(intent: str, utterance: Utterance) -> str:
    """A question is answered, never carried out; a polite request is not a question."""
    match intent:
        case "restart_request":
            return "restart"
        case "restart_question":
            return "restart" if utterance.is_polite else "abilities"
        case "restart" if utterance.is_question:
            return "abilities"
        case _:
            return intent

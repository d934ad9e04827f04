"""From the sentence that was recognised to the one tool that answers it, without guessing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from maven.domain.fastpath import Match, Tie
from maven.domain.utterance import Utterance, fold

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
    "reprompt": _Rule("dialog.reprompt", "dialogue"),
    "repeat": _Rule("maven.repeat", "talk"),
    "help": _Rule("maven.help", "talk"),
    "greeting": _Rule("maven.chat", "talk"),
    "thanks": _Rule("maven.chat", "talk"),
    "okay": _Rule("maven.chat", "talk"),
    "farewell": _Rule("maven.chat", "talk"),
    "compound": _Rule("maven.ask", "talk"),
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
_JOINED = re.compile(
    r"(?:^|\s)(?:and|then|plus|also|и|потом|затем|плюс)\s|[,;&+]\s*\S", re.IGNORECASE
)


def route(found: Match | Tie | None, utterance: Utterance) -> Route:
    """The tool for a sentence; what is not surely understood goes to one that asks."""
    if not isinstance(found, Match):
        return named("unknown")
    intent = _without_question(found.intent, utterance)
    rule = RULES[intent]
    if found.name is not None and _JOINED.search(found.name):
        return named("compound")
    reference = None
    if rule.names != "never" and (found.name is not None or rule.names == "must"):
        said = found.name or ""
        reference = Reference(text="" if fold(said) in _PRONOUNS else said)
    return named(intent, reference, argument=" ".join(word.folded for word in found.rest))


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

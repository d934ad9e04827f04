"""The English words that phrases share, and the table of phrases by outcome."""

from __future__ import annotations

from functools import singledispatch

from maven.domain import outcome as of
from maven.domain.dialogue import Known
from maven.domain.words import Moment, host_name, named_en, quoted_en

_PARTS = {
    "nexus": "Nexus, which knows the names of things,",
    "praxis": "Praxis, which watches over things,",
    "hexis": "Hexis, which carries things out,",
}
_GAPS = {
    "unreachable": "cannot be reached",
    "stopping": "is just being stopped",
    "unavailable": "cannot be reached",
    "deadline_exceeded": "did not answer in time",
    "outcome_unknown": "broke off before it answered",
}
"""How a part was missing, by the fine name of the failure or else by its code."""
_ACTIONS = {
    "restart": "restart",
    "status": "status check",
    "logs": "reading of the logs",
}
_SUGGESTIONS = "Try “what needs attention?” or “restart Vecna”, with any name you know."
_HELP = (
    "You can ask me what needs attention, how something is (“how is Vecna?”), what changed today,"
    " what can be done with a thing, for its status or logs, and to restart it. Before anything"
    " protected happens I say exactly what it is and wait for your yes. “Got it” takes note of"
    " what I told you, “done” calls it dealt with."
)
TALK = {
    "greeting": "Hello. Ask me what needs attention, or what you would like to know.",
    "thanks": "You are welcome.",
    "okay": "All right.",
    "farewell": "Goodbye.",
    "help": _HELP,
    "compound": "That is more than one thing; I do one at a time and did nothing. Which first?",
    "qualified": (
        "I can only do it at once, to one thing, without conditions or exceptions. So I did"
        " nothing; say it plainly when it is to be done."
    ),
    "unknown": f"I did not understand that, so I did nothing. {_SUGGESTIONS}",
}
UNKEPT = (
    "(My store could not write, so I will not remember that we spoke of this; most likely the disk"
    " is full.)"
)
REFUSALS = {
    "assertion_needed": (
        "this channel cannot vouch that it was you; say yes in the terminal or another channel that"
        " can"
    ),
    "assertion_not_later": "the yes has to come in a later turn than the question",
    "assertion_other_question": "it answered another question than this one",
    "assertion_used": "one yes answers one question; say it again",
    "assertion_invalid": "this channel could not prove that it was you",
    "assertion_foreign": "this channel may not speak for you",
    "assertion_expired": "the yes came too late; say it once more",
    "confirmation_consumed": "it was already used",
    "confirmation_expired": "the time for it has run out",
    "confirmation_refused": "it was already declined",
    "confirmation_void": "something about it changed in the meantime",
    "capability_changed": "the action itself has changed since",
    "policy_changed": "the rules have changed since",
    "confirmation_altered": "what Hexis kept of the question was altered",
    "entity_renamed": "the thing has been renamed since",
    "entity_retargeted": "the name stands for something else since",
    "entity_unknown": "Nexus no longer knows the thing",
    "entity_busy": "something else is being done to it",
    "requester_may_not_confirm": "only a person can say yes",
    "requester_mismatch": "somebody else had asked for it",
    "too_many_pending": "too many questions wait for a yes already",
    "too_many_running": "too much is being done at once",
}
UNTAKEN = {
    "not_found": "there is no such item any more",
    "conflict": "it has changed in the meantime",
    "failed_precondition": "in the state it is in, that cannot be",
}
"""Why Praxis would not take a decision, by code."""
STATES = {
    "succeeded": "succeeded",
    "failed": "failed",
    "timed_out": "timed out",
    "refused": "was declined",
    "cancelled": "was cancelled",
    "unknown": "ended in a way nobody saw",
    "awaiting_confirmation": "still waits for a yes",
    "queued": "is about to start",
    "running": "is still running",
}


def without(missing: of.Missing) -> str:
    """That a part could not be asked."""
    part = _PARTS[missing.part]
    if missing.told_by:
        teller = _PARTS[missing.told_by].partition(",")[0]
        return (
            f"{teller} answers, but cannot make sure what that is, because {part} cannot be reached"
        )
    gap = _GAPS.get(missing.reason) or _GAPS.get(missing.code if not missing.reason else "")
    return f"{part} {gap or f'could not answer ({missing.reason or missing.code})'}"


@singledispatch
def say(outcome: of.Outcome, moment: Moment) -> str:
    """The answer for an outcome."""
    raise TypeError(f"no words for {type(outcome).__name__}")


def say_dropped(dropped: of.Dropped) -> str:
    """That a proposal was put aside."""
    waiting = dropped.confirmation
    text = f"I put {doing(waiting)} aside; nothing was done."
    return text if dropped.told_hexis else f"{text} Hexis could not be told so."


def doing(what: of.PendingConfirmation) -> str:
    """What is waited for, as a noun with its target."""
    return done_to(what.action, what.target)


def order(what: of.PendingConfirmation) -> str:
    """What is waited for, as an order: what, to what, on which host."""
    host = what.host("en")
    on_host = f"on {host_name(host, quoted_en(host))}"
    where = on_host if host else "(on which host, Nexus does not know)"
    return f"{what.action} {quoted_en(what.target.name('en'))} {where}"


def done_to(action: str, target: Known) -> str:
    """An action and what it is done to."""
    return f"the {action_of(action)} of {named_en(target)}"


def action_of(action: str) -> str:
    """What is done, as a noun."""
    return _ACTIONS.get(action, action)


def why(reason: str | None) -> str:
    """The reason, if one is known."""
    return f" Reason: {reason}." if reason else ""

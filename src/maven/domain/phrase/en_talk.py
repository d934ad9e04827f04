"""What is said in English about doing things and about the conversation itself."""

from __future__ import annotations

from maven.domain import outcome as of
from maven.domain.dialogue import Known
from maven.domain.phrase.en_words import (
    REFUSALS,
    STATES,
    TALK,
    WITHOUT,
    action_of,
    say,
    why,
    without,
)
from maven.domain.phrase.en_world import health_lines
from maven.domain.watch import News
from maven.domain.words import Moment, sentence


@say.register
def _(outcome: of.Report, moment: Moment) -> str:
    execution = outcome.execution
    name = Known(execution.target.entity_id, execution.target.names).name("en")
    if execution.state != "succeeded":
        return f"The {action_of(execution.action)} of {name} {STATES[execution.state]}.{why(execution.reason)}"
    if execution.action == "logs":
        return (
            f"The last lines of {name}:\n{execution.output}"
            if execution.output.strip()
            else f"The log of {name} is empty."
        )
    return f"{name}: {execution.output.strip() or 'no details'} (asked of the supervisor {moment.ago(execution.finished_at or moment.now)})."


@say.register
def _(outcome: of.Challenge, moment: Moment) -> str:
    waiting = outcome.confirmation
    host = waiting.host("en")
    where = f" on {host}" if host else " (on which host, Nexus does not know)"
    text = (
        f"This will {waiting.action} {waiting.target.name('en')}{where}."
        f" Risk: {waiting.risk}. Go ahead? Yes or no, until {moment.clock(waiting.expires_at)}."
    )
    if not outcome.can_confirm:
        text += f" From here you cannot say yes: {REFUSALS['assertion_needed']}."
    return text


@say.register
def _(outcome: of.Carried, moment: Moment) -> str:
    execution = outcome.execution
    name = Known(execution.target.entity_id, execution.target.names).name("en")
    what = f"the {action_of(execution.action)} of {name}"
    match outcome.phase:
        case "stopping":
            return sentence(
                f"{what} is handed over. I am being restarted myself and will tell you afterwards."
            )
        case "handed_over":
            return sentence(
                f"{what} is handed to the supervisor; the result is not known yet. I will tell you when it is."
            )
        case "unseen":
            return sentence(
                f"{what} was set going, and then Hexis could not be asked any more. I do not know how it ended; I will check by reading and tell you."
            )
        case "under_way":
            return sentence(f"{what} is still running. I will tell you how it ends.")
        case "ended":
            return _ended(outcome, what, name)


def _ended(outcome: of.Carried, what: str, name: str) -> str:
    execution = outcome.execution
    if execution.state == "unknown":
        return f"I do not know whether {what} took effect; I will check by reading, and not send it again."
    if execution.state != "succeeded":
        return f"{sentence(what)} {STATES[execution.state]}.{why(execution.reason)}"
    if execution.expects_recovery:
        return (
            f"The command succeeded: {what}. {name} has not yet been seen healthy;"
            " I will tell you when it is, or if it is not."
        )
    return f"The command succeeded: {what}."


@say.register
def _(outcome: of.YesLost, moment: Moment) -> str:
    waiting = outcome.confirmation
    return (
        f"I passed your yes on and heard nothing back, so I do not know whether the {action_of(waiting.action)} of"
        f" {waiting.target.name('en')} happened. I will not send it again; I will check by reading and tell you."
    )


@say.register
def _(outcome: of.YesRefused, moment: Moment) -> str:
    waiting = outcome.confirmation
    why = REFUSALS.get(outcome.reason, outcome.reason or "it gave no reason")
    if outcome.reason == "unavailable":
        why = WITHOUT["hexis"]
    text = f"Nothing was done: the {action_of(waiting.action)} of {waiting.target.name('en')} was not accepted, because {why}."
    if outcome.still_waits:
        text += f" It still waits for your yes until {moment.clock(waiting.expires_at)}."
    return text


@say.register
def _(outcome: of.Declined, moment: Moment) -> str:
    waiting = outcome.confirmation
    text = f"All right, the {action_of(waiting.action)} of {waiting.target.name('en')} is off; nothing was done."
    if not outcome.told_hexis:
        text += f" Hexis could not be told; its offer ends by itself at {moment.clock(waiting.expires_at)}."
    return text


@say.register
def _(outcome: of.Lapsed, moment: Moment) -> str:
    waiting = outcome.confirmation
    return (
        f"The time to confirm the {action_of(waiting.action)} of {waiting.target.name('en')} ran out at"
        f" {moment.clock(waiting.expires_at)}; nothing was done. Ask for it again if you still want it."
    )


@say.register
def _(outcome: of.NothingWaits, moment: Moment) -> str:
    if outcome.verdict == "yes":
        return "Nothing is waiting for a yes, so I did nothing."
    return "There is nothing to cancel; nothing is waiting."


@say.register
def _(outcome: of.CalledOff, moment: Moment) -> str:
    return "All right, never mind."


@say.register
def _(outcome: of.AskAgain, moment: Moment) -> str:
    waiting = outcome.confirmation
    host = waiting.host("en")
    where = f" on {host}" if host else ""
    return (
        f"I am waiting for a plain yes or no: {waiting.action} {waiting.target.name('en')}"
        f"{where}?"
        f" Until {moment.clock(waiting.expires_at)}; nothing was done."
    )


@say.register
def _(outcome: of.WhichOne, moment: Moment) -> str:
    options = outcome.choice.options
    if outcome.choice.is_suggestion and len(options) == 1:
        return f"I know nothing named “{outcome.said}”. Did you mean {options[0].name('en')}?"
    head = (
        f"I know nothing named “{outcome.said}”. Did you mean one of these?"
        if outcome.choice.is_suggestion
        else "Which one do you mean?"
    )
    lines = [
        f"{number}. {option.name('en')}{f' — {option.hint}' if option.hint else ''}"
        for number, option in enumerate(options, 1)
    ]
    return "\n".join([head, *lines])


@say.register
def _(outcome: of.NoSuch, moment: Moment) -> str:
    return f"I know nothing named “{outcome.said}”, so I did nothing."


@say.register
def _(outcome: of.NoReference, moment: Moment) -> str:
    return "What do you mean by that? Name the thing, as in “how is Vecna?”."


@say.register
def _(outcome: of.NamesUnread, moment: Moment) -> str:
    text = (
        f"I cannot tell what “{outcome.said}” is: {without(outcome.missing)}."
        if outcome.said
        else f"I cannot make sure which thing that is: {without(outcome.missing)}."
    )
    return f"{text} So I did nothing." if outcome.action else text


@say.register
def _(outcome: of.CannotAct, moment: Moment) -> str:
    name = outcome.target.name("en")
    text = f"{without(outcome.missing)}, so the {action_of(outcome.action)} of {name} is not possible now; nothing was done."
    if outcome.health is None:
        return text
    if outcome.health.missing:
        return f"{text} How {name} is I cannot tell either: {without(outcome.health.missing)}."
    return " ".join([text, "Praxis says:", *health_lines(name, outcome.health, moment)])


@say.register
def _(outcome: of.NoCapability, moment: Moment) -> str:
    name = outcome.target.name("en")
    offered = ", ".join(
        capability.title.get("en", capability.action) for capability in outcome.offered
    )
    if outcome.is_several:
        return f"Hexis offers several ways to {outcome.action} {name} ({offered}); I cannot choose, so I did nothing."
    can = f" It can: {offered}." if offered else " It offers nothing else for it either."
    return f"Hexis offers no {action_of(outcome.action)} of {name}, so I did nothing.{can}"


@say.register
def _(outcome: of.ActionRefused, moment: Moment) -> str:
    return f"Hexis will not do the {action_of(outcome.action)} of {outcome.target.name('en')}: {outcome.message} Nothing was done."


@say.register
def _(outcome: of.Handled, moment: Moment) -> str:
    name = outcome.item.names.get("en", outcome.item.item_id)
    if outcome.missing:
        return f"I could not record it: {without(outcome.missing)}. Nothing changed about {name}."
    if outcome.reason:
        return f"Praxis would not take that for {name}: {outcome.reason}."
    if outcome.verb == "acknowledge":
        return f"Noted: {name} is acknowledged. It is not resolved by that."
    still = (
        " It goes on as far as can be seen; it will come back if it gets worse."
        if outcome.still_active
        else ""
    )
    return f"{name} is marked as resolved.{still}"


@say.register
def _(outcome: of.NothingTold, moment: Moment) -> str:
    return "I have not told you of any item in this conversation, so there is nothing to mark."


@say.register
def _(outcome: of.Talk, moment: Moment) -> str:
    if outcome.intent == "repeat":
        return outcome.text or "I have not said anything yet."
    return TALK[outcome.intent]


def say_news(news: News, moment: Moment) -> str:
    """What became of something set going earlier."""
    watch = news.watch
    name, what = (
        watch.target.name("en"),
        f"the {action_of(watch.action)} of {watch.target.name('en')}",
    )
    if news.kind == "recovered":
        return f"{name} is healthy again, seen at {moment.clock(news.at)}, after {what}."
    if news.kind == "not_recovered":
        if news.state == "succeeded":
            return f"{name} has not been seen healthy after {what}, although the command succeeded."
        return f"I could not find out what became of {what}; {name} was not seen healthy either."
    if news.process_started_at:
        return (
            f"Nobody saw {what} end, but a new process of {name} started at"
            f" {moment.clock(news.process_started_at)} and it is healthy."
        )
    if news.state == "unknown":
        return f"How {what} ended, nobody saw. It was not sent again."
    return f"{sentence(what)} {STATES[news.state]} at {moment.clock(news.at)}."

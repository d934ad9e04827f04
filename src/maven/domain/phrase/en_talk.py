"""What is said in English about doing things and about the conversation itself."""

from __future__ import annotations

from collections.abc import Sequence

from kit.render import visible_line
from maven.domain import outcome as of
from maven.domain.dialogue import Known, Option
from maven.domain.phrase.en_words import (
    REFUSALS,
    STATES,
    TALK,
    UNTAKEN,
    doing,
    done_to,
    order,
    say,
    why,
    without,
)
from maven.domain.phrase.en_world import health_lines
from maven.domain.watch import News
from maven.domain.words import (
    Moment,
    clause,
    inset,
    is_part_of,
    named_en,
    plain_en,
    quoted_en,
    sentence,
    uptime,
)

_LOOK = "I will look at what became of it and tell you, and not send it again"


@say.register
def _(outcome: of.Report, moment: Moment) -> str:
    execution = outcome.execution
    target = Known(execution.target.entity_id, execution.target.names)
    name, output = named_en(target), execution.output.strip()
    if execution.state != "succeeded":
        what = done_to(execution.action, target)
        return f"{sentence(what)} {STATES[execution.state]}.{why(execution.reason)}"
    if execution.action == "logs":
        if not output:
            return f"The log of {name} is empty."
        return f"The last lines of {name}:\n{inset(output)}"
    facts = execution.data
    if facts.get("state") == "running" and "pid" in facts:
        lasts = uptime(facts)
        since = f", for {moment.span(lasts)} now" if lasts is not None else ""
        running = f"{name} is running: process {facts['pid']}{since}."
        return f"{running} Whether it is well, “how is it?” tells."
    return f"{name}: {output or 'the supervisor gave no details'}."


@say.register
def _(outcome: of.Challenge, moment: Moment) -> str:
    waiting = outcome.confirmation
    text = (
        f"This will {order(waiting)}. Risk: {waiting.risk}."
        f" Go ahead? Yes or no, until {moment.clock(waiting.expires_at)}."
    )
    if not outcome.can_confirm:
        text += f" From here you cannot say yes: {REFUSALS['assertion_needed']}."
    return text


@say.register
def _(outcome: of.Carried, moment: Moment) -> str:
    execution = outcome.execution
    target = Known(execution.target.entity_id, execution.target.names)
    what = sentence(done_to(execution.action, target))
    match outcome.phase:
        case "stopping":
            return (
                f"{what} is handed over. I am being restarted myself and will tell you afterwards."
            )
        case "handed_over":
            return (
                f"{what} is handed to the supervisor; the result is not known yet."
                " I will tell you when it is."
            )
        case "unseen":
            return (
                f"{what} was set going, and then Hexis could not be asked any more. I do not know"
                f" how it ended; {_LOOK}."
            )
        case "under_way":
            return f"{what} is still running. I will tell you how it ends."
        case "ended":
            return _ended(outcome, what, target)


def _ended(outcome: of.Carried, what: str, target: Known) -> str:
    execution = outcome.execution
    if execution.state == "unknown":
        return f"I do not know whether {clause(what)} took effect; {_LOOK}."
    if execution.state != "succeeded":
        return f"{what} {STATES[execution.state]}.{why(execution.reason)}"
    text = f"The command succeeded: {clause(what)}."
    if execution.expects_recovery:
        text += (
            f" {named_en(target)} has not yet been seen healthy; I will tell you when it is,"
            " or if it is not."
        )
    return text


@say.register
def _(outcome: of.YesLost, moment: Moment) -> str:
    return (
        f"I passed your yes on and heard nothing back, so I do not know whether"
        f" {doing(outcome.confirmation)} happened; {_LOOK}."
    )


@say.register
def _(outcome: of.YesRefused, moment: Moment) -> str:
    waiting = outcome.confirmation
    reason = REFUSALS.get(outcome.reason, outcome.reason or "it gave no reason")
    if outcome.missing:
        reason = without(outcome.missing)
    text = f"Nothing was done; your yes to {doing(waiting)} was not taken: {reason}."
    if outcome.still_waits:
        until = moment.clock(waiting.expires_at)
        text += f" You can still say it until {until}: {order(waiting)}?"
    return text


@say.register
def _(outcome: of.Declined, moment: Moment) -> str:
    text = f"All right, {doing(outcome.confirmation)} is off; nothing was done."
    if not outcome.told_hexis:
        until = moment.clock(outcome.confirmation.expires_at)
        text += f" Hexis could not be told; its offer ends by itself at {until}."
    return text


@say.register
def _(outcome: of.Lapsed, moment: Moment) -> str:
    waiting = outcome.confirmation
    return (
        f"The time to confirm {doing(waiting)} ran out at {moment.clock(waiting.expires_at)};"
        " nothing was done. Ask for it again if you still want it."
    )


@say.register
def _(outcome: of.NothingWaits, moment: Moment) -> str:
    if outcome.verdict == "yes":
        return "Nothing is waiting for a yes, so I did nothing."
    if outcome.verdict == "no":
        return "All right, nothing was going to be done."
    return "There is nothing to cancel; nothing is waiting."


@say.register
def _(outcome: of.CalledOff, moment: Moment) -> str:
    return "All right, never mind."


@say.register
def _(outcome: of.AskAgain, moment: Moment) -> str:
    waiting = outcome.confirmation
    rest = f"I wait for it until {moment.clock(waiting.expires_at)}; nothing was done so far."
    match outcome.why:
        case "not_asked_last":
            return f"Do you mean: {order(waiting)}? Say yes to that. {rest}"
        case "other_question":
            return (
                "That answered another question than the one open now, so it was not taken. Open"
                f" now: {order(waiting)}? Yes or no. {rest}"
            )
        case "unclear":
            return f"I need a plain yes or no: {order(waiting)}? {rest}"


@say.register
def _(outcome: of.WhichOne, moment: Moment) -> str:
    options = outcome.choice.options
    head = "Which one do you mean?"
    if outcome.choice.is_suggestion:
        unknown = f"I know nothing named {_said(outcome.said)}."
        if len(options) == 1:
            return f"{unknown} Did you mean {plain_en(options[0].name('en'))}?"
        head = f"{unknown} Did you mean one of these?"
    return _listed(head, options)


@say.register
def _(outcome: of.PickOne, moment: Moment) -> str:
    return _listed("Yes to which? Pick one, by its number or its name:", outcome.choice.options)


def _listed(head: str, options: Sequence[Option]) -> str:
    lines = [f"{number}. {_option(option)}" for number, option in enumerate(options, 1)]
    return "\n".join([head, *lines])


def _option(option: Option) -> str:
    name, hint = plain_en(option.name("en")), visible_line(option.hint)
    return name if is_part_of(hint, name) else f"{name} — {hint}"


def _said(text: str) -> str:
    """A person's own words, quoted back."""
    return quoted_en(visible_line(text))


@say.register
def _(outcome: of.NoSuch, moment: Moment) -> str:
    text = f"I know nothing named {_said(outcome.said)}"
    return f"{text}, so I did nothing." if outcome.was_order else f"{text}."


@say.register
def _(outcome: of.NoReference, moment: Moment) -> str:
    return "What do you mean by that? Name the thing, as in “how is Vecna?”."


@say.register
def _(outcome: of.NamesUnread, moment: Moment) -> str:
    gap = without(outcome.missing)
    text = f"I cannot tell what {_said(outcome.said)} is: {gap}."
    if not outcome.said:
        text = f"I cannot make sure which thing that is: {gap}."
    return f"{text} So I did nothing." if outcome.action else text


@say.register
def _(outcome: of.CannotAct, moment: Moment) -> str:
    what = done_to(outcome.action, outcome.target)
    text = f"{without(outcome.missing)}. So {what} is not possible now, and nothing was done."
    health = outcome.health
    if health is None:
        return text
    if health.missing:
        name = named_en(outcome.target)
        return f"{text} How {name} is I cannot tell either: {without(health.missing)}."
    return " ".join([text, "Praxis says:", *health_lines(health, moment)])


@say.register
def _(outcome: of.NoCapability, moment: Moment) -> str:
    what = done_to(outcome.action, outcome.target)
    offered = ", ".join(clause(each.title.get("en", each.action)) for each in outcome.offered)
    if outcome.is_several:
        several = f"Hexis offers several ways to do {what} ({offered})"
        return f"{several}; I cannot choose, so I did nothing."
    can = f" It can: {offered}." if offered else " It offers nothing else for it either."
    return f"Hexis does not offer {what}, so I did nothing.{can}"


@say.register
def _(outcome: of.ActionRefused, moment: Moment) -> str:
    what = done_to(outcome.action, outcome.target)
    reason = REFUSALS.get(outcome.reason, clause(visible_line(outcome.message).rstrip(".")))
    return f"Hexis will not do {what}: {reason}. Nothing was done."


@say.register
def _(outcome: of.Handled, moment: Moment) -> str:
    name = plain_en(outcome.item.name("en"))
    if outcome.missing:
        gap = without(outcome.missing)
        return f"I could not record it: {gap}. Nothing changed about {name}."
    if outcome.reason:
        reason = UNTAKEN.get(outcome.reason, outcome.reason)
        return f"Praxis would not take that for {name}: {reason}."
    if outcome.verb == "acknowledge":
        still = " It is not resolved by that." if outcome.still_active else ""
        return f"Noted: {name} is acknowledged.{still}"
    still = " As far as can be seen it still goes on." if outcome.still_active else ""
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
    name, what = named_en(watch.target), done_to(watch.action, watch.target)
    if news.kind == "recovered":
        seen = moment.clock(news.at)
        return f"{name} is healthy again after the {watch.action}: it was seen so at {seen}."
    if news.kind == "not_recovered":
        if news.state == "succeeded":
            after = f"after the {watch.action}"
            return f"{name} has not been seen healthy {after}, although the command succeeded."
        return f"I could not find out what became of {what}; {name} was not seen healthy either."
    if news.process_started_at:
        started = moment.clock(news.process_started_at)
        return (
            f"Nobody saw {what} end, but a new process of {name} started at {started}"
            " and it is healthy."
        )
    if news.state == "unknown":
        return f"How {what} ended, nobody saw. The command was not sent again."
    return f"{sentence(what)} {STATES[news.state]} at {moment.clock(news.at)}."

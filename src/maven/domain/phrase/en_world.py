"""What is said of the world in English: attention, health, stories, changes, things."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kit.render import visible_line
from maven.domain import outcome as of
from maven.domain.ailment import (
    acted_at,
    acted_by,
    ailment,
    bare_name,
    began,
    ill_since,
    is_awaited,
    of_health,
    silent_since,
    silent_source,
)
from maven.domain.dialogue import Known
from maven.domain.phrase.en_words import STATES, action_of, doing, done_to, say, without
from maven.domain.story import Story
from maven.domain.words import (
    Moment,
    clause,
    count_en,
    is_readable,
    kind_en,
    named_en,
    quoted_en,
    sentence,
)
from praxis.contract import Change, Item, SourceState

_CHANGES_TOLD = 12
_WAITED_FOR = "waiting to see it healthy"
_AILMENTS = {
    "silent": "has not been answering",
    "slow": "has not been answering in time",
    "degraded": "answers, but has been degraded",
    "failing": "has been answering with failures",
    "ill": "has not been healthy",
}


@say.register
def _(outcome: of.Attention, moment: Moment) -> str:
    quiet = [source for source in outcome.sources if source.freshness != "fresh"]
    items = [each.item for each in outcome.items if not is_awaited(each.item, moment.now)]
    awaited = [each.item for each in outcome.items if is_awaited(each.item, moment.now)]
    total = outcome.total - len(awaited)
    aside = _awaited(awaited, outcome.names, moment) + _set_aside(outcome, moment)
    if not items:
        unseen = _quiet(quiet, outcome.names, moment)
        return " ".join([_nothing(outcome.sources, moment, is_else=bool(aside)), *aside, *unseen])
    lines = [item_line(item, outcome.sources, outcome.names, moment) for item in items]
    told = {silent_source(item) for item in items if item.kind == "source"}
    unseen = _quiet([each for each in quiet if each.source not in told], outcome.names, moment)
    if len(lines) == 1 and total == 1:
        return " ".join([f"One thing needs attention: {lines[0]}", *aside, *unseen])
    more = total - len(lines)
    rest = [f"And {more} more."] if more > 0 else []
    numbered = [f"{number}. {sentence(line)}" for number, line in enumerate(lines, 1)]
    head = f"{total} things need attention:"
    return "\n".join([head, *numbered, *rest, *aside, *unseen])


def _nothing(sources: Sequence[SourceState], moment: Moment, *, is_else: bool) -> str:
    fresh = [source for source in sources if source.freshness == "fresh"]
    if not sources:
        return "Praxis lists nothing, but nothing reports to it either, so I cannot tell."
    if not fresh:
        return "Praxis lists nothing, but none of its sources is fresh, so I cannot tell."
    newest = max(source.last_observed_at for source in fresh if source.last_observed_at)
    are = "is" if len(fresh) == 1 else "are"
    return (
        f"Nothing {'else ' if is_else else ''}needs attention:"
        f" {count_en(len(fresh), 'source', 'sources')} {are} fresh,"
        f" the newest report came {moment.ago(newest)}."
    )


def _awaited(items: Sequence[Item], names: Mapping[str, Known], moment: Moment) -> list[str]:
    """What something was done about, and what has time left to be seen healthy."""

    def told(item: Item) -> str:
        what = f"the {action_of(acted_by(item))}" if acted_by(item) else "what was done"
        until = f", until {moment.clock(item.recover_by)}" if item.recover_by else ""
        return (
            f"{_name_of(item, names)} healthy after {what} at {moment.clock(acted_at(item))}{until}"
        )

    return [f"Waiting to see {'; '.join(map(told, items))}."] if items else []


def _name_of(item: Item, names: Mapping[str, Known]) -> str:
    known = names.get(item.entity_id or "")
    return named_en(known) if known else quoted_en(visible_line(bare_name(item)))


def _set_aside(outcome: of.Attention, moment: Moment) -> list[str]:
    """What was called resolved and goes on, which is no reason to hide it."""
    lines = [
        item_line(item, outcome.sources, outcome.names, moment).rstrip(".")
        for item in outcome.set_aside
    ]
    return [f"Set aside as dealt with, but still going on: {'; '.join(lines)}."] if lines else []


def _quiet(sources: Sequence[SourceState], names: Mapping[str, Known], moment: Moment) -> list[str]:
    def told(source: SourceState) -> str:
        known = names.get(source.entity_id or "")
        name = named_en(known) if known else quoted_en(source.source)
        since = source.last_observed_at
        return f"{name} (since {moment.clock(since)})" if since else f"{name} (never heard)"

    if not sources:
        return []
    return [f"Not known, for want of fresh news: {', '.join(told(source) for source in sources)}."]


def item_line(
    item: Item, sources: Sequence[SourceState], names: Mapping[str, Known], moment: Moment
) -> str:
    """One item as a sentence."""
    name = _name_of(item, names)
    by = f", expected by {moment.clock(item.recover_by)}" if item.recover_by else ""
    match item.kind:
        case "source":
            since = moment.clock(silent_since(item))
            line = f"no news of {name} since {since}, so its state is not known."
        case "recovery":
            since = moment.clock(acted_at(item))
            line = f"{name} has not been seen healthy since it was acted on at {since}{by}."
        case "health":
            since = moment.clock(ill_since(item, sources))
            line = f"{name} {_AILMENTS[ailment(item)]} since {since}."
        case _:
            title = quoted_en(visible_line(item.title))
            line = f"{name}: {title}, since {moment.clock(began(item))}."
    if item.awaiting_recovery and item.kind != "recovery":
        line += f" A command for it succeeded; it has not been seen healthy yet{by}."
    if item.stale:
        line += " Its source has gone quiet, so this may be out of date."
    if item.attention == "acknowledged":
        line += " It was taken note of already."
    return line


@say.register
def _(outcome: of.AttentionUnread, moment: Moment) -> str:
    text = [
        f"I cannot read what needs attention now: {without(outcome.missing)}."
        " That does not mean that there is nothing."
    ]
    if outcome.confirmation:
        until = moment.clock(outcome.confirmation.expires_at)
        what = doing(outcome.confirmation)
        text.append(f"I know myself that {what} waits for your yes until {until}.")
    text += [
        f"I also keep watch over {done_to(action, known)}; its effect is not known yet."
        for action, known in outcome.watched
    ]
    if len(text) == 1:
        text.append("Of what I keep myself, nothing waits.")
    return " ".join(text)


@say.register
def _(outcome: of.Health, moment: Moment) -> str:
    if outcome.missing:
        return f"I cannot tell how {named_en(outcome.target)} is: {without(outcome.missing)}."
    return " ".join(health_lines(outcome, moment))


def health_lines(outcome: of.Health, moment: Moment) -> list[str]:
    """How a thing is, and what is known against it."""
    name = named_en(outcome.target)
    source = of_health(outcome.sources)
    active = [item for item in outcome.items if item.operational == "active"]
    names = {outcome.target.entity_id: outcome.target}
    lines = [sentence(item_line(item, outcome.sources, names, moment)) for item in active]
    if source is None:
        return lines or [f"Nothing reports on {name} to Praxis, so I cannot tell how it is."]
    if source.kind != "health":
        return _as_reported(source, name, lines, moment)
    if source.freshness == "never" or source.last_observed_at is None:
        return [f"How {name} is, is not known: it has never been heard.", *lines]
    if source.freshness == "stale":
        since = moment.clock(source.last_observed_at)
        return [f"How {name} is, is not known since {since}: there has been no news of it.", *lines]
    if source.last_state == "ok":
        well = f"{name} is healthy: last seen {moment.ago(source.last_observed_at)}."
        others = zip(active, lines, strict=True)
        return [well, *[line for item, line in others if item.kind != "health"]]
    if any(item.kind == "health" for item in active):
        return lines
    since = moment.clock(source.last_change_at or source.last_observed_at)
    return [f"{name} {_AILMENTS['ill']} since {since}.", *lines]


def _as_reported(source: SourceState, name: str, lines: list[str], moment: Moment) -> list[str]:
    """How a thing is by a source that pushes, which says more than well or ill."""
    if source.last_observed_at is None:
        return [f"How {name} is, is not known: {source.source} has said nothing yet.", *lines]
    if source.freshness == "stale":
        since = moment.clock(source.last_observed_at)
        return [
            f"How {name} is, is not known: {source.source} has said nothing since {since}.",
            *lines,
        ]
    ago = moment.ago(source.last_observed_at)
    if source.last_state == "problem":
        return lines or [f"{name} is not fine: {source.source} said so {ago}."]
    if source.last_state == "ok":
        return [f"{name} is fine: {source.source} said so {ago}.", *lines]
    return [f"{source.source} spoke of {name} {ago}, not of how it is.", *lines]


@say.register
def _(outcome: of.StoryTold, moment: Moment) -> str:
    gaps = [f"{without(missing)}, so what it saw is not in this." for missing in outcome.missing]
    if outcome.story is None:
        of_what = f" of {named_en(outcome.target)}" if outcome.target else ""
        none = f"I know of no restart{of_what}."
        return " ".join([none if len(gaps) < 2 else "I cannot tell.", *gaps])
    begun = _begun(outcome.story, moment, is_own=outcome.is_own)
    return " ".join([begun, *_story(outcome.story, moment), *gaps])


def _begun(story: Story, moment: Moment, *, is_own: bool) -> str:
    """Who asked for it and confirmed it, and when."""
    name = named_en(story.target) if story.target else "something"
    what = f"the {action_of(story.action)} of {name}"
    who = story.requester.partition(":")[2] or story.requester
    asked = f" at {moment.clock(story.asked_at)}" if story.asked_at else ""
    if story.confirmed_at is None:
        began = f"; it began at {moment.clock(story.started_at)}" if story.started_at else ""
        begun = f"You asked for {what}" if is_own else f"{sentence(what)} was asked for by {who}"
        return f"{begun}{asked}{began}."
    confirmed = moment.clock(story.confirmed_at)
    if story.asked_at is None:
        begun = f"You confirmed {what}" if is_own else f"{sentence(what)} was confirmed by {who}"
        return f"{begun} at {confirmed}."
    if is_own:
        return f"You asked for {what}{asked} and confirmed it at {confirmed}."
    return f"{sentence(what)} was asked for by {who}{asked} and confirmed at {confirmed}."


def _story(story: Story, moment: Moment) -> list[str]:
    name = named_en(story.target) if story.target else "It"
    lines: list[str] = []
    ended = f" at {moment.clock(story.ended_at)}" if story.ended_at else ""
    lines.append(f"The command {STATES.get(story.state, story.state)}{ended}.")
    if story.process_started_at:
        lines.append(
            f"The process running now started at {moment.clock(story.process_started_at)}."
        )
    if story.healthy_at:
        lines.append(f"{name} was seen healthy at {moment.clock(story.healthy_at)}.")
    elif story.not_recovered_at:
        until = moment.clock(story.not_recovered_at)
        lines.append(f"{name} was not seen healthy in time; waiting ended at {until}.")
    elif story.is_watched and story.state == "succeeded":
        lines.append(f"{name} has not been seen healthy since.")
    return lines


@say.register
def _(outcome: of.Changes, moment: Moment) -> str:
    since = moment.clock(outcome.since)
    if outcome.missing:
        return f"I cannot read what changed: {without(outcome.missing)}."
    changed = (_change(change, outcome.names, moment) for change in outcome.changes)
    lines = [line for line in changed if line]
    if not lines:
        about = f" about {named_en(outcome.target)}" if outcome.target else ""
        return f"Nothing changed{about} since {since}."
    left = len(lines) - _CHANGES_TOLD
    more = [f"… and {left} earlier."] if left > 0 else []
    return "\n".join([f"Since {since}:", *lines[-_CHANGES_TOLD:], *more])


def _change(change: Change, names: Mapping[str, Known], moment: Moment) -> str:
    known = names.get(change.entity_id or "")
    name = named_en(known) if known else quoted_en(change.source or "something")
    actor = change.actor.partition(":")[2]
    state = change.details.get("state", "")
    how = {"running": "began", "queued": "is about to begin"}.get(state, STATES.get(state, state))
    is_wait = change.details.get("kind") == "recovery"
    words = {
        "item_opened": _WAITED_FOR if is_wait else "trouble began",
        "item_worsened": "it got worse",
        "item_recovered": "seen well again",
        "item_reopened": _WAITED_FOR if is_wait else "trouble came back",
        "item_not_recovered": "not seen healthy in time",
        "item_acknowledged": f"taken note of by {actor}",
        "item_resolved": f"called dealt with by {actor}",
        "item_ignored": f"ignored for now by {actor}",
        "item_unignored": "no longer ignored",
        "item_flapping": "it comes and goes",
        "execution_reported": f"the {action_of(change.details.get('action', 'command'))} {how}",
        "instance_changed": "its process started anew",
        "source_stale": "no more news",
        "source_fresh": "news again",
    }
    text = words.get(change.what)
    return f"{moment.clock(change.at)} {name}: {text}" if text else ""


@say.register
def _(outcome: of.Abilities, moment: Moment) -> str:
    name = named_en(outcome.target)
    if outcome.missing:
        return f"I cannot tell what can be done with {name}: {without(outcome.missing)}."
    if not outcome.capabilities:
        return f"Hexis offers nothing that can be done with {name}."
    offered = [
        clause(each.title.get("en", each.action))
        + (" (asks for your yes)" if each.risk in {"protected", "critical"} else "")
        for each in outcome.capabilities
    ]
    text = f"With {name}, Hexis can: {', '.join(offered)}."
    if outcome.asked_for and any(each.action == outcome.asked_for for each in outcome.capabilities):
        text += f" I did nothing yet; say “{outcome.asked_for} {name}” if you want it."
    return text


@say.register
def _(outcome: of.Description, moment: Moment) -> str:
    known, entity = outcome.target, outcome.entity
    name = named_en(known)
    if entity is None:
        gap = f" More I cannot say now: {without(outcome.missing)}." if outcome.missing else ""
        return f"{name} is {kind_en(known.type)} we spoke of.{gap}"
    runs_on = [
        named_en(Known(each.entity_id, each.names))
        for each in entity.relations
        if each.predicate == "runs_on"
    ]
    where = f" on {', '.join(runs_on)}" if runs_on else ""
    readable = [visible_line(each.text) for each in entity.aliases if is_readable(each.text, "en")]
    aliases = [each for each in readable if each != name][:5]
    also = f" Also called {', '.join(aliases)}." if aliases else ""
    described = entity.description.get("en")
    about = f" {visible_line(described)}" if described else ""
    return f"{name} is {kind_en(entity.type)}{where}.{about}{also}"

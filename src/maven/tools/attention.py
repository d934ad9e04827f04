"""Questions to Praxis: what needs attention, how a thing is, what changed; decisions on items."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta

from kit.errors import InvalidArgument, NotFound
from maven.domain.ailment import bare_name
from maven.domain.dialogue import CHOICE_LIVES, Known, Option, PendingChoice, Told
from maven.domain.outcome import (
    Attention,
    AttentionUnread,
    Changes,
    Handled,
    Health,
    Missing,
    NothingTold,
    WhichOne,
)
from maven.domain.turn import Turn, made
from maven.ports import Ports, ask
from maven.tools.identity import names_of
from praxis.contract import (
    Item,
    ItemList,
    ListAttention,
    ListChanges,
    ListItems,
    ListSources,
    SourceList,
    Transition,
)

_LISTED = 7
"""Items told at once."""
_MORNING = 5
"""The hour at which "since morning" begins."""
_LATELY = timedelta(hours=12)
"""How far back changes are meant when no time is named."""


async def attention(turn: Turn, ports: Ports) -> Turn:
    """What needs attention; without Praxis, what Maven itself knows to be waiting."""
    listed = await ask("praxis", ports.praxis.list_attention(ListAttention(limit=_LISTED)))
    if isinstance(listed, Missing):
        watched = tuple((each.action, each.target) for each in ports.watches.open(turn.requester))
        outcome = AttentionUnread(listed, turn.dialogue.confirmation, watched)
        return replace(turn, outcome=outcome)
    quiet = [each.entity_id for each in listed.sources if each.freshness != "fresh"]
    spoken = [each.item.entity_id for each in listed.items]
    aside = listed.set_aside[:_LISTED]
    aside_ids = [each.entity_id for each in aside]
    names = await names_of([*spoken, *aside_ids, *quiet], ports)
    focus = [names[each] for each in dict.fromkeys(spoken or aside_ids) if each in names]
    told = [told_of(each.item, names) for each in listed.items]
    outcome = Attention(
        tuple(listed.items), listed.total, tuple(listed.sources), names, tuple(aside)
    )
    dialogue = turn.dialogue.telling(told).about(*focus).asked("health")
    return replace(turn, outcome=outcome, dialogue=dialogue)


async def health(turn: Turn, ports: Ports) -> Turn:
    """How the target is, as far as Praxis has seen."""
    target = made(turn.target)
    outcome = await health_of(target, ports)
    items = [told_of(each, {target.entity_id: target}) for each in outcome.items]
    dialogue = turn.dialogue.telling(items) if items else turn.dialogue
    return replace(turn, outcome=outcome, dialogue=dialogue)


async def health_of(target: Known, ports: Ports) -> Health:
    """Sources and active items of one entity, joined."""
    ids = [target.entity_id]
    sources, items = await asyncio.gather(
        ask("praxis", ports.praxis.list_sources(ListSources(entity_ids=ids))),
        ask("praxis", ports.praxis.list_items(ListItems(entity_ids=ids, operational="active"))),
    )
    match sources, items:
        case SourceList(), ItemList():
            return Health(target, tuple(sources.sources), tuple(items.items))
        case Missing(), _:
            return Health(target, missing=sources)
        case _, Missing():
            return Health(target, missing=items)


async def changes(turn: Turn, ports: Ports) -> Turn:
    """What changed since an instant of the day, of one thing or of all."""
    since = since_of(turn.route.argument if turn.route else "", turn)
    ids = [turn.target.entity_id] if turn.target else []
    listed = await ask(
        "praxis", ports.praxis.list_changes(ListChanges(since=since, entity_ids=ids, limit=500))
    )
    if isinstance(listed, Missing):
        return replace(turn, outcome=Changes(since, (), {}, listed, turn.target))
    names = await names_of([each.entity_id for each in listed.changes[-40:]], ports)
    outcome = Changes(since, tuple(listed.changes), names, target=turn.target)
    return replace(turn, outcome=outcome)


def since_of(words: str, turn: Turn) -> datetime:
    """From when changes are meant, by the words said about the time."""
    local = turn.at.astimezone(turn.zone)
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
    if "hour" in words or "час" in words.split():
        return turn.at - timedelta(hours=1)
    if "yesterday" in words or "вчера" in words:
        return midnight - timedelta(days=1)
    if "night" in words or "ноч" in words:
        return midnight - timedelta(hours=2)
    if "morning" in words or "утр" in words:
        morning = midnight + timedelta(hours=_MORNING)
        return morning if morning < local else morning - timedelta(days=1)
    if "today" in words or "сегодня" in words or "день" in words:
        return midnight
    return turn.at - _LATELY


async def acknowledge(turn: Turn, ports: Ports) -> Turn:
    """Take note of the one item just told."""
    return await _decide(turn, ports, "acknowledge")


async def done(turn: Turn, ports: Ports) -> Turn:
    """Call the one item just told dealt with."""
    return await _decide(turn, ports, "done")


async def _decide(turn: Turn, ports: Ports, verb: str) -> Turn:
    kind = "acknowledge" if verb == "acknowledge" else "done"
    told = turn.dialogue.surfaced
    chosen = turn.route.reference.entity_id if turn.route and turn.route.reference else ""
    if chosen:
        told = [each for each in told if each.item_id == chosen]
    if not told:
        return replace(turn, outcome=NothingTold(kind))
    if len(told) > 1:
        options = [Option(each.item_id, each.names) for each in told]
        choice = PendingChoice(kind, options, turn.at + CHOICE_LIVES, of="item")
        return replace(turn, outcome=WhichOne(choice, ""), dialogue=turn.dialogue.asking(choice))
    return await _transition(turn, ports, told[0], kind)


async def _transition(turn: Turn, ports: Ports, told: Told, verb: str) -> Turn:
    acknowledging = verb == "acknowledge"
    operation = ports.praxis.acknowledge if acknowledging else ports.praxis.resolve
    kind = "acknowledge" if acknowledging else "done"
    try:
        item = await ask("praxis", operation(Transition(item_id=told.item_id)))
    except (NotFound, InvalidArgument) as error:
        return replace(turn, outcome=Handled(told, kind, reason=error.code))
    if isinstance(item, Missing):
        refused = item.code in {"failed_precondition", "conflict"}
        outcome = (
            Handled(told, kind, reason=item.code) if refused else Handled(told, kind, missing=item)
        )
        return replace(turn, outcome=outcome)
    rest = [each for each in turn.dialogue.surfaced if each.item_id != told.item_id]
    left = turn.dialogue.surfaced if acknowledging else rest
    outcome = Handled(told, kind, still_active=item.operational == "active")
    return replace(turn, outcome=outcome, dialogue=turn.dialogue.telling(left))


def told_of(item: Item, names: dict[str, Known]) -> Told:
    """An item, as the conversation will remember it."""
    known = names.get(item.entity_id or "")
    entity_id = item.entity_id or ""
    if known is None:
        name = bare_name(item)
        return Told(item.item_id, {"en": name, "ru": name}, entity_id)
    return Told(item.item_id, {"en": known.name("en"), "ru": known.name("ru")}, entity_id)

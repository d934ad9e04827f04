"""What is said of the world in Russian: attention, health, stories, changes, things."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from maven.domain import outcome as of
from maven.domain.ailment import ailment, ill_since, silent_since, silent_source
from maven.domain.dialogue import Known
from maven.domain.phrase.ru_words import STATES, action_of, doing, done_to, say, without
from maven.domain.story import Story
from maven.domain.words import (
    GENITIVE,
    INSTRUMENTAL,
    PREPOSITIONAL,
    Moment,
    count_ru,
    form_ru,
    kind_ru,
    named_ru,
    sentence,
)
from praxis.contract import Change, Item, SourceState

_CHANGES_TOLD = 12
_WAITED_FOR = "ожидание, пока будет в порядке"
_AILMENTS = {
    "silent": "не отвечает",
    "slow": "не отвечает вовремя",
    "degraded": "отвечает, но работает не полностью",
    "failing": "отвечает ошибками",
    "ill": "не в порядке",
}


@say.register
def _(outcome: of.Attention, moment: Moment) -> str:
    quiet = [source for source in outcome.sources if source.freshness != "fresh"]
    if not outcome.items:
        return " ".join([_nothing(outcome.sources, moment), *_quiet(quiet, outcome.names, moment)])
    lines = [
        item_line(ranked.item, outcome.sources, outcome.names, moment) for ranked in outcome.items
    ]
    told = {silent_source(each.item) for each in outcome.items if each.item.kind == "source"}
    unseen = _quiet([each for each in quiet if each.source not in told], outcome.names, moment)
    if len(lines) == 1 and outcome.total == 1:
        return " ".join([f"Внимания требует одно: {lines[0]}", *unseen])
    total = outcome.total
    need = form_ru(total, "требует", "требуют", "требуют")
    head = f"Внимания {need} {count_ru(total, 'пункт', 'пункта', 'пунктов')}:"
    rest = [f"И ещё {total - len(lines)}."] if total > len(lines) else []
    numbered = [f"{number}. {sentence(line)}" for number, line in enumerate(lines, 1)]
    return "\n".join([head, *numbered, *rest, *unseen])


def _nothing(sources: Sequence[SourceState], moment: Moment) -> str:
    fresh = [source for source in sources if source.freshness == "fresh"]
    if not sources:
        return "В Praxis пусто, но ему никто ничего и не сообщает, так что сказать нельзя."
    if not fresh:
        return "В Praxis пусто, но ни один источник не свеж, так что сказать нельзя."
    newest = max(source.last_observed_at for source in fresh if source.last_observed_at)
    count = len(fresh)
    fresh_form = form_ru(count, "свежий источник", "свежих источника", "свежих источников")
    return (
        f"Ничего не требует внимания: {count} {fresh_form},"
        f" последнее сообщение {moment.ago(newest)}."
    )


def _quiet(sources: Sequence[SourceState], names: Mapping[str, Known], moment: Moment) -> list[str]:
    def told(source: SourceState) -> str:
        known = names.get(source.entity_id or "")
        name = named_ru(known) if known else f"«{source.source}»"
        since = source.last_observed_at
        return f"{name} (с {moment.clock(since)})" if since else f"{name} (ещё не было вестей)"

    if not sources:
        return []
    return [f"Неизвестно, нет свежих вестей: {', '.join(told(source) for source in sources)}."]


def item_line(
    item: Item, sources: Sequence[SourceState], names: Mapping[str, Known], moment: Moment
) -> str:
    """One item as a sentence."""
    known = names.get(item.entity_id or "")
    source = silent_source(item) if item.kind == "source" else item.source
    name = named_ru(known) if known else f"«{source.partition(':')[2] or source}»"
    match item.kind:
        case "source":
            since = moment.clock(silent_since(item))
            line = f"{name}: вестей нет с {since}, поэтому состояние неизвестно."
        case "recovery":
            since = moment.clock(item.first_seen)
            line = f"{name}: после действия в {since} здоровым ещё не замечен."
        case "health":
            since = moment.clock(ill_since(item, sources))
            line = f"{name} {_AILMENTS[ailment(item)]} с {since}."
        case _:
            line = f"{name}: «{item.title}», с {moment.clock(item.first_seen)}."
    if item.awaiting_recovery:
        by = f", ожидается до {moment.clock(item.recover_by)}" if item.recover_by else ""
        line += f" Команда выполнена, но здоровым ещё не замечен{by}."
    if item.stale:
        line += " Источник молчит, так что это могло устареть."
    return line


@say.register
def _(outcome: of.AttentionUnread, moment: Moment) -> str:
    text = [
        f"Сейчас нельзя узнать, что требует внимания: {without(outcome.missing)}."
        " Это не значит, что там ничего нет."
    ]
    if outcome.confirmation:
        until = moment.clock(outcome.confirmation.expires_at)
        text.append(f"Сам знаю, что ждёт вашего «да» до {until}: {doing(outcome.confirmation)}.")
    text += [
        f"Ещё слежу, чем кончится {done_to(action, known)}; итог пока неизвестен."
        for action, known in outcome.watched
    ]
    if len(text) == 1:
        text.append("Из того, что помню сам, ничего не ждёт.")
    return " ".join(text)


@say.register
def _(outcome: of.Health, moment: Moment) -> str:
    if outcome.missing:
        name = named_ru(outcome.target)
        return f"Неизвестно, как {name}: {without(outcome.missing)}."
    return " ".join(health_lines(outcome, moment))


def health_lines(outcome: of.Health, moment: Moment) -> list[str]:
    """How a thing is, and what is known against it."""
    name = sentence(named_ru(outcome.target))
    source = next((each for each in outcome.sources if each.kind == "health"), None)
    active = [item for item in outcome.items if item.operational == "active"]
    names = {outcome.target.entity_id: outcome.target}
    lines = [sentence(item_line(item, outcome.sources, names, moment)) for item in active]
    if source is None:
        nobody = (
            f"О том, как {named_ru(outcome.target)}, никто Praxis не сообщает — сказать нельзя."
        )
        return lines or [nobody]
    if source.freshness == "never" or source.last_observed_at is None:
        return [f"{name}: состояние неизвестно, вестей ещё не было.", *lines]
    if source.freshness == "stale":
        since = moment.clock(source.last_observed_at)
        return [f"{name}: состояние неизвестно с {since}, вестей больше не было.", *lines]
    if source.last_state == "ok":
        well = f"{name} в порядке: последняя весть {moment.ago(source.last_observed_at)}."
        others = zip(active, lines, strict=True)
        return [well, *[line for item, line in others if item.kind != "health"]]
    if any(item.kind == "health" for item in active):
        return lines
    since = moment.clock(source.last_change_at or source.last_observed_at)
    return [f"{name} {_AILMENTS['ill']} с {since}.", *lines]


@say.register
def _(outcome: of.StoryTold, moment: Moment) -> str:
    gaps = [f"{without(missing)}, поэтому его сведений здесь нет." for missing in outcome.missing]
    if outcome.story is None:
        of_what = f" {named_ru(outcome.target, GENITIVE)}" if outcome.target else ""
        none = f"О перезапуске{of_what} мне ничего не известно."
        return " ".join([none if len(gaps) < 2 else "Сказать нельзя.", *gaps])
    return " ".join([*_story(outcome.story, moment), *gaps])


def _story(story: Story, moment: Moment) -> list[str]:
    what = done_to(story.action, story.target) if story.target else action_of(story.action)
    who = story.requester.partition(":")[2] or story.requester
    asked = story.asked_at or story.started_at
    when = f" в {moment.clock(asked)}" if asked else ""
    lines = [f"{sentence(what)}: просьба от {who}{when}."]
    if story.started_at and story.asked_at:
        lines.append(f"Подтверждено и начато в {moment.clock(story.started_at)}.")
    ended = f" в {moment.clock(story.ended_at)}" if story.ended_at else ""
    lines.append(f"Команда {STATES.get(story.state, story.state)}{ended}.")
    if story.process_started_at:
        lines.append(f"Нынешний процесс запущен в {moment.clock(story.process_started_at)}.")
    name = sentence(named_ru(story.target)) if story.target else "Объект"
    if story.healthy_at:
        lines.append(f"{name} снова в порядке: замечено в {moment.clock(story.healthy_at)}.")
    elif story.not_recovered_at:
        until = moment.clock(story.not_recovered_at)
        lines.append(f"{name} в срок здоровым не замечен; ожидание кончилось в {until}.")
    elif story.is_watched and story.state == "succeeded":
        lines.append(f"{name} с тех пор здоровым ещё не замечен.")
    return lines


@say.register
def _(outcome: of.Changes, moment: Moment) -> str:
    since = moment.clock(outcome.since)
    if outcome.missing:
        return f"Нельзя узнать, что изменилось: {without(outcome.missing)}."
    changed = (_change(change, outcome.names, moment) for change in outcome.changes)
    lines = [line for line in changed if line]
    if not lines:
        about = f" ({named_ru(outcome.target)})" if outcome.target else ""
        return f"С {since} ничего не изменилось{about}."
    left = len(lines) - _CHANGES_TOLD
    more = [f"… и ещё {left} раньше."] if left > 0 else []
    return "\n".join([f"С {since}:", *lines[-_CHANGES_TOLD:], *more])


def _change(change: Change, names: Mapping[str, Known], moment: Moment) -> str:
    known = names.get(change.entity_id or "")
    name = named_ru(known) if known else f"«{change.source or 'неизвестно что'}»"
    actor = change.actor.partition(":")[2]
    details = change.details
    done, state = action_of(details.get("action", "команда")), details.get("state", "")
    how = {"running": "начат", "queued": "вот-вот начнётся"}.get(state)
    how = how or f"команда {STATES.get(state, state)}"
    is_wait = details.get("kind") == "recovery"
    words = {
        "item_opened": _WAITED_FOR if is_wait else "началась неполадка",
        "item_worsened": "стало хуже",
        "item_recovered": "снова в порядке",
        "item_reopened": _WAITED_FOR if is_wait else "неполадка вернулась",
        "item_not_recovered": "в срок здоровым не замечен",
        "item_acknowledged": f"принято к сведению ({actor})",
        "item_resolved": f"отмечено решённым ({actor})",
        "execution_reported": f"{done}: {how}",
        "instance_changed": "процесс запущен заново",
        "source_stale": "вестей больше нет",
        "source_fresh": "вести снова есть",
    }
    text = words.get(change.what)
    return f"{moment.clock(change.at)} {name}: {text}" if text else ""


@say.register
def _(outcome: of.Abilities, moment: Moment) -> str:
    what = named_ru(outcome.target, INSTRUMENTAL)
    if outcome.missing:
        return f"Нельзя узнать, что можно сделать с {what}: {without(outcome.missing)}."
    if not outcome.capabilities:
        return f"Hexis ничего не может сделать с {what}."
    offered = [
        each.title.get("ru", each.action)
        + (" (спросит подтверждение)" if each.risk in {"protected", "critical"} else "")
        for each in outcome.capabilities
    ]
    text = f"С {what} Hexis может: {', '.join(offered)}."
    if outcome.asked_for and any(each.action == outcome.asked_for for each in outcome.capabilities):
        name = outcome.target.name("ru")
        text += f" Пока ничего не сделано; если нужно, скажите «перезапусти {name}»."
    return text


@say.register
def _(outcome: of.Description, moment: Moment) -> str:
    known, entity = outcome.target, outcome.entity
    if entity is None:
        gap = f" Больше сейчас не скажу: {without(outcome.missing)}." if outcome.missing else ""
        return f"«{known.name('ru')}» — {kind_ru(known.type)}, о нём шла речь.{gap}"
    runs_on = [
        Known(each.entity_id, each.names, each.type)
        for each in entity.relations
        if each.predicate == "runs_on"
    ]
    where = f", работает на {named_ru(runs_on[0], PREPOSITIONAL)}" if runs_on else ""
    names = [alias.text for alias in entity.aliases if alias.text != known.name("ru")][:5]
    also = f" Ещё называют: {', '.join(names)}." if names else ""
    described = entity.description.get("ru")
    about = f" {described}" if described else ""
    return f"«{known.name('ru')}» — {kind_ru(entity.type)}{where}.{about}{also}"

"""What is said of the world in Russian: attention, health, stories, changes, things."""

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
from maven.domain.phrase.ru_words import (
    STATES,
    action_ru,
    doing,
    done_to,
    say,
    to_do,
    without,
)
from maven.domain.story import Story
from maven.domain.words import (
    GENITIVE,
    INSTRUMENTAL,
    PREPOSITIONAL,
    Moment,
    agree_ru,
    clause,
    count_ru,
    form_ru,
    host_name,
    is_readable,
    kind_ru,
    named_ru,
    quoted_ru,
    sentence,
)
from praxis.contract import Change, Item, SourceState

_CHANGES_TOLD = 12
_WAITED_FOR = "ожидается восстановление"
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
        return " ".join([f"Внимания требует одно: {lines[0]}", *aside, *unseen])
    need = form_ru(total, "требует", "требуют", "требуют")
    head = f"Внимания {need} {count_ru(total, 'пункт', 'пункта', 'пунктов')}:"
    more = count_ru(total - len(lines), "пункт", "пункта", "пунктов")
    rest = [f"И ещё {more}."] if total > len(lines) else []
    numbered = [f"{number}. {sentence(line)}" for number, line in enumerate(lines, 1)]
    return "\n".join([head, *numbered, *rest, *aside, *unseen])


def _nothing(sources: Sequence[SourceState], moment: Moment, *, is_else: bool) -> str:
    fresh = [source for source in sources if source.freshness == "fresh"]
    if not sources:
        return "В Praxis пусто, но ему никто ничего и не сообщает, так что сказать нельзя."
    if not fresh:
        return (
            "В Praxis пусто, но свежих данных нет ни от одного источника, так что сказать нельзя."
        )
    newest = max(source.last_observed_at for source in fresh if source.last_observed_at)
    count = len(fresh)
    fresh_form = form_ru(count, "свежий источник", "свежих источника", "свежих источников")
    return (
        f"{'Больше ничего' if is_else else 'Ничего'} не требует внимания: {count} {fresh_form},"
        f" последнее сообщение получено {moment.ago(newest)}."
    )


def _awaited(items: Sequence[Item], names: Mapping[str, Known], moment: Moment) -> list[str]:
    """What something was done about, and what has time left to be seen healthy."""

    def told(item: Item) -> str:
        done = acted_by(item)
        what = action_ru(done).genitive if done else "действия"
        until = f", до {moment.clock(item.recover_by)}" if item.recover_by else ""
        at = moment.clock(acted_at(item))
        return f"{_name_of(item, names)} после {what} в {at}{until}"

    lines = "; ".join(map(told, items))
    return [f"Жду, когда станет видно, что всё в порядке: {lines}."] if items else []


def _name_of(item: Item, names: Mapping[str, Known]) -> str:
    known = names.get(item.entity_id or "")
    return named_ru(known) if known else quoted_ru(visible_line(bare_name(item)))


def _set_aside(outcome: of.Attention, moment: Moment) -> list[str]:
    """What was called resolved and goes on, which is no reason to hide it."""
    lines = [
        item_line(item, outcome.sources, outcome.names, moment).rstrip(".")
        for item in outcome.set_aside
    ]
    return [f"Отмечено как решённое, но ещё продолжается: {'; '.join(lines)}."] if lines else []


def _quiet(sources: Sequence[SourceState], names: Mapping[str, Known], moment: Moment) -> list[str]:
    def told(source: SourceState) -> str:
        known = names.get(source.entity_id or "")
        name = named_ru(known) if known else quoted_ru(source.source)
        since = source.last_observed_at
        return f"{name} (с {moment.clock(since)})" if since else f"{name} (данных ещё не было)"

    if not sources:
        return []
    return [f"Неизвестно, нет свежих данных: {', '.join(told(source) for source in sources)}."]


def item_line(
    item: Item, sources: Sequence[SourceState], names: Mapping[str, Known], moment: Moment
) -> str:
    """One item as a sentence."""
    known = names.get(item.entity_id or "")
    name = _name_of(item, names)
    seen = agree_ru(known, "замечен", "замечено") if known else "замечено"
    by = f", ожидается до {moment.clock(item.recover_by)}" if item.recover_by else ""
    match item.kind:
        case "source":
            since = moment.clock(silent_since(item))
            line = f"{name}: данных нет с {since}, поэтому состояние неизвестно."
        case "recovery":
            since = moment.clock(acted_at(item))
            line = f"{name} после действия в {since} здоровым ещё не {seen}{by}."
        case "health":
            since = moment.clock(ill_since(item, sources))
            line = f"{name} {_AILMENTS[ailment(item)]} с {since}."
        case _:
            title = quoted_ru(visible_line(item.title))
            line = f"{name}: {title}, с {moment.clock(began(item))}."
    if item.awaiting_recovery and item.kind != "recovery":
        line += f" Команда уже выполнена, но здоровым {name} ещё не {seen}{by}."
    if item.stale:
        line += " Источник молчит, так что это могло устареть."
    if item.attention == "acknowledged":
        line += " Уже принято к сведению."
    return line


@say.register
def _(outcome: of.AttentionUnread, moment: Moment) -> str:
    text = [
        f"Сейчас нельзя узнать, что требует внимания: {without(outcome.missing)}."
        " Это не значит, что ничего нет."
    ]
    if outcome.confirmation:
        until = moment.clock(outcome.confirmation.expires_at)
        text.append(f"Сам я знаю, что до {until} ждёт вашего «да» {doing(outcome.confirmation)}.")
    text += [
        f"Ещё я слежу, чем кончится {done_to(action, known)}; результат пока неизвестен."
        for action, known in outcome.watched
    ]
    if len(text) == 1:
        text.append("Из того, что я помню сам, ничего не ждёт ответа.")
    return " ".join(text)


@say.register
def _(outcome: of.Health, moment: Moment) -> str:
    if outcome.missing:
        well = agree_ru(outcome.target, "здоров ли", "здорово ли")
        return f"Неизвестно, {well} {named_ru(outcome.target)}: {without(outcome.missing)}."
    return " ".join(health_lines(outcome, moment))


def health_lines(outcome: of.Health, moment: Moment) -> list[str]:
    """How a thing is, and what is known against it."""
    name = sentence(named_ru(outcome.target))
    source = of_health(outcome.sources)
    active = [item for item in outcome.items if item.operational == "active"]
    names = {outcome.target.entity_id: outcome.target}
    lines = [sentence(item_line(item, outcome.sources, names, moment)) for item in active]
    if source is None:
        what = named_ru(outcome.target, PREPOSITIONAL)
        return lines or [f"О {what} никто Praxis не сообщает, поэтому сказать нельзя."]
    if source.kind != "health":
        return _as_reported(source, name, lines, moment)
    if source.freshness == "never" or source.last_observed_at is None:
        return [f"{name}: состояние неизвестно, данных ещё не было.", *lines]
    if source.freshness == "stale":
        since = moment.clock(source.last_observed_at)
        return [f"{name}: состояние неизвестно с {since}, данных больше не было.", *lines]
    if source.last_state == "ok":
        ago = moment.ago(source.last_observed_at)
        well = f"{name} в порядке: последнее сообщение получено {ago}."
        others = zip(active, lines, strict=True)
        return [well, *[line for item, line in others if item.kind != "health"]]
    if any(item.kind == "health" for item in active):
        return lines
    since = moment.clock(source.last_change_at or source.last_observed_at)
    return [f"{name} {_AILMENTS['ill']} с {since}.", *lines]


def _as_reported(source: SourceState, name: str, lines: list[str], moment: Moment) -> list[str]:
    """How a thing is by a source that pushes, which says more than well or ill."""
    if source.last_observed_at is None:
        return [f"{name}: состояние неизвестно, {source.source} ещё ничего не сообщал.", *lines]
    if source.freshness == "stale":
        since = moment.clock(source.last_observed_at)
        return [f"{name}: состояние неизвестно, {source.source} молчит с {since}.", *lines]
    ago = moment.ago(source.last_observed_at)
    if source.last_state == "problem":
        return lines or [f"{name} не в порядке: {source.source} сообщил об этом {ago}."]
    if source.last_state == "ok":
        return [f"{name} в порядке: {source.source} сообщил об этом {ago}.", *lines]
    return [f"{name}: {source.source} сообщил {ago} о другом, не о состоянии.", *lines]


@say.register
def _(outcome: of.StoryTold, moment: Moment) -> str:
    gaps = [f"{without(missing)}, поэтому его сведений здесь нет." for missing in outcome.missing]
    if outcome.story is None:
        of_what = f" {named_ru(outcome.target, GENITIVE)}" if outcome.target else ""
        none = f"О перезапуске{of_what} мне ничего не известно."
        return " ".join([none if len(gaps) < 2 else "Сказать нельзя.", *gaps])
    begun = _begun(outcome.story, moment, is_own=outcome.is_own)
    return " ".join([begun, *_story(outcome.story, moment), *gaps])


def _begun(story: Story, moment: Moment, *, is_own: bool) -> str:
    """Who asked for it and confirmed it, and when."""
    who = story.requester.partition(":")[2] or story.requester
    action = action_ru(story.action)
    what = done_to(story.action, story.target) if story.target else action.noun
    order = to_do(story.action, story.target) if story.target else f"{action.verb} что-то"
    asked = f" в {moment.clock(story.asked_at)}" if story.asked_at else ""
    if story.confirmed_at is None:
        start = story.started_at
        began = f"; команда начата в {moment.clock(start)}" if start else ""
        begun = f"Вы попросили {order}" if is_own else f"{sentence(what)}: просьба от {who}"
        return f"{begun}{asked}{began}."
    confirmed = moment.clock(story.confirmed_at)
    if story.asked_at is None:
        begun = f"Вы подтвердили {what}" if is_own else f"{sentence(what)}: подтверждение от {who}"
        return f"{begun} в {confirmed}."
    if is_own:
        return f"Вы попросили {order}{asked} и подтвердили это в {confirmed}."
    return f"{sentence(what)}: просьба от {who}{asked}, подтверждение в {confirmed}."


def _story(story: Story, moment: Moment) -> list[str]:
    lines: list[str] = []
    ended = f" в {moment.clock(story.ended_at)}" if story.ended_at else ""
    lines.append(f"Команда {STATES.get(story.state, story.state)}{ended}.")
    if story.process_started_at:
        lines.append(f"Нынешний процесс запущен в {moment.clock(story.process_started_at)}.")
    name = sentence(named_ru(story.target)) if story.target else "Объект"
    seen = agree_ru(story.target, "замечен", "замечено") if story.target else "замечен"
    if story.healthy_at:
        lines.append(f"{name} снова в порядке: это видно с {moment.clock(story.healthy_at)}.")
    elif story.not_recovered_at:
        until = moment.clock(story.not_recovered_at)
        lines.append(f"{name} в срок не {seen} здоровым; ожидание кончилось в {until}.")
    elif story.is_watched and story.state == "succeeded":
        lines.append(f"{name} с тех пор здоровым ещё не {seen}.")
    return lines


@say.register
def _(outcome: of.Changes, moment: Moment) -> str:
    since = moment.clock(outcome.since)
    if outcome.missing:
        return f"Нельзя узнать, что изменилось: {without(outcome.missing)}."
    changed = (_change(change, outcome.names, moment) for change in outcome.changes)
    lines = [line for line in changed if line]
    if not lines:
        about = f"у {named_ru(outcome.target, GENITIVE)} " if outcome.target else ""
        return f"С {since} {about}ничего не изменилось."
    left = len(lines) - _CHANGES_TOLD
    more = [f"… и ещё {left} раньше."] if left > 0 else []
    return "\n".join([f"С {since}:", *lines[-_CHANGES_TOLD:], *more])


def _change(change: Change, names: Mapping[str, Known], moment: Moment) -> str:
    known = names.get(change.entity_id or "")
    name = named_ru(known) if known else quoted_ru(change.source or "неизвестно что")
    seen = agree_ru(known, "замечен", "замечено") if known else "замечено"
    actor = change.actor.partition(":")[2]
    details = change.details
    done, state = action_ru(details.get("action", "")), details.get("state", "")
    how = {"running": done.begun, "queued": "вот-вот начнётся"}.get(state)
    how = how or f"— команда {STATES.get(state, state)}"
    is_wait = details.get("kind") == "recovery"
    words = {
        "item_opened": _WAITED_FOR if is_wait else "началась неполадка",
        "item_worsened": "стало хуже",
        "item_recovered": "снова в порядке",
        "item_reopened": _WAITED_FOR if is_wait else "неполадка вернулась",
        "item_not_recovered": f"в срок не {seen} здоровым",
        "item_acknowledged": f"принято к сведению ({actor})",
        "item_resolved": f"отмечено как решённое ({actor})",
        "item_ignored": f"пока игнорируется ({actor})",
        "item_unignored": "больше не игнорируется",
        "item_flapping": "неполадка то есть, то нет",
        "execution_reported": f"{done.noun} {how}",
        "instance_changed": "процесс запущен заново",
        "source_stale": "данных больше нет",
        "source_fresh": "данные снова есть",
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
        clause(each.title.get("ru", each.action))
        + (" (спросит подтверждение)" if each.risk in {"protected", "critical"} else "")
        for each in outcome.capabilities
    ]
    text = f"С {what} Hexis может: {', '.join(offered)}."
    if outcome.asked_for and any(each.action == outcome.asked_for for each in outcome.capabilities):
        text += " Пока ничего не сделано; если нужно, скажите «перезапусти его»."
    return text


@say.register
def _(outcome: of.Description, moment: Moment) -> str:
    known, entity = outcome.target, outcome.entity
    if entity is None:
        gap = f" Больше сейчас не скажу: {without(outcome.missing)}." if outcome.missing else ""
        return f"{quoted_ru(known.name('ru'))} — {kind_ru(known.type)}, о нём шла речь.{gap}"
    runs_on = [
        Known(each.entity_id, each.names, each.type)
        for each in entity.relations
        if each.predicate == "runs_on"
    ]
    where = f", работает на {_place(runs_on[0])}" if runs_on else ""
    readable = [visible_line(each.text) for each in entity.aliases if is_readable(each.text, "ru")]
    names = [each for each in readable if each != known.name("ru")][:5]
    also = f" Другие названия: {', '.join(names)}." if names else ""
    described = entity.description.get("ru")
    about = f" {visible_line(described)}" if described else ""
    return f"{quoted_ru(known.name('ru'))} — {kind_ru(entity.type)}{where}.{about}{also}"


def _place(host: Known) -> str:
    """On what something runs; the name of a host stands without quotes, as in a proposal."""
    name = host.name("ru")
    return (
        f"хосте {host_name(name, quoted_ru(name))}"
        if host.type == "device.host"
        else named_ru(host, PREPOSITIONAL)
    )

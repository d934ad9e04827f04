"""What is said in Russian about doing things and about the conversation itself."""

from __future__ import annotations

from maven.domain import outcome as of
from maven.domain.dialogue import Known, Option
from maven.domain.phrase.ru_words import (
    REFUSALS,
    STATES,
    TALK,
    doing,
    done_to,
    say,
    why,
    without,
)
from maven.domain.phrase.ru_world import health_lines
from maven.domain.watch import News
from maven.domain.words import (
    GENITIVE,
    INSTRUMENTAL,
    Moment,
    is_part_of,
    named_ru,
    sentence,
    uptime,
)

_RISKS = {
    "read": "только чтение",
    "low": "низкий",
    "protected": "защищённое действие",
    "critical": "критическое действие",
}


@say.register
def _(outcome: of.Report, moment: Moment) -> str:
    execution = outcome.execution
    target = Known(execution.target.entity_id, execution.target.names, execution.target.type)
    if execution.state != "succeeded":
        what = sentence(done_to(execution.action, target))
        return f"{what}: команда {STATES[execution.state]}.{why(execution.reason)}"
    output = execution.output.strip()
    if execution.action == "logs":
        if not output:
            return f"Журнал {named_ru(target, GENITIVE)} пуст."
        return f"Последние строки журнала {named_ru(target, GENITIVE)}:\n{output}"
    facts, name = execution.data, sentence(named_ru(target))
    if facts.get("state") == "running" and "pid" in facts:
        lasts = uptime(facts)
        since = f", уже {moment.span(lasts)}" if lasts is not None else ""
        return f"{name} запущен: процесс {facts['pid']}{since}. Здоров ли — спросите «как он?»."
    return f"{name}: {output or 'супервизор не сообщил подробностей'}."


@say.register
def _(outcome: of.Challenge, moment: Moment) -> str:
    waiting = outcome.confirmation
    host = waiting.host("ru")
    where = f"на «{host}»" if host else "(на каком устройстве, Nexus не знает)"
    text = (
        f"Будет выполнено: {doing(waiting)} {where}."
        f" Риск: {_RISKS.get(waiting.risk, waiting.risk)}."
        f" Подтверждаете? Да или нет, до {moment.clock(waiting.expires_at)}."
    )
    if not outcome.can_confirm:
        text += f" Отсюда «да» сказать нельзя: {REFUSALS['assertion_needed']}."
    return text


@say.register
def _(outcome: of.Carried, moment: Moment) -> str:
    execution = outcome.execution
    target = Known(execution.target.entity_id, execution.target.names, execution.target.type)
    what = sentence(done_to(execution.action, target))
    match outcome.phase:
        case "stopping":
            return f"{what}: передано. Меня самого сейчас перезапускают, расскажу после."
        case "handed_over":
            return f"{what}: передано супервизору, итог пока неизвестен. Расскажу, когда узнаю."
        case "unseen":
            return (
                f"{what}: начато, но Hexis больше не отвечает. Чем кончилось, не знаю;"
                " проверю чтением и расскажу."
            )
        case "under_way":
            return f"{what}: команда ещё выполняется. Расскажу, чем кончится."
        case "ended":
            return _ended(outcome, what, target)


def _ended(outcome: of.Carried, what: str, target: Known) -> str:
    execution = outcome.execution
    if execution.state == "unknown":
        return f"{what}: не знаю, подействовало ли; проверю чтением, повторно не отправлю."
    if execution.state != "succeeded":
        return f"{what}: команда {STATES[execution.state]}.{why(execution.reason)}"
    if execution.expects_recovery:
        return (
            f"{what}: команда выполнена. {sentence(named_ru(target))} здоровым ещё не замечен;"
            " расскажу, когда это случится или если не случится."
        )
    return f"{what}: команда выполнена."


@say.register
def _(outcome: of.YesLost, moment: Moment) -> str:
    return (
        f"«Да» передано, но ответа нет, поэтому не знаю, выполнено ли:"
        f" {doing(outcome.confirmation)}. Повторно не отправлю; проверю чтением и расскажу."
    )


@say.register
def _(outcome: of.YesRefused, moment: Moment) -> str:
    waiting = outcome.confirmation
    reason = REFUSALS.get(outcome.reason, outcome.reason or "причина не названа")
    text = f"Ничего не сделано ({doing(waiting)}): {reason}."
    if outcome.still_waits:
        text += f" Подтверждение по-прежнему ждёт до {moment.clock(waiting.expires_at)}."
    return text


@say.register
def _(outcome: of.Declined, moment: Moment) -> str:
    text = f"Хорошо, отменено: {doing(outcome.confirmation)}. Ничего не сделано."
    if not outcome.told_hexis:
        until = moment.clock(outcome.confirmation.expires_at)
        text += f" Hexis об этом узнать не смог; его предложение само истечёт в {until}."
    return text


@say.register
def _(outcome: of.Lapsed, moment: Moment) -> str:
    waiting = outcome.confirmation
    return (
        f"Время на подтверждение вышло в {moment.clock(waiting.expires_at)}: {doing(waiting)}."
        " Ничего не сделано; если ещё нужно, попросите снова."
    )


@say.register
def _(outcome: of.NothingWaits, moment: Moment) -> str:
    if outcome.verdict == "yes":
        return "Ничего не ждёт подтверждения, поэтому ничего не сделано."
    return "Отменять нечего: ничего не ждёт."


@say.register
def _(outcome: of.CalledOff, moment: Moment) -> str:
    return "Хорошо, оставим."


@say.register
def _(outcome: of.AskAgain, moment: Moment) -> str:
    waiting = outcome.confirmation
    host = waiting.host("ru")
    where = f" на «{host}»" if host else ""
    return (
        f"Жду простого «да» или «нет»: {doing(waiting)}{where}?"
        f" До {moment.clock(waiting.expires_at)}; пока ничего не сделано."
    )


@say.register
def _(outcome: of.WhichOne, moment: Moment) -> str:
    options = outcome.choice.options
    head = "Что именно имеется в виду?"
    if outcome.choice.is_suggestion:
        unknown = f"Не знаю ничего с именем «{outcome.said}»."
        if len(options) == 1:
            return f"{unknown} Имеется в виду «{options[0].name('ru')}»?"
        head = f"{unknown} Может быть, одно из этого?"
    lines = [f"{number}. {_option(option)}" for number, option in enumerate(options, 1)]
    return "\n".join([head, *lines])


def _option(option: Option) -> str:
    name = option.name("ru")
    return name if is_part_of(option.hint, name) else f"{name} — {option.hint}"


@say.register
def _(outcome: of.NoSuch, moment: Moment) -> str:
    return f"Не знаю ничего с именем «{outcome.said}», поэтому ничего не сделано."


@say.register
def _(outcome: of.NoReference, moment: Moment) -> str:
    return "О чём речь? Назовите, например: «как там Векна?»."


@say.register
def _(outcome: of.NamesUnread, moment: Moment) -> str:
    gap = without(outcome.missing)
    text = f"Нельзя узнать, что такое «{outcome.said}»: {gap}."
    if not outcome.said:
        text = f"Нельзя убедиться, о чём именно речь: {gap}."
    return f"{text} Ничего не сделано." if outcome.action else text


@say.register
def _(outcome: of.CannotAct, moment: Moment) -> str:
    what = done_to(outcome.action, outcome.target)
    text = f"{without(outcome.missing)}, поэтому сейчас невозможно: {what}. Ничего не сделано."
    health = outcome.health
    if health is None:
        return text
    if health.missing:
        name = named_ru(outcome.target)
        return f"{text} Как {name}, тоже неизвестно: {without(health.missing)}."
    return " ".join([text, "По данным Praxis:", *health_lines(health, moment)])


@say.register
def _(outcome: of.NoCapability, moment: Moment) -> str:
    what = done_to(outcome.action, outcome.target)
    offered = ", ".join(each.title.get("ru", each.action) for each in outcome.offered)
    if outcome.is_several:
        several = f"Для этого есть несколько способов ({offered}): {what}."
        return f"{several} Выбрать не могу, ничего не сделано."
    can = f" С {named_ru(outcome.target, INSTRUMENTAL)} можно: {offered}." if offered else ""
    return f"Hexis такого не умеет: {what}. Ничего не сделано.{can}"


@say.register
def _(outcome: of.ActionRefused, moment: Moment) -> str:
    what = done_to(outcome.action, outcome.target)
    reason = REFUSALS.get(outcome.reason, outcome.reason)
    return f"Hexis отказывается: {what}. Причина: {reason}. Ничего не сделано."


@say.register
def _(outcome: of.Handled, moment: Moment) -> str:
    name = outcome.item.names.get("ru", outcome.item.item_id)
    if outcome.missing:
        return (
            f"Записать не удалось: {without(outcome.missing)}. Для «{name}» ничего не изменилось."
        )
    if outcome.reason:
        return f"Praxis не принял это для «{name}»: {outcome.reason}."
    if outcome.verb == "acknowledge":
        return f"Принято к сведению: «{name}». Решённым это не считается."
    still = " Судя по наблюдениям, оно ещё продолжается." if outcome.still_active else ""
    return f"Отмечено решённым: «{name}».{still}"


@say.register
def _(outcome: of.NothingTold, moment: Moment) -> str:
    return "В этом разговоре ещё не было ни одного пункта, отмечать нечего."


@say.register
def _(outcome: of.Talk, moment: Moment) -> str:
    if outcome.intent == "repeat":
        return outcome.text or "Пока ничего не было сказано."
    return TALK[outcome.intent]


def say_news(news: News, moment: Moment) -> str:
    """What became of something set going earlier."""
    watch = news.watch
    name = sentence(named_ru(watch.target))
    what = done_to(watch.action, watch.target)
    if news.kind == "recovered":
        return f"{name} снова в порядке: замечено в {moment.clock(news.at)} ({what})."
    if news.kind == "not_recovered":
        if news.state == "succeeded":
            return f"{name} здоровым так и не замечен, хотя команда выполнена ({what})."
        return f"Не удалось узнать, чем кончился {what}; здоровым тоже не замечен."
    if news.process_started_at:
        started = moment.clock(news.process_started_at)
        return (
            f"Чем кончился {what}, никто не видел, но новый процесс запущен в {started}"
            " и он в порядке."
        )
    if news.state == "unknown":
        return f"Чем кончился {what}, никто не видел. Повторно не отправлено."
    return f"{sentence(what)}: команда {STATES[news.state]} в {moment.clock(news.at)}."

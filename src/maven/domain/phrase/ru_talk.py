"""What is said in Russian about doing things and about the conversation itself."""

from __future__ import annotations

from collections.abc import Sequence

from kit.render import visible_line
from maven.domain import outcome as of
from maven.domain.dialogue import Known, Option
from maven.domain.phrase.ru_words import (
    REFUSALS,
    STATES,
    TALK,
    UNTAKEN,
    action_ru,
    doing,
    done_to,
    on_host,
    say,
    to_do,
    why,
    without,
)
from maven.domain.phrase.ru_world import health_lines
from maven.domain.watch import News
from maven.domain.words import (
    GENITIVE,
    INSTRUMENTAL,
    Moment,
    agree_ru,
    clause,
    inset,
    is_part_of,
    named_ru,
    quoted_ru,
    sentence,
    uptime,
)

_LOOK = "проверю, что вышло, и сообщу, а команду повторно не отправлю"
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
        return f"Последние строки журнала {named_ru(target, GENITIVE)}:\n{inset(output)}"
    facts, name = execution.data, sentence(named_ru(target))
    if facts.get("state") == "running" and "pid" in facts:
        lasts = uptime(facts)
        since = f", работает уже {moment.span(lasts)}" if lasts is not None else ""
        runs = agree_ru(target, "запущен", "запущено")
        running = f"{name} {runs}: процесс {facts['pid']}{since}."
        ask = agree_ru(
            target, "Здоров ли он, спросите: «как он?»", "Здорово ли, спросите: «как оно?»"
        )
        return f"{running} {ask}."
    return f"{name}: {output or 'супервизор не сообщил подробностей'}."


@say.register
def _(outcome: of.Challenge, moment: Moment) -> str:
    waiting = outcome.confirmation
    will_be = action_ru(waiting.action).done
    text = (
        f"Будет {will_be} {doing(waiting)} {on_host(waiting)}."
        f" Риск: {_RISKS.get(waiting.risk, waiting.risk)}."
        f" Подтверждаете? Скажите «да» или «нет» до {moment.clock(waiting.expires_at)}."
    )
    if not outcome.can_confirm:
        text += f" Отсюда «да» сказать нельзя: {REFUSALS['assertion_needed']}."
    return text


@say.register
def _(outcome: of.Carried, moment: Moment) -> str:
    execution = outcome.execution
    target = Known(execution.target.entity_id, execution.target.names, execution.target.type)
    what = done_to(execution.action, target, execution.title)
    match outcome.phase:
        case "stopping":
            return (
                f"Передано на исполнение: {what}. Меня самого сейчас перезапускают;"
                " сообщу о результате, когда вернусь."
            )
        case "handed_over":
            return f"Передано супервизору: {what}. Результат пока неизвестен; сообщу, когда узнаю."
        case "unseen":
            return (
                f"Начато: {what}. Но Hexis больше не отвечает, и чем всё кончилось, я не знаю;"
                f" {_LOOK}."
            )
        case "under_way":
            return f"Ещё выполняется: {what}. Сообщу, чем кончится."
        case "ended":
            return _ended(outcome, what, target)


def _ended(outcome: of.Carried, what: str, target: Known) -> str:
    execution = outcome.execution
    if execution.state == "unknown":
        return f"Не знаю, {action_ru(execution.action).done} ли {what}; {_LOOK}."
    if execution.state != "succeeded":
        return f"{sentence(what)}: команда {STATES[execution.state]}.{why(execution.reason)}"
    text = f"Команда выполнена: {what}."
    if execution.expects_recovery:
        well = agree_ru(target, "Здоров ли", "Здорово ли")
        text += (
            f" {well} {named_ru(target)}, пока не видно; сообщу, когда увижу, что всё в порядке,"
            " или если этого не случится."
        )
    return text


@say.register
def _(outcome: of.YesLost, moment: Moment) -> str:
    waiting = outcome.confirmation
    return (
        f"Ваше «да» передано, но ответа не пришло, и {action_ru(waiting.action).done} ли"
        f" {doing(waiting)}, я не знаю; {_LOOK}."
    )


@say.register
def _(outcome: of.YesRefused, moment: Moment) -> str:
    waiting = outcome.confirmation
    reason = REFUSALS.get(outcome.reason, outcome.reason or "причина не названа")
    if outcome.missing:
        reason = without(outcome.missing)
    text = f"Ничего не сделано, «да» не принято ({doing(waiting)}): {reason}."
    if outcome.still_waits:
        what = f"{to_do(waiting.action, waiting.target)} {on_host(waiting)}"
        text += f" Сказать «да» можно до {moment.clock(waiting.expires_at)}: {what}?"
    return text


@say.register
def _(outcome: of.Declined, moment: Moment) -> str:
    text = f"Хорошо, отменено: {doing(outcome.confirmation)}. Ничего не сделано."
    if not outcome.told_hexis:
        until = moment.clock(outcome.confirmation.expires_at)
        text += f" Сообщить об этом Hexis не удалось; его вопрос сам потеряет силу в {until}."
    return text


@say.register
def _(outcome: of.Lapsed, moment: Moment) -> str:
    waiting = outcome.confirmation
    return (
        f"Время на подтверждение вышло в {moment.clock(waiting.expires_at)} ({doing(waiting)});"
        " ничего не сделано. Если это ещё нужно, попросите снова."
    )


@say.register
def _(outcome: of.NothingWaits, moment: Moment) -> str:
    if outcome.verdict == "yes":
        return "Ничего не ждёт подтверждения, поэтому ничего не сделано."
    if outcome.verdict == "no":
        return "Хорошо. Ничего и не собирались делать."
    return "Отменять нечего: ничего не ждёт ответа."


@say.register
def _(outcome: of.CalledOff, moment: Moment) -> str:
    return "Хорошо, оставим."


@say.register
def _(outcome: of.AskAgain, moment: Moment) -> str:
    waiting = outcome.confirmation
    what = f"{to_do(waiting.action, waiting.target)} {on_host(waiting)}"
    rest = f"Жду до {moment.clock(waiting.expires_at)}; пока ничего не сделано."
    match outcome.why:
        case "not_asked_last":
            return f"Речь об этом: {what}? Тогда скажите «да» ещё раз. {rest}"
        case "other_question":
            return (
                "Это был ответ не на тот вопрос, который открыт сейчас, и он не принят. Сейчас"
                f" открыт вопрос: {what}? Да или нет? {rest}"
            )
        case "unclear":
            return f"Нужно простое «да» или «нет»: {what}? {rest}"


@say.register
def _(outcome: of.WhichOne, moment: Moment) -> str:
    options = outcome.choice.options
    head = "Что именно имеется в виду?"
    if outcome.choice.is_suggestion:
        unknown = f"Не знаю ничего с именем {_said(outcome.said)}."
        if len(options) == 1:
            return f"{unknown} Имеется в виду {quoted_ru(options[0].name('ru'))}?"
        head = f"{unknown} Может быть, одно из этого?"
    return _listed(head, options)


@say.register
def _(outcome: of.PickOne, moment: Moment) -> str:
    head = "«Да» — чему из этого? Назовите номер или имя:"
    return _listed(head, outcome.choice.options)


def _listed(head: str, options: Sequence[Option]) -> str:
    lines = [f"{number}. {_option(option)}" for number, option in enumerate(options, 1)]
    return "\n".join([head, *lines])


def _option(option: Option) -> str:
    name, hint = option.name("ru"), visible_line(option.hint)
    return name if is_part_of(hint, name) else f"{name} — {hint}"


def _said(text: str) -> str:
    """A person's own words, quoted back."""
    return quoted_ru(visible_line(text))


@say.register
def _(outcome: of.NoSuch, moment: Moment) -> str:
    text = f"Не знаю ничего с именем {_said(outcome.said)}"
    return f"{text}, поэтому ничего не сделано." if outcome.was_order else f"{text}."


@say.register
def _(outcome: of.NoReference, moment: Moment) -> str:
    return "О чём речь? Назовите, например: «как там Векна?»."


@say.register
def _(outcome: of.NamesUnread, moment: Moment) -> str:
    gap = without(outcome.missing)
    text = f"Нельзя узнать, что такое {_said(outcome.said)}: {gap}."
    if not outcome.said:
        text = f"Нельзя убедиться, о чём именно речь: {gap}."
    return f"{text} Ничего не сделано." if outcome.action else text


@say.register
def _(outcome: of.CannotAct, moment: Moment) -> str:
    what = to_do(outcome.action, outcome.target)
    text = f"{without(outcome.missing)}. Поэтому сейчас нельзя {what}; ничего не сделано."
    health = outcome.health
    if health is None:
        return text
    if health.missing:
        well = agree_ru(outcome.target, "Здоров ли он", "Здорово ли оно")
        return f"{text} {well}, тоже неизвестно: {without(health.missing)}."
    first, *more = health_lines(health, moment)
    return " ".join([text, "По данным Praxis:", clause(first), *more])


@say.register
def _(outcome: of.NoCapability, moment: Moment) -> str:
    what = to_do(outcome.action, outcome.target)
    offered = ", ".join(clause(each.title.get("ru", each.action)) for each in outcome.offered)
    if outcome.is_several:
        several = f"{sentence(what)} можно несколькими способами ({offered})."
        return f"{several} Выбирать за вас не буду; ничего не сделано."
    can = f" С {named_ru(outcome.target, INSTRUMENTAL)} можно: {offered}." if offered else ""
    return f"Hexis не может {what}; ничего не сделано.{can}"


@say.register
def _(outcome: of.ActionRefused, moment: Moment) -> str:
    what = to_do(outcome.action, outcome.target)
    reason = REFUSALS.get(outcome.reason, outcome.reason)
    return f"Hexis отказывается {what}: {reason}. Ничего не сделано."


@say.register
def _(outcome: of.Handled, moment: Moment) -> str:
    name = quoted_ru(outcome.item.name("ru"))
    if outcome.missing:
        gap = without(outcome.missing)
        return f"Отметить не удалось: {gap}. Для {name} ничего не изменилось."
    if outcome.reason:
        reason = UNTAKEN.get(outcome.reason, outcome.reason)
        return f"Praxis не принял отметку для {name}: {reason}."
    if outcome.verb == "acknowledge":
        still = " Решённым это не считается." if outcome.still_active else ""
        return f"Принято к сведению: {name}.{still}"
    still = " Судя по наблюдениям, это ещё продолжается." if outcome.still_active else ""
    return f"Отмечено как решённое: {name}.{still}"


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
    name, action = named_ru(watch.target), action_ru(watch.action)
    what, when = done_to(watch.action, watch.target), moment.clock(news.at)
    seen = agree_ru(watch.target, "замечен", "замечено")
    if news.kind == "recovered":
        return f"{sentence(name)} снова в порядке после {action.genitive}: это видно с {when}."
    if news.kind == "not_recovered":
        if news.state == "succeeded":
            return (
                f"{sentence(name)} после {action.genitive} так и не {seen} здоровым,"
                " хотя команда выполнена."
            )
        return f"Не удалось узнать, чем {action.ended} {what}; здоровым его тоже не видели."
    if news.process_started_at:
        started = moment.clock(news.process_started_at)
        return (
            f"Чем {action.ended} {what}, никто не видел, но новый процесс запущен в {started},"
            " и он в порядке."
        )
    if news.state == "unknown":
        return f"Чем {action.ended} {what}, никто не видел. Команда повторно не отправлялась."
    return f"{sentence(what)}: команда {STATES[news.state]} в {when}."

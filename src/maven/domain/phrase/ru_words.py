"""The Russian words that phrases share, and the table of phrases by outcome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import singledispatch

from maven.domain import outcome as of
from maven.domain.dialogue import Known
from maven.domain.words import ACCUSATIVE, GENITIVE, Moment, host_name, named_ru, quoted_ru

_PARTS = {
    "nexus": "Nexus, который знает имена,",
    "praxis": "Praxis, который следит за состоянием,",
    "hexis": "Hexis, который выполняет действия,",
}
_GAPS = {
    "unreachable": "недоступен",
    "stopping": "как раз останавливается",
    "unavailable": "недоступен",
    "deadline_exceeded": "не ответил вовремя",
    "outcome_unknown": "оборвал связь, не ответив",
}
"""How a part was missing, by the fine name of the failure or else by its code."""


@dataclass(frozen=True, slots=True)
class Action:
    """An action as a noun and as a verb, and what agrees with the noun."""

    noun: str
    genitive: str
    verb: str
    governs: int
    """The case the verb asks for."""
    done: str
    begun: str
    ended: str
    link: str = ""
    """Between the noun and what it is done to."""


_ACTIONS = {
    "restart": Action(
        "перезапуск", "перезапуска", "перезапустить", ACCUSATIVE, "выполнен", "начат", "кончился"
    ),
    "status": Action(
        "проверка статуса", "проверки статуса", "проверить статус", GENITIVE,
        "выполнена", "начата", "кончилась",
    ),
    "logs": Action(
        "чтение журнала", "чтения журнала", "прочитать журнал", GENITIVE,
        "выполнено", "начато", "кончилось",
    ),
}  # fmt: skip
TALK = {
    "greeting": "Здравствуйте. Спросите, что требует внимания, или о чём хотите узнать.",
    "thanks": "Пожалуйста.",
    "okay": "Хорошо.",
    "farewell": "До свидания.",
    "help": (
        "Можно спросить, что требует внимания, в порядке ли что-нибудь («как там Векна?»), что"
        " изменилось сегодня, что можно сделать с сервисом, каков его статус и что в его журнале."
        " Можно попросить перезапустить его: прежде чем сделать что-то защищённое, я точно скажу,"
        " что именно будет сделано, и дождусь вашего «да». «Понял» отмечает сказанное как принятое"
        " к сведению, «готово» — как решённое."
    ),
    "compound": (
        "Здесь больше одного дела, а я берусь только за одно за раз, поэтому ничего не сделано."
        " С чего начать?"
    ),
    "qualified": (
        "Выполняю только сразу, с чем-то одним, без условий и исключений. Поэтому ничего не"
        " сделано; скажите об этом прямо, когда будет нужно."
    ),
    "unknown": (
        "Не понимаю, поэтому ничего не сделано. Попробуйте «что требует внимания?» или"
        " «перезапусти Векну» — с любым знакомым вам именем."
    ),
}
UNKEPT = (
    "(Записать этот разговор не удалось, и помнить его я не буду: скорее всего, на диске нет"
    " места.)"
)
REFUSALS = {
    "assertion_needed": (
        "этот канал не может поручиться, что это сказали вы; скажите «да» в терминале или в другом"
        " канале, который это может"
    ),
    "assertion_not_later": "«да» должно прозвучать после вопроса, отдельной репликой",
    "assertion_other_question": "оно отвечало на другой вопрос",
    "assertion_invalid": "этот канал не смог доказать, что это сказали вы",
    "assertion_foreign": "этот канал не может говорить за вас",
    "assertion_used": "одно «да» отвечает на один вопрос; скажите ещё раз",
    "assertion_expired": "«да» дошло слишком поздно; скажите ещё раз",
    "confirmation_consumed": "подтверждение уже использовано",
    "confirmation_expired": "время на подтверждение вышло",
    "confirmation_refused": "от этого уже отказались",
    "confirmation_void": "с тех пор что-то изменилось",
    "capability_changed": "с тех пор изменилось само действие",
    "policy_changed": "с тех пор изменились правила",
    "confirmation_altered": "то, что Hexis хранил об этом вопросе, кто-то изменил",
    "entity_renamed": "с тех пор это переименовали",
    "entity_unknown": "Nexus больше не знает этого",
    "entity_retargeted": "это имя с тех пор означает другое",
    "entity_busy": "там как раз выполняется другое действие",
    "requester_may_not_confirm": "подтвердить может только человек",
    "requester_mismatch": "об этом просил кто-то другой",
    "too_many_pending": "уже слишком много вопросов ждёт ответа",
    "too_many_running": "слишком много дел выполняется сразу",
}
UNTAKEN = {
    "not_found": "такого пункта больше нет",
    "conflict": "с тех пор он изменился",
    "failed_precondition": "в нынешнем состоянии это невозможно",
}
"""Why Praxis would not take a decision, by code."""
STATES = {
    "succeeded": "завершена успешно",
    "failed": "завершилась ошибкой",
    "timed_out": "не уложилась в отведённое время",
    "refused": "отклонена",
    "cancelled": "отменена",
    "unknown": "закончилась неизвестно чем",
    "awaiting_confirmation": "ждёт подтверждения",
    "queued": "ждёт начала",
    "running": "ещё выполняется",
}
"""Of «команда»."""


def without(missing: of.Missing) -> str:
    """That a part could not be asked."""
    part = _PARTS[missing.part]
    if missing.told_by:
        teller = _PARTS[missing.told_by].partition(",")[0]
        return f"{teller} отвечает, но не может убедиться, о чём речь, потому что {part} недоступен"
    gap = _GAPS.get(missing.reason) or _GAPS.get(missing.code if not missing.reason else "")
    return f"{part} {gap or f'не смог ответить ({missing.reason or missing.code})'}"


@singledispatch
def say(outcome: of.Outcome, moment: Moment) -> str:
    """The answer for an outcome."""
    raise TypeError(f"no words for {type(outcome).__name__}")


def say_dropped(dropped: of.Dropped) -> str:
    """That a proposal was put aside."""
    text = f"Отложено: {doing(dropped.confirmation)}; ничего не сделано."
    return text if dropped.told_hexis else f"{text} Сообщить об этом Hexis не удалось."


def doing(what: of.PendingConfirmation) -> str:
    """What is waited for, as a noun with its target."""
    return done_to(what.action, what.target, what.title)


def on_host(what: of.PendingConfirmation) -> str:
    """Where it would happen."""
    host = what.host("ru")
    return (
        f"на хосте {host_name(host, quoted_ru(host))}"
        if host
        else "(на каком хосте, Nexus не знает)"
    )


def done_to(action: str, target: Known, title: Mapping[str, str] | None = None) -> str:
    """An action and what it is done to: «перезапуск сервиса «Векна»»."""
    known = action_ru(action, title)
    return f"{known.noun} {known.link}{named_ru(target, GENITIVE)}"


def to_do(action: str, target: Known) -> str:
    """The same as what may be wanted: «перезапустить сервис «Векна»»."""
    known = action_ru(action)
    return f"{known.verb} {named_ru(target, known.governs)}"


def action_ru(action: str, title: Mapping[str, str] | None = None) -> Action:
    """The words for an action; one without words of its own is called by its title."""
    if action in _ACTIONS:
        return _ACTIONS[action]
    noun = f"действие {quoted_ru((title or {}).get('ru', action))}"
    return Action(
        noun=noun,
        genitive="этого действия",
        verb=f"выполнить {noun} для",
        governs=GENITIVE,
        done="выполнено",
        begun="начато",
        ended="кончилось",
        link="для ",
    )


def why(reason: str | None) -> str:
    """The reason, if one is known."""
    return f" Причина: {reason}." if reason else ""

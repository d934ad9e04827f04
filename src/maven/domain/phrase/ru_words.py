"""The Russian words that phrases share, and the table of phrases by outcome."""

from __future__ import annotations

from functools import singledispatch

from maven.domain import outcome as of
from maven.domain.dialogue import Known
from maven.domain.words import GENITIVE, Moment, named_ru

PARTS = {"nexus": "Nexus", "praxis": "Praxis", "hexis": "Hexis"}
WITHOUT = {
    "nexus": "Nexus, который знает имена, недоступен",
    "praxis": "Praxis, который следит за состоянием, недоступен",
    "hexis": "Hexis, который выполняет действия, недоступен",
}
_ACTIONS = {
    "restart": "перезапуск",
    "status": "проверка статуса",
    "logs": "чтение журнала",
}
TALK = {
    "greeting": "Здравствуйте. Спросите, что требует внимания, или о чём хотите узнать.",
    "thanks": "Пожалуйста.",
    "okay": "Хорошо.",
    "farewell": "До свидания.",
    "help": (
        "Можно спросить, что требует внимания, как что-то поживает («как там Векна?»), что"
        " изменилось"
        " сегодня, что можно сделать с сервисом, каков его статус и что в журнале, и попросить"
        " перезапустить его. Прежде чем сделать что-то защищённое, я точно скажу, что именно"
        " будет, и подожду «да». «Понял» отмечает сказанное как принятое к сведению, «готово» —"
        " как решённое."
    ),
    "compound": (
        "Здесь больше одного дела, а я берусь за одно за раз, поэтому ничего не сделано."
        " С чего начать?"
    ),
    "unknown": (
        "Не понимаю, поэтому ничего не делаю. Попробуйте «что требует внимания?» или"
        " «перезапусти Векну» — с любым знакомым вам именем."
    ),
}
REFUSALS = {
    "assertion_needed": (
        "этот канал не может поручиться, что это сказали вы; скажите «да» в терминале или в другом"
        " канале, который это может"
    ),
    "assertion_not_later": "«да» должно прозвучать после вопроса, отдельной репликой",
    "assertion_used": "одно «да» отвечает на один вопрос; скажите ещё раз",
    "assertion_expired": "«да» дошло слишком поздно; скажите ещё раз",
    "confirmation_consumed": "подтверждение уже использовано",
    "confirmation_expired": "время на подтверждение вышло",
    "confirmation_refused": "от этого уже отказались",
    "confirmation_void": "с тех пор что-то изменилось",
    "capability_changed": "с тех пор изменилось само действие",
    "policy_changed": "с тех пор изменились правила",
    "entity_retargeted": "под этим именем с тех пор другое",
    "entity_busy": "с этим сейчас делают что-то другое",
    "identity_unverifiable": "Nexus не может подтвердить, что это такое",
    "unavailable": WITHOUT["hexis"],
}
STATES = {
    "succeeded": "завершена успешно",
    "failed": "завершилась ошибкой",
    "timed_out": "не уложилась во время",
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
    if missing.reason == "identity_unverifiable":
        return f"Hexis отвечает, но не может убедиться, о чём речь: {WITHOUT['nexus']}"
    if missing.code in {"unavailable", "deadline_exceeded", "outcome_unknown"}:
        return WITHOUT[missing.part]
    return f"{PARTS[missing.part]} не смог ответить ({missing.code})"


@singledispatch
def say(outcome: of.Outcome, moment: Moment) -> str:
    """The answer for an outcome."""
    raise TypeError(f"no words for {type(outcome).__name__}")


def say_dropped(dropped: of.Dropped) -> str:
    """That a proposal was put aside."""
    return f"Прежнее отложено: {doing(dropped.confirmation)} — ничего не сделано."


def doing(what: of.PendingConfirmation) -> str:
    """What is waited for, as a noun with its target."""
    return done_to(what.action, what.target)


def done_to(action: str, target: Known) -> str:
    """An action and what it is done to."""
    return f"{action_of(action)} {named_ru(target, GENITIVE)}"


def action_of(action: str) -> str:
    """What is done, as a noun."""
    return _ACTIONS.get(action, f"действие «{action}» для")


def why(reason: str | None) -> str:
    """The reason, if one is known."""
    return f" Причина: {reason}." if reason else ""

"""What the terminal itself says, in Russian and in English, and what it suggests to say."""

from __future__ import annotations

import re
from dataclasses import dataclass

from maven.contract import Language
from maven.plain_answer import meaning_of

_CYRILLIC = re.compile(r"[а-яё]", re.IGNORECASE)
_LATIN = re.compile(r"[a-z]", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The terminal's own words in one language."""

    hint: str
    away: str
    back: str
    thinking: str
    not_sent: str
    unknown: str
    arrived: str
    no_record: str
    still_away: str
    confirmation: str
    choice: str
    expired: str
    until: str
    risks: dict[str, str]
    settled: str
    unvouched: str
    no_news: str
    too_long: str
    say_something: str
    no_turn_id: str


WORDS: dict[Language, Words] = {
    "en": Words(
        hint="Maven is listening. Tab suggests, Ctrl-C clears the line, Ctrl-D leaves.",
        away="Maven is away. I connect again by myself; what you type stays here.",
        back="Maven is back.",
        thinking="Maven is thinking",
        not_sent="Not sent, Maven is away",
        unknown="No answer came, so whether it was done is not known. I ask as soon as I can.",
        arrived="It had arrived. The answer was:",
        no_record="Maven has no record of it. Ask what happened before you say it again.",
        still_away="Maven is still away; the trace will show what became of it.",
        confirmation="Waiting for your yes or no",
        choice="Waiting for your choice",
        expired="The time to say yes is over.",
        until="until",
        risks={"read": "reads only", "low": "low risk", "protected": "protected action",
               "critical": "critical action"},
        settled="It has been answered elsewhere.",
        unvouched="Hexis does not vouch for the question in this answer, so a yes to it will not "
        "count. Ask for it again.",
        no_news="Nothing will be told unasked here",
        too_long="That is too long: I listen to {} characters at once. Say it in fewer words.",
        say_something="Say something, as in: maven ask \"what needs attention?\"",
        no_turn_id="There is no such turn. Give its id, as `maven turns` lists it, or `last`.",
    ),
    "ru": Words(
        hint="Мавен слушает. Tab подсказывает, Ctrl-C очищает строку, Ctrl-D выходит.",
        away="Мавен недоступен. Я подключусь снова сам; набранное останется здесь.",
        back="Мавен снова на связи.",
        thinking="Мавен думает",
        not_sent="Не отправлено, Мавен недоступен",
        unknown="Ответ не пришёл, и сделано ли это, неизвестно. Спрошу, как только смогу.",
        arrived="Реплика дошла. Ответ был такой:",
        no_record="У Мавена об этом нет записи. Прежде чем повторять, спросите, что произошло.",
        still_away="Мавена всё ещё нет; что из этого вышло, покажет трассировка.",
        confirmation="Жду вашего «да» или «нет»",
        choice="Жду вашего выбора",
        expired="Время для «да» вышло.",
        until="до",
        risks={"read": "только чтение", "low": "низкий риск", "protected": "защищённое действие",
               "critical": "критическое действие"},
        settled="На это уже ответили в другом месте.",
        unvouched="Хексис не подтверждает вопрос из этого ответа, поэтому «да» на него не "
        "подействует. Попросите об этом ещё раз.",
        no_news="Сам я здесь ничего не сообщу",
        too_long="Слишком длинно: за один раз принимается не больше {} знаков. Скажите короче.",
        say_something="Скажите что-нибудь, например: maven ask \"что требует внимания?\"",
        no_turn_id="Такой реплики нет. Назовите её id — их выводит `maven turns` — или `last`.",
    ),
}  # fmt: skip

SUGGESTIONS = (
    "what needs attention?",
    "is vecna healthy?",
    "restart vecna",
    "show the logs of vecna",
    "what happened after the restart?",
    "got it",
    "done",
    "что требует внимания?",
    "как там векна?",
    "перезапусти векну",
    "покажи логи векны",
    "что произошло после перезапуска?",
    "понял",
    "сделано",
)
"""Offered to who types their beginning. No yes is among them: that is for a person to say."""


def is_consent(text: str) -> bool:
    """Whether this is a bare yes or no, which is neither remembered nor suggested."""
    return meaning_of(text) in {"yes", "no", "cancel", "weak"}


def language_of(text: str) -> Language | None:
    """The language something is written in, by its letters; None when it has none."""
    if _CYRILLIC.search(text):
        return "ru"
    return "en" if _LATIN.search(text) else None

"""What the terminal itself says, in Russian and in English, and what it suggests to say."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from maven.contract import Language

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

_YES = (
    "yes", "y", "yep", "yeah", "yup", "ok", "okay", "sure", "of course", "absolutely", "confirm",
    "confirmed", "i confirm", "do it", "go ahead", "go for it", "proceed",
    "да", "д", "ага", "угу", "ок", "окей", "хорошо", "ладно", "конечно", "разумеется", "давай",
    "делай", "действуй", "выполняй", "подтверждаю", "подтвердить", "подтверди", "согласен",
    "согласна",
)  # fmt: skip
_NO = (
    "no", "n", "nope", "do not", "don't", "not now", "cancel", "stop",
    "нет", "н", "не надо", "не нужно", "не сейчас", "отмена", "отмени", "стой", "стоп",
)  # fmt: skip
_COURTESY = ("please", "thanks", "maven", "well", "then", "пожалуйста", "спасибо", "мавен", "ну")
_LONGEST = 60


def _only(words: tuple[str, ...]) -> re.Pattern[str]:
    """Nothing but these words, at least one, and courtesy."""
    some, polite = ("|".join(map(re.escape, each)) for each in (words, _COURTESY))
    return re.compile(rf"(?:(?:{polite})[ ,]+)*(?:{some})(?:[ ,]+(?:{some}|{polite}))*[ .!]*")


_PLAIN_YES = _only(_YES)
_PLAIN_ANSWER = _only(_YES + _NO)


def is_plain_yes(text: str) -> bool:
    """Whether a person said yes and nothing else; a question is never a yes."""
    return _is(_PLAIN_YES, text)


def is_consent(text: str) -> bool:
    """Whether this is a bare yes or no, which is neither remembered nor suggested."""
    return _is(_PLAIN_ANSWER, text)


def _is(pattern: re.Pattern[str], text: str) -> bool:
    said = " ".join(text.casefold().replace("’", "'").split())
    return len(said) <= _LONGEST and pattern.fullmatch(said) is not None


def language_of(text: str) -> Language | None:
    """The language something is written in, by its letters; None when it has none."""
    if _CYRILLIC.search(text):
        return "ru"
    return "en" if _LATIN.search(text) else None


def language_here() -> Language:
    """The language this terminal is set to."""
    named = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "ru" if next(filter(None, named), "").startswith("ru") else "en"

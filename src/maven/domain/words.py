"""Times, counts and names as people say them, in both languages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import TypeVar

from maven.domain.dialogue import Known
from maven.domain.utterance import Language

T = TypeVar("T")

_MONTHS_EN = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTHS_RU = (
    "января", "февраля", "марта", "апреля", "мая", "июня",
    "июля", "августа", "сентября", "октября", "ноября", "декабря",
)  # fmt: skip
_KINDS_RU = {
    "service": ("сервис", "сервиса", "сервис", "сервисом", "сервисе"),
    "application": ("приложение", "приложения", "приложение", "приложением", "приложении"),
    "device": ("устройство", "устройства", "устройство", "устройством", "устройстве"),
    "device.host": ("хост", "хоста", "хост", "хостом", "хосте"),
    "repository": ("репозиторий", "репозитория", "репозиторий", "репозиторием", "репозитории"),
    "project": ("проект", "проекта", "проект", "проектом", "проекте"),
    "agent": ("агент", "агента", "агента", "агентом", "агенте"),
    "person": ("человек", "человека", "человека", "человеком", "человеке"),
    "location": ("место", "места", "место", "местом", "месте"),
}
_OTHER_RU = ("объект", "объекта", "объект", "объектом", "объекте")
_KINDS_EN = {
    "service": "a service",
    "application": "an application",
    "device": "a device",
    "device.host": "a host",
    "repository": "a repository",
    "project": "a project",
    "agent": "an agent session",
    "person": "a person",
    "location": "a place",
}
_ALPHABETS = {"ru": re.compile(r"[а-яё]", re.IGNORECASE), "en": re.compile(r"[a-z]", re.IGNORECASE)}
_PLAIN_NAME = re.compile(r"\w[\w'/+-]*(?:\.\w+)*(?: [\w'/+-]+(?:\.\w+)*){0,3}")
"""A few words without any sign that ends a sentence or a clause."""
_ONE_WORD = re.compile(r"[\w-]+(?:\.[\w-]+)*")
_QUOTES = re.compile(r"[«»“”„\"]")
_PRIME = "'"
_JUST_NOW_S = 2
NOMINATIVE, GENITIVE, ACCUSATIVE, INSTRUMENTAL, PREPOSITIONAL = range(5)
"""Cases of the Russian word before a name; the name itself is quoted and never inflected."""


@dataclass(frozen=True, slots=True)
class Moment:
    """When, where and in which language something is said."""

    now: datetime
    zone: tzinfo
    language: Language

    def clock(self, at: datetime) -> str:
        """A past or coming instant: the time today, with the day otherwise."""
        local, today = at.astimezone(self.zone), self.now.astimezone(self.zone).date()
        time = local.strftime("%H:%M:%S")
        if local.date() == today:
            return time
        days = (today - local.date()).days
        if self.language == "ru":
            named = {1: "вчера", -1: "завтра"}.get(days)
            day = named or f"{local.day} {_MONTHS_RU[local.month - 1]}"
            return f"{time} {day}"
        named = {1: "yesterday", -1: "tomorrow"}.get(days)
        return f"{time} {named or f'on {local.day} {_MONTHS_EN[local.month - 1]}'}"

    def ago(self, at: datetime) -> str:
        """How long before now."""
        seconds = max(0, round((self.now - at).total_seconds()))
        if seconds < _JUST_NOW_S:
            return "только что" if self.language == "ru" else "just now"
        if self.language == "ru":
            return f"{_span_ru(seconds)} назад"
        return f"{_span_en(seconds)} ago"

    def span(self, length: timedelta) -> str:
        """How long."""
        seconds = max(0, round(length.total_seconds()))
        return _span_ru(seconds) if self.language == "ru" else _span_en(seconds)


def count_ru(number: int, one: str, few: str, many: str) -> str:
    """A number with its noun: 1 источник, 2 источника, 5 источников."""
    return f"{number} {form_ru(number, one, few, many)}"


def form_ru(number: int, one: str, few: str, many: str) -> str:
    """The form a noun or adjective takes after a number."""
    if number % 10 == 1 and number % 100 != 11:
        return one
    if 2 <= number % 10 <= 4 and not 12 <= number % 100 <= 14:
        return few
    return many


def count_en(number: int, one: str, many: str) -> str:
    """A number with its noun."""
    return f"{number} {one if number == 1 else many}"


def quoted_en(name: str) -> str:
    """A name that nothing in it can end before its end."""
    return f"“{_QUOTES.sub(_PRIME, name)}”"


def quoted_ru(name: str) -> str:
    """The same in Russian quotes."""
    return f"«{_QUOTES.sub(_PRIME, name)}»"


def named_en(known: Known) -> str:
    """A thing by its name, in quotes where the name could be read as something said."""
    return plain_en(known.name("en"))


def plain_en(name: str) -> str:
    """A name as it is, in quotes where it could be read as something said."""
    return name if _PLAIN_NAME.fullmatch(name) else quoted_en(name)


def host_name(name: str, quoted: str) -> str:
    """A host by its name; one word cannot be read as something said, more are quoted."""
    return name if _ONE_WORD.fullmatch(name) else quoted


def named_ru(known: Known, case: int = NOMINATIVE) -> str:
    """A thing with the word for its kind, so that only that word is inflected."""
    return f"{kind_ru(known.type, case)} {quoted_ru(known.name('ru'))}"


def kind_ru(entity_type: str, case: int = NOMINATIVE) -> str:
    """The Russian word for a kind of thing."""
    return _of_kind(_KINDS_RU, entity_type, _OTHER_RU)[case]


def agree_ru(known: Known, masculine: str, neuter: str) -> str:
    """The form that agrees with the word for the kind of a thing; none of those is feminine."""
    return neuter if kind_ru(known.type)[-1] in "ео" else masculine


def kind_en(entity_type: str) -> str:
    """The English word for a kind of thing, with its article."""
    return _of_kind(_KINDS_EN, entity_type, "something")


def _of_kind(kinds: Mapping[str, T], entity_type: str, other: T) -> T:
    """What is said of the nearest kind above a type."""
    while entity_type:
        if entity_type in kinds:
            return kinds[entity_type]
        entity_type = entity_type.rpartition(".")[0]
    return other


def is_readable(text: str, language: Language) -> bool:
    """Whether a name is written in the letters of a language, or in no letters at all."""
    other: Language = "en" if language == "ru" else "ru"
    return bool(_ALPHABETS[language].search(text)) or not _ALPHABETS[other].search(text)


def is_part_of(hint: str, name: str) -> bool:
    """Whether a hint says nothing that the name does not."""
    return hint.casefold() in name.casefold()


def uptime(facts: Mapping[str, object]) -> timedelta | None:
    """For how long a process has run, if the facts tell."""
    seconds = facts.get("uptime_s")
    return timedelta(seconds=seconds) if isinstance(seconds, int | float) else None


def inset(text: str) -> str:
    """Lines that somebody else wrote, set in so that none begins like one of Maven's."""
    return "\n".join(f"  {line}" for line in text.splitlines())


def sentence(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def clause(text: str) -> str:
    """The text with a small letter at its beginning, as it stands within a sentence."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def _span_en(seconds: int) -> str:
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min"
    if seconds < 86400:
        return f"{seconds // 3600} h {seconds % 3600 // 60} min"
    return count_en(seconds // 86400, "day", "days")


def _span_ru(seconds: int) -> str:
    if seconds < 60:
        return f"{seconds} с"
    if seconds < 3600:
        return f"{seconds // 60} мин"
    if seconds < 86400:
        return f"{seconds // 3600} ч {seconds % 3600 // 60} мин"
    return count_ru(seconds // 86400, "день", "дня", "дней")

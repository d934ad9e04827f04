"""Counts, times and names in both languages."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from maven.domain.dialogue import Known
from maven.domain.utterance import Language
from maven.domain.words import GENITIVE, Moment, count_en, count_ru, named_ru

NOW = datetime(2026, 11, 30, 15, 0, tzinfo=UTC)
MOSCOW = ZoneInfo("Europe/Moscow")


def moment(language: Language) -> Moment:
    """A fixed instant in Moscow."""
    return Moment(NOW, MOSCOW, language)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "0 источников"),
        (1, "1 источник"),
        (2, "2 источника"),
        (4, "4 источника"),
        (5, "5 источников"),
        (11, "11 источников"),
        (12, "12 источников"),
        (21, "21 источник"),
        (22, "22 источника"),
        (25, "25 источников"),
        (111, "111 источников"),
        (101, "101 источник"),
    ],
)
def test_a_russian_noun_agrees_with_its_number(number: int, words: str) -> None:
    assert count_ru(number, "источник", "источника", "источников") == words


def test_an_english_noun_is_plural_unless_there_is_one() -> None:
    assert [count_en(each, "source", "sources") for each in (0, 1, 2)] == [
        "0 sources",
        "1 source",
        "2 sources",
    ]


@pytest.mark.parametrize(
    ("back", "english", "russian"),
    [
        (timedelta(hours=1), "17:00:00", "17:00:00"),
        (timedelta(days=1), "18:00:00 yesterday", "18:00:00 вчера"),
        (timedelta(days=-1), "18:00:00 tomorrow", "18:00:00 завтра"),
        (timedelta(days=3), "18:00:00 on 27 Nov", "18:00:00 27 ноября"),
    ],
)
def test_a_time_is_said_in_the_zone_with_the_day_it_needs(
    back: timedelta, english: str, russian: str
) -> None:
    assert moment("en").clock(NOW - back) == english
    assert moment("ru").clock(NOW - back) == russian


@pytest.mark.parametrize(
    ("back", "english", "russian"),
    [
        (timedelta(seconds=1), "just now", "только что"),
        (timedelta(seconds=-5), "just now", "только что"),
        (timedelta(seconds=2), "2 s ago", "2 с назад"),
        (timedelta(minutes=5), "5 min ago", "5 мин назад"),
        (timedelta(hours=3, minutes=20), "3 h 20 min ago", "3 ч 20 мин назад"),
        (timedelta(days=1), "1 day ago", "1 день назад"),
        (timedelta(days=3), "3 days ago", "3 дня назад"),
        (timedelta(days=12), "12 days ago", "12 дней назад"),
    ],
)
def test_an_age_is_said_in_the_unit_that_fits(back: timedelta, english: str, russian: str) -> None:
    assert moment("en").ago(NOW - back) == english
    assert moment("ru").ago(NOW - back) == russian


def test_an_unknown_name_is_quoted_and_only_its_kind_is_inflected() -> None:
    vecna = Known("ent_a", {"en": "Vecna", "ru": "Векна"}, "service.supervised")
    strange = Known("ent_b", {"en": "Qux"}, "gadget")

    assert named_ru(vecna) == "сервис «Векна»"
    assert named_ru(vecna, GENITIVE) == "сервиса «Векна»"
    assert named_ru(strange, GENITIVE) == "объекта «Qux»"

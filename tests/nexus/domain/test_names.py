"""Names fold to one form, sound alike across alphabets, and bend as Russian does."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nexus.domain.ear import said_in_english
from nexus.domain.endings import decline
from nexus.domain.lexicon import CONCEPTS, concept_of
from nexus.domain.names import fold, join, readings, script_of, spellings
from nexus.domain.spelling import consonants, sounds
from tests.nexus.domain.strategies import (
    RUSSIAN,
    Syllables,
    in_latin,
    in_russian,
    spoken,
    syllables,
)

words = st.text(RUSSIAN, min_size=1, max_size=12)


@given(st.text(max_size=60))
def test_folding_twice_is_folding_once(text: str) -> None:
    once = fold(text)

    assert fold(once) == once


@given(st.text(max_size=60))
def test_words_read_again_are_the_same_words(text: str) -> None:
    for found in readings(text):
        assert readings(" ".join(found))[0] == found


@given(st.text(max_size=60))
def test_a_name_reads_the_same_in_either_case_and_width(text: str) -> None:
    lower = fold(text)

    assert fold(text.upper()) == fold(text.upper().lower())
    assert fold(unicodedata.normalize("NFD", text)) == lower
    assert fold(unicodedata.normalize("NFC", text)) == lower


@given(st.text(max_size=60))
def test_an_iso_9_spelling_respelt_has_nothing_more_to_respell(text: str) -> None:
    written, *respelt = spellings(text)

    assert written == text
    assert all(spellings(each) == [each] for each in respelt)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("  Correx! ", [("correx",)]),
        ("MuzickIndexer", [("muzickindexer",), ("muzick", "indexer")]),
        ("HTTPProxy", [("httpproxy",), ("http", "proxy")]),
        ("my_repo-2", [("my", "repo", "2")]),
        ("Ёлка и Йод", [("елка", "и", "йод")]),
        ("Cafe\u0301", [("cafe",)]),
        ("ＦＵＬＬ　width", [("full", "width")]),
        ("Vecna's", [("vecna",)]),
        ("O’Brien", [("obrien",), ("o", "brien")]),
        ("C++ и C#", [("c++", "и", "c#")]),
        ("\u202eвекна\u202c\u200b", [("векна",)]),
        ("a\x00b", [("a", "b")]),
        ("!?", []),
    ],
)
def test_a_name_is_divided_into_folded_words(text: str, found: list[tuple[str, ...]]) -> None:
    assert list(readings(text)) == found


def test_joined_words_keep_numbers_apart() -> None:
    assert join(("disk", "1", "2")) != join(("disk", "12"))
    assert join(("git", "hub")) == join(("github",))


@given(syllables())
def test_a_russian_word_sounds_as_its_romanisation(pairs: Syllables) -> None:
    assert sounds(in_russian(pairs)) & sounds(in_latin(pairs))


@given(spoken(1, 6))
def test_a_sound_has_no_letter_twice_and_keeps_its_consonants(word: str) -> None:
    for sound in sounds(word):
        assert not any(one == other for one, other in pairwise(sound) if one not in "aeou")
        assert consonants(consonants(sound)) == consonants(sound)


@given(spoken(1, 6))
def test_a_word_is_said_in_english_in_one_way_and_only_if_it_is_latin(word: str) -> None:
    said = said_in_english(word)

    assert said == said_in_english(word)
    assert (said is None) == (not word.isascii() or len(word) < 3)


@given(words)
def test_a_sound_is_latin_letters_only(word: str) -> None:
    assert all(script_of(sound) in {"latin", "other"} for sound in sounds(word))


@pytest.mark.parametrize(
    ("russian", "latin"),
    [
        ("коррекс", "correx"),
        ("векна", "vecna"),
        ("праксис", "praxis"),
        ("нексус", "nexus"),
        ("хексис", "hexis"),
        ("музик", "muzick"),
        ("графана", "grafana"),
        ("яндекс", "yandex"),
        ("гуглзум", "googlzoom"),
        ("дженкинс", "jenkins"),
        ("циско", "tsisko"),
        ("сиско", "cisco"),
        ("андреев", "andreev"),
        ("дмитрий", "dmitry"),
    ],
)
def test_names_of_both_alphabets_meet(russian: str, latin: str) -> None:
    assert sounds(russian) & sounds(latin)


@pytest.mark.parametrize(("one", "other"), [("векна", "векма"), ("correx", "korrekt")])
def test_other_names_do_not(one: str, other: str) -> None:
    assert not sounds(one) & sounds(other)


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("векна", {"векны", "векне", "векну", "векной", "векною"}),
        ("праксис", {"праксиса", "праксису", "праксисом", "праксисе"}),
        ("маша", {"маши", "маше", "машу", "машей", "машею"}),
        ("vecna", set[str]()),
        ("приложение", {"приложения", "приложению", "приложением", "приложении"}),
        ("токи", {"токам", "токами", "токах", "токям", "токями", "токях"}),
        ("ии", set[str]()),
        ("r2d2", set[str]()),
    ],
)
def test_unknown_names_bend_by_rule(word: str, forms: set[str]) -> None:
    assert decline(word) == forms


def test_words_for_kinds_are_known_in_both_languages_and_every_case() -> None:
    found = {
        getattr(concept_of(word), "name", None)
        for word in ("indexer", "индексатор", "индексатору", "индексатором")
    }

    assert found == {"indexer"}
    assert concept_of("репозиторием") is concept_of("repo")
    assert len({concept.name for concept in CONCEPTS}) == len(CONCEPTS)

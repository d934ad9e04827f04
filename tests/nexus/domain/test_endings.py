"""A Russian name put into any case, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nexus.domain.endings import bare_stem, decline, undecline
from tests.nexus.domain.strategies import RUSSIAN, in_russian, spoken, syllables

ENDINGS = ["", "а", "я", "й", "ь", "о", "ие", "ье", "ия", "ья", "и"]
NOUNS = st.builds(
    "{}{}{}".format,
    syllables(1, 3).map(in_russian),
    st.sampled_from("бвгджзклмнпрстфхцчшщ"),
    st.sampled_from(ENDINGS),
)
words = st.text(RUSSIAN, max_size=12)


@given(NOUNS)
def test_every_case_form_leads_back_to_the_name(noun: str) -> None:
    for form in decline(noun):
        assert noun in undecline(form), form


@given(words)
def test_a_case_form_is_another_word(word: str) -> None:
    assert word not in undecline(word)


@given(words)
def test_a_case_form_keeps_all_but_the_last_letter(word: str) -> None:
    assert all(form.startswith(word[:-1]) for form in decline(word))


@given(spoken(1, 4).filter(str.isascii), st.sampled_from(["а", "у", "е", "ом", "ы", "и", "ой"]))
def test_a_russian_ending_comes_off_a_latin_name(name: str, ending: str) -> None:
    assert bare_stem(name + ending) == name


@pytest.mark.parametrize("word", ["nginx", "нгинкс", "ом", "", "nginxовый"])
def test_what_is_no_latin_name_with_an_ending_has_no_stem(word: str) -> None:
    assert bare_stem(word) is None

"""A name is found by the keys of its words, in every form and with a letter amiss."""

from __future__ import annotations

from itertools import permutations, product

from hypothesis import assume, given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from nexus.domain.endings import decline
from nexus.domain.keys import (
    Lexeme,
    farther_keys,
    initials_of,
    keys_of_lexeme,
    keys_of_name,
    near_keys,
    plain_keys,
    whole_key,
    without,
)
from nexus.domain.names import readings
from nexus.domain.spelling import sounds
from nexus.morphology import case_forms
from tests.nexus.domain.strategies import (
    Syllables,
    in_latin,
    in_russian,
    slipped,
    spoken,
    syllables,
)


def lexeme(word: str) -> Lexeme:
    """A word as it is indexed."""
    return Lexeme(word, tuple(sorted(decline(word))))


@given(st.text(max_size=40))
def test_any_word_of_any_text_is_found_by_itself(text: str) -> None:
    for words in readings(text):
        for word in words:
            assert keys_of_lexeme(lexeme(word)).keys() & plain_keys(word)


@given(syllables(1, 4).map(in_russian))
def test_a_word_is_found_by_each_of_its_case_forms(word: str) -> None:
    known = Lexeme(word, tuple(sorted(case_forms(word))))

    for form in known.forms:
        assert keys_of_lexeme(known).keys() & plain_keys(form)


@given(syllables(2, 5))
def test_a_word_is_found_in_the_other_alphabet(pairs: Syllables) -> None:
    russian, latin = in_russian(pairs), in_latin(pairs)

    assert keys_of_lexeme(lexeme(russian)).keys() & plain_keys(latin)
    assert keys_of_lexeme(lexeme(latin)).keys() & plain_keys(russian)


@given(syllables(2, 4))
def test_a_latin_word_is_found_by_the_case_forms_of_its_russian_spelling(pairs: Syllables) -> None:
    known = keys_of_lexeme(lexeme(in_latin(pairs))).keys()

    for form in decline(in_russian(pairs)):
        assert known & plain_keys(form), form


@given(slipped(st.text("abdefghiklmnoprstuvzSZC", min_size=6, max_size=12)))
def test_sounds_of_five_letters_or_more_meet_with_one_amiss(pair: tuple[str, str]) -> None:
    sound, amiss = pair

    assert without(sound) & without(amiss)


@given(slipped(spoken(3, 6)))
def test_a_word_of_five_letters_or_more_is_found_with_one_amiss(pair: tuple[str, str]) -> None:
    """As far as it still sounds alike: a letter of `shch` may be four, of «бб» one is heard."""
    word, typed = pair
    assume(
        any(
            OSA.distance(sound, amiss) <= 2 and min(len(sound), len(amiss)) >= 5
            for sound, amiss in product(sounds(word), sounds(typed))
        )
    )

    assert keys_of_lexeme(lexeme(word)).keys() & (near_keys(typed) | farther_keys(typed)), typed


@given(st.lists(spoken(1, 3), min_size=1, max_size=4))
def test_a_name_has_one_key_whatever_the_order_of_its_words(words: list[str]) -> None:
    keys = {whole_key(order) for order in permutations(words)}

    assert len(keys) == 1
    assert keys <= keys_of_name(tuple(words))


@given(st.lists(spoken(2, 3), min_size=2, max_size=4, unique=True))
def test_initials_are_a_letter_for_each_word(words: list[str]) -> None:
    initials = initials_of(words)

    assert initials is not None
    assert f"a{initials}" in keys_of_name(tuple(words))

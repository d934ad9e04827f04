"""The other keyboard layout, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nexus.domain.keyboard import NEIGHBOURS, switched

LATIN = "abcdefghijklmnopqrstuvwxyz"
ON_LETTER_KEYS = "[];',.`{}:\"<>~"
RUSSIAN = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"
BOTH_LAYOUTS_ALIKE = " 0123456789-_!"


def texts(letters: str, others: str) -> st.SearchStrategy[str]:
    """Texts that hold at least one of the letters."""
    letter = st.sampled_from(letters + letters.upper())
    anything = st.text(letters + letters.upper() + others, max_size=20)
    return st.tuples(anything, letter, anything).map("".join)


@given(texts(LATIN, ON_LETTER_KEYS + BOTH_LAYOUTS_ALIKE))
def test_latin_text_typed_in_the_other_layout_and_back_is_the_text(text: str) -> None:
    there = switched(text)

    assert there is not None
    assert switched(there) == text


@given(texts("".join(set(RUSSIAN) - set("ёхъжэбю")), RUSSIAN + BOTH_LAYOUTS_ALIKE))
def test_russian_text_typed_in_the_other_layout_and_back_is_the_text(text: str) -> None:
    """Of «ёхъжэбю» alone nothing but punctuation is left, which nobody takes for a slip."""
    there = switched(text)

    assert there is not None
    assert switched(there) == text


@given(st.text(BOTH_LAYOUTS_ALIKE + ON_LETTER_KEYS, max_size=20))
def test_what_has_no_letters_has_no_other_layout(text: str) -> None:
    assert switched(text) is None


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("rjhhtrc", "коррекс"), ("мусть", "vecnm"), ("Dtryf", "Векна"), ("k`yz", "лёня")],
)
def test_the_same_keys_write_the_word_that_was_meant(typed: str, meant: str) -> None:
    assert switched(typed) == meant


def test_neighbours_are_mutual_and_of_one_layout() -> None:
    assert all((other, one) in NEIGHBOURS for one, other in NEIGHBOURS)
    assert all(one.isascii() == other.isascii() for one, other in NEIGHBOURS)

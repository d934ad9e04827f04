"""Slips are as few as the edits it takes, and each is told by its kind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA, Levenshtein

from nexus.domain.slips import Kind, slips_between
from tests.nexus.domain.strategies import slipped, spoken

short = st.text("abc", max_size=6)


@given(short, short)
def test_slips_are_no_fewer_than_the_fewest_edits_and_no_more_than_without_swaps(
    asked: str, known: str
) -> None:
    """Not always the fewest: swaps are found in one alignment, not looked for in all of them."""
    count = len(slips_between(asked, known))

    assert OSA.distance(asked, known) <= count <= Levenshtein.distance(asked, known)


@given(slipped(spoken(2, 5)))
def test_one_slip_is_told_as_one(pair: tuple[str, str]) -> None:
    word, typed = pair

    assert len(slips_between(typed, word)) == OSA.distance(typed, word) <= 1


@given(short, short)
def test_a_slip_is_at_a_place_of_the_known_word(asked: str, known: str) -> None:
    assert all(0 <= slip.place <= len(known) for slip in slips_between(asked, known))


@given(short)
def test_a_word_slips_from_itself_nowhere(word: str) -> None:
    assert slips_between(word, word) == []


@pytest.mark.parametrize(
    ("asked", "known", "kind"),
    [
        ("evcna", "vecna", "swapped"),
        ("correcs", "corecs", "doubled"),
        ("corex", "correx", "doubled"),
        ("vrcna", "vecna", "adjacent"),
        ("векма", "векна", "put"),
        ("карова", "корова", "heard"),
        ("vecno", "vecna", "heard"),
        ("векнэ", "векна", "vowel"),
        ("vcna", "vecna", "missed"),
        ("vecpna", "vecna", "added"),
        ("vercna", "vecna", "beside"),
        ("тибирь", "тибир", "quiet"),
    ],
)
def test_the_kind_of_a_slip_says_what_happened(asked: str, known: str, kind: Kind) -> None:
    assert [slip.kind for slip in slips_between(asked, known)] == [kind]

"""Words and slips that the properties of names are tried on."""

from __future__ import annotations

from hypothesis import strategies as st

CONSONANTS = dict(
    zip(
        "бвгджзклмнпрстфхцчшщ",
        ["b", "v", "g", "d", "zh", "z", *"klmnprstf", "kh", "ts", "ch", "sh", "shch"],
        strict=True,
    )
)
VOWELS = dict(zip("аеиоуыэюя", [*"aeiouye", "yu", "ya"], strict=True))
RUSSIAN = "абвгдежзийклмнопрстуфхцчшщъыьэюя"
LATIN = "abcdefghijklmnopqrstuvwxyz"
Syllables = list[tuple[str, str]]


def syllables(least: int = 1, most: int = 5) -> st.SearchStrategy[Syllables]:
    """A pronounceable word, as pairs of a consonant and a vowel."""
    pair = st.tuples(st.sampled_from(list(CONSONANTS)), st.sampled_from(list(VOWELS)))
    return st.lists(pair, min_size=least, max_size=most)


def in_russian(pairs: Syllables) -> str:
    """The word in Cyrillic."""
    return "".join(map("".join, pairs))


def in_latin(pairs: Syllables) -> str:
    """The same word as it is romanised."""
    return "".join(CONSONANTS[consonant] + VOWELS[vowel] for consonant, vowel in pairs)


def spoken(least: int = 1, most: int = 5) -> st.SearchStrategy[str]:
    """A pronounceable word in either alphabet."""
    pairs = syllables(least, most)
    return st.one_of(pairs.map(in_russian), pairs.map(in_latin))


@st.composite
def slipped(draw: st.DrawFn, words: st.SearchStrategy[str]) -> tuple[str, str]:
    """A word, and the same with one letter missed, added, put or exchanged with the next."""
    word = draw(words)
    letter = draw(st.sampled_from(LATIN if word.isascii() else RUSSIAN))
    place = draw(st.integers(0, len(word) - 2))
    before, after = word[:place], word[place:]
    typed = draw(
        st.sampled_from(
            [
                before + after[1:],
                before + letter + after,
                before + letter + after[1:],
                before + after[1] + after[0] + after[2:],
            ]
        )
    )
    return word, typed

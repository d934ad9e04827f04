"""How a word sounds, written in one alphabet, so that «коррекс» and Correx meet undeclared."""

from __future__ import annotations

import re
from functools import lru_cache

_LONGEST = 64
"""Letters of the longest word whose sound is told."""
SHORTEST = 3
"""A sound shorter than this is shared by too many words to tell one from another."""

_CYRILLIC = {
    **dict(zip("абвгдежзийклмнопрстуфхцчшщыэ", "abvgdeZziiklmnoprstufhcCSSie", strict=True)),
    "ю": "iu",
    "я": "ia",
    "ъ": "",
    "ь": "",
    "і": "i",
    "є": "e",
    "ґ": "g",
}
_BOTH = {
    "shch": "S",
    "sh": "S",
    "ch": "C",
    "zh": "Z",
    "kh": "h",
    "ph": "f",
    "ck": "k",
    "ts": "c",
    "qu": "kv",
    "ye": "e",
    "x": "ks",
    "q": "k",
    "w": "v",
    "y": "i",
}
_RUSSIAN = {"sch": "S", "yo": "e", "j": "i"}
"""Russian as people write it in Latin letters."""
_READINGS = (
    {**_BOTH, **_CYRILLIC, **_RUSSIAN, "c": "k"},
    {
        **_BOTH,
        **_CYRILLIC,
        **dict.fromkeys(["ce", "cee"], "se"),
        **dict.fromkeys(["ci", "cy"], "si"),
        "c": "k",
        "ee": "i",
        "j": "dZ",
        "oo": "u",
        "th": "t",
    },  # English
    # ISO 9 and GOST: c is ц, x is х, shh is щ, and ye is two letters.
    {**_BOTH, **_CYRILLIC, **_RUSSIAN, "ye": "ie", "x": "h", "shh": "S", "cz": "c"},
)
_CYRILLIC_LETTERS = str.maketrans(_CYRILLIC)
_LATIN = re.compile("[a-z]")
_VOWELS = re.compile(r"[aeiouy]+")
_REPEATED = re.compile(r"([^aeou])\1+")


@lru_cache(maxsize=8192)
def sounds(word: str) -> frozenset[str]:
    """How a folded word may sound, in either alphabet or a mix of both; a long one has none."""
    if len(word) > _LONGEST:
        return frozenset()
    if not _LATIN.search(word):
        return frozenset([_REPEATED.sub(r"\1", word.translate(_CYRILLIC_LETTERS))])
    return frozenset(_spell(word, pattern, table) for pattern, table in _COMPILED)


def consonants(sound: str) -> str:
    """The sound without its vowels, which two languages seldom write alike."""
    return _VOWELS.sub("", sound)


def _spell(word: str, pattern: re.Pattern[str], table: dict[str, str]) -> str:
    return _REPEATED.sub(r"\1", pattern.sub(lambda found: table[found[0]], word))


def _pattern(table: dict[str, str]) -> re.Pattern[str]:
    return re.compile("|".join(sorted(table, key=len, reverse=True)))


_COMPILED = [(_pattern(table), table) for table in _READINGS]

"""How a word sounds, written in one alphabet, so that «коррекс» and Correx meet undeclared."""

from __future__ import annotations

import re

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
_READINGS = (
    {**_BOTH, **_CYRILLIC, "yo": "e", "c": "k", "j": "i"},  # Russian written in Latin letters
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
)
_REPEATED = re.compile(r"([^aeou])\1+")


def sounds(word: str) -> frozenset[str]:
    """How a folded word may sound, in either alphabet or a mix of both."""
    return frozenset(_spell(word, pattern, table) for pattern, table in _COMPILED)


def shortened(sound: str) -> frozenset[str]:
    """The sound and what is left of it without any one letter: equal keys are near each other."""
    return frozenset([sound, *(sound[:at] + sound[at + 1 :] for at in range(len(sound)))])


def is_near(one: str, other: str) -> bool:
    """Whether one letter added, left out, changed or swapped with the next makes them equal."""
    if len(one) > len(other):
        one, other = other, one
    if len(other) - len(one) > 1:
        return False
    at = 0
    while at < len(one) and one[at] == other[at]:
        at += 1
    if len(one) < len(other):
        return one[at:] == other[at + 1 :]
    swapped = one[at : at + 2][::-1] == other[at : at + 2] and one[at + 2 :] == other[at + 2 :]
    return one[at + 1 :] == other[at + 1 :] or swapped


def _spell(word: str, pattern: re.Pattern[str], table: dict[str, str]) -> str:
    return _REPEATED.sub(r"\1", pattern.sub(lambda found: table[found[0]], word))


def _pattern(table: dict[str, str]) -> re.Pattern[str]:
    return re.compile("|".join(sorted(table, key=len, reverse=True)))


_COMPILED = [(_pattern(table), table) for table in _READINGS]

"""Russian case forms by rule, for names no dictionary knows, and back again."""

from __future__ import annotations

import re
from functools import lru_cache

_VOWELS = "аеиоуыэюя"
_HISSING = "жшчщц"
_AFTER_HUSHING_AND_BACK = "гкхжшчщ"
_MANY = ["ам", "ами", "ах", "ям", "ями", "ях"]
"""Of a name in the plural, such as «Барановичи»."""
_SHORTEST = 3


def decline(word: str) -> frozenset[str]:
    """The oblique singular forms of a folded Cyrillic word, as a speaker would guess them."""
    if len(word) < _SHORTEST or not word.isalpha() or word[-1].isascii():
        return frozenset()
    stem, last, before = word[:-1], word[-1], word[-2]
    match last:
        case "а":
            first = "и" if before in _AFTER_HUSHING_AND_BACK else "ы"
            instrumental = ["ей", "ею"] if before in _HISSING else ["ой", "ою"]
            endings = [first, "е", "у", *instrumental]
        case "я":
            endings = ["и", "е", "ю", "ей"]
        case "й":
            endings = ["я", "ю", "ем", "е", "и"]
        case "ь":
            endings = ["я", "ю", "ем", "е", "и", "ью"]
        case "о":
            endings = ["а", "у", "ом", "е"]
        case "е" if before in "иь":
            endings = ["я", "ю", "ем", "и"]
        case "ы" | "и" if before not in _VOWELS:
            endings = _MANY
        case _ if last not in _VOWELS:
            stem, endings = word, ["а", "у", "ем" if last in _HISSING else "ом", "е"]
        case _:
            endings = []
    return frozenset(stem + ending for ending in endings)


_BACK: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ого", ("ый", "ой", "ий")),
    ("ему", ("ий", "ее")),
    ("ому", ("ый", "ой", "ий")),
    ("его", ("ий", "ее")),
    ("ыми", ("ые",)),
    ("ами", ("ы", "а", "и")),
    ("ями", ("и", "я")),
    ("ям", ("и", "я")),
    ("ях", ("и", "я")),
    ("ам", ("ы", "а", "и")),
    ("ах", ("ы", "а", "и")),
    ("ией", ("ия",)),
    ("ьей", ("ья",)),
    ("ой", ("а", "ая", "ой")),
    ("ою", ("а", "ая")),
    ("ею", ("а", "я")),
    ("ую", ("ая",)),
    ("юю", ("яя",)),
    ("ей", ("а", "я", "ей", "яя")),
    ("ем", ("", "ь", "й", "е")),
    ("ём", ("", "ь", "й", "е")),
    ("ом", ("", "о", "ой")),
    ("ым", ("ый", "ой", "")),
    ("им", ("ий", "")),
    ("ых", ("ые",)),
    ("их", ("ие", "ий")),
    ("ию", ("ия", "ий", "ие")),
    ("ии", ("ия", "ий", "ие")),
    ("ьи", ("ья", "ье")),
    ("ью", ("ь",)),
    ("ья", ("ье", "ья")),
    ("а", ("", "о")),
    ("я", ("ь", "й", "е")),
    ("у", ("", "а", "о")),
    ("ю", ("ь", "й", "я", "е")),
    ("ы", ("а", "")),
    ("и", ("а", "я", "ь", "й", "")),
    ("е", ("", "а", "я", "ь", "й", "о")),
)


@lru_cache(maxsize=4096)
def undecline(word: str) -> tuple[str, ...]:
    """What a folded Cyrillic word may be a case form of, for names registered in Latin letters."""
    found: dict[str, None] = {}
    for ending, nominatives in _BACK:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST - 1:
            found.update((word.removesuffix(ending) + each, None) for each in nominatives)
    found.pop(word, None)
    return tuple(found)


_BARE = re.compile(r"([a-z0-9]*[a-z])(?:а|у|е|ом|ем|ы|и|ой|ю|я)")


def bare_stem(word: str) -> str | None:
    """The Latin name that a Russian ending was typed after, as in `nginxом`."""
    found = _BARE.fullmatch(word)
    return None if found is None else found[1]

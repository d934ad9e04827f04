"""Russian case forms by rule, for names no dictionary knows, Latin ones included."""

from __future__ import annotations

_VOWELS = "аеиоуыэюяaeiouy"
_HISSING = "жшчщц"
_AFTER_HUSHING_AND_BACK = "гкхжшчщgkx"
_SHORTEST = 3


def decline(word: str) -> frozenset[str]:
    """The oblique singular forms of a folded word, as a speaker would guess them.

    The endings are Cyrillic even after a Latin stem: `vecna` gives `vecnу`, which people do type
    and which sounds like «векну».
    """
    if len(word) < _SHORTEST or not word.isalpha():
        return frozenset()
    stem, last, before = word[:-1], word[-1], word[-2]
    match last:
        case "а" | "a":
            first = "и" if before in _AFTER_HUSHING_AND_BACK else "ы"
            instrumental = ["ей", "ею"] if before in _HISSING else ["ой", "ою"]
            endings = [first, "е", "у", *instrumental]
        case "я":
            endings = ["и", "е", "ю", "ей"]
        case "й":
            endings = ["я", "ю", "ем", "е", "и"]
        case "y" if before in _VOWELS:
            endings = ["я", "ю", "ем", "е"]
        case "ь":
            endings = ["я", "ю", "ем", "е", "и", "ью"]
        case "о":
            endings = ["а", "у", "ом", "е"]
        case "е" if before in "иь":
            endings = ["я", "ю", "ем", "и"]
        case _ if last not in _VOWELS:
            stem, endings = word, ["а", "у", "ем" if last in _HISSING else "ом", "е"]
        case _:
            endings = []
    return frozenset(stem + ending for ending in endings)

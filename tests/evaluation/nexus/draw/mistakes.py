"""How people go wrong: slips of the finger, and what speech recognition makes of a name."""

from __future__ import annotations

from random import Random

from tests.evaluation.nexus.draw.spelling import ROWS, is_russian

LATIN = "abcdefghijklmnopqrstuvwxyz"
CYRILLIC = "абвгдежзийклмнопрстуфхцчшщьыэюя"
HEARD_RUSSIAN = (
    ("о", "а"), ("о", "а"), ("а", "о"), ("е", "и"), ("е", "и"), ("и", "е"), ("б", "п"), ("п", "б"),
    ("в", "ф"), ("ф", "в"), ("г", "к"), ("д", "т"), ("т", "д"), ("ж", "ш"), ("з", "с"), ("с", "з"),
    ("щ", "ш"), ("тс", "ц"), ("ь", ""), ("я", "и"), ("ё", "е"), ("й", ""), ("лл", "л"), ("сс", "с"),
    ("нн", "н"), ("кк", "к"), ("мм", "м"), ("рр", "р"),
)  # fmt: skip
HEARD_ENGLISH = (
    ("i", "y"), ("i", "y"), ("y", "i"), ("s", "z"), ("z", "s"), ("k", "c"), ("c", "k"), ("x", "ks"),
    ("ph", "f"), ("w", "v"), ("ck", "k"), ("ch", "kh"), ("q", "k"), ("oo", "u"), ("ee", "i"),
    ("zh", "sh"), ("th", "t"), ("ll", "l"), ("nn", "n"), ("ss", "s"), ("tt", "t"), ("pp", "p"),
    ("o", "a"), ("a", "o"), ("e", "i"), ("d", "t"), ("b", "p"), ("v", "f"), ("g", "k"),
)  # fmt: skip


def neighbours(letter: str) -> str:
    """The keys left and right of a letter, and above or below it."""
    found = ""
    for first in (0, 3):
        rows = ROWS[first : first + 3]
        for depth, row in enumerate(rows):
            at = row.find(letter.lower())
            if at >= 0:
                found += row[max(0, at - 1) : at] + row[at + 1 : at + 2]
                for other in (depth - 1, depth + 1):
                    if 0 <= other < 3 and at < len(rows[other]):
                        found += rows[other][at]
    return found


def slip(text: str, random: Random) -> str:
    """One slip of the finger."""
    letters = [at for at, letter in enumerate(text) if letter.isalpha()]
    at = random.choice(letters)
    letter = text[at]
    near = neighbours(letter) or (CYRILLIC if is_russian(letter) else LATIN)
    beside = random.choice(near)
    beside = beside.upper() if letter.isupper() else beside
    match random.choices(
        ("replace", "swap", "drop", "double", "insert", "any"), (30, 22, 20, 8, 14, 6)
    )[0]:
        case "swap" if at + 1 < len(text) and text[at + 1].isalpha() and text[at + 1] != letter:
            return text[:at] + text[at + 1] + letter + text[at + 2 :]
        case "drop":
            return text[:at] + text[at + 1 :]
        case "double":
            return text[:at] + letter.lower() + text[at:]
        case "insert":
            return text[: at + 1] + beside.lower() + text[at + 1 :]
        case "any":
            other = random.choice(CYRILLIC if is_russian(letter) else LATIN)
            return text[:at] + other + text[at + 1 :]
        case _:
            return text[:at] + beside + text[at + 1 :]


def misheard(text: str, random: Random) -> str:
    """One change of the kind that dictation makes, in lower case."""
    low = text.lower()
    spaces = [at for at, letter in enumerate(low) if letter == " "]
    kind = random.random()
    if spaces and kind < 0.12:
        at = random.choice(spaces)
        return low[:at] + low[at + 1 :]
    if kind < 0.18 and len(low) >= 7 and not spaces:
        at = random.randrange(3, len(low) - 2)
        return low[:at] + " " + low[at:]
    if kind < 0.25 and len(low) >= 8:
        return low[:-1]
    table = HEARD_RUSSIAN if is_russian(low) else HEARD_ENGLISH
    choices = [
        (old, new, at)
        for old, new in table
        for at in range(len(low))
        if low.startswith(old, at) and (new or at)
    ]
    if not choices:
        return low
    old, new, at = random.choice(choices)
    return low[:at] + new + low[at + len(old) :]

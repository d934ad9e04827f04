"""How names are spelled: comparison keys, romanisations, Latin read as Russian, layouts."""

from __future__ import annotations

import re
import unicodedata

PLAIN = {
    "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ё": "yo", "ж": "zh", "з": "z",
    "и": "i", "й": "y", "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r",
    "с": "s", "т": "t", "у": "u", "ф": "f", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh",
    "щ": "shch", "ъ": "", "ы": "y", "ь": "", "э": "e", "ю": "yu", "я": "ya",
}  # fmt: skip
SYSTEMS = {
    "bgn": {},
    "icao": {"ё": "e", "й": "i", "ъ": "ie", "ю": "iu", "я": "ia"},
    "informal": {"ё": "e", "й": "j", "х": "h", "ц": "c", "щ": "sch", "ы": "i"},
    "gost_b": {
        "й": "j", "х": "x", "ц": "c", "щ": "shh", "ъ": "''", "ы": "y'", "ь": "'", "э": "e'",
    },
    "iso9": {
        "ё": "ë", "ж": "ž", "й": "j", "х": "h", "ц": "c", "ч": "č", "ш": "š", "щ": "ŝ", "ъ": "ʺ",
        "ь": "ʹ", "э": "è", "ю": "û", "я": "â",
    },
}  # fmt: skip
CLUSTERS = {
    "sch": "щ", "sh": "ш", "ch": "ч", "zh": "ж", "kh": "х", "ph": "ф", "th": "т", "ts": "ц",
    "ya": "я", "yu": "ю", "yo": "ё", "oo": "у", "ee": "и", "ck": "к", "qu": "кв",
}  # fmt: skip
SINGLE = {
    "a": "а", "b": "б", "c": "к", "d": "д", "e": "е", "f": "ф", "g": "г", "h": "х", "i": "и",
    "j": "дж", "k": "к", "l": "л", "m": "м", "n": "н", "o": "о", "p": "п", "q": "к", "r": "р",
    "s": "с", "t": "т", "u": "у", "v": "в", "w": "в", "x": "кс", "y": "и", "z": "з",
}  # fmt: skip
ENGLISH_KEYS = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"
RUSSIAN_KEYS = "йцукенгшщзхъфывапролджэячсмитьбюё"
ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю")


def key(text: str) -> str:
    """The text without case, marks and punctuation, words parted by one space."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("ё", "е").replace("й", "\0")
    bare = "".join(
        mark for mark in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(mark)
    )
    return " ".join(re.findall(r"[^\W_]+", bare.replace("\0", "й")))


def words(text: str) -> list[str]:
    """The words of a name, as compared."""
    return key(text).split()


def language(text: str) -> str:
    """`ru`, `en` or `mixed`, by the letters."""
    cyrillic = re.search(r"[а-яё]", text, re.IGNORECASE) is not None
    latin = re.search(r"[a-z]", unicodedata.normalize("NFKD", text), re.IGNORECASE) is not None
    return "mixed" if cyrillic and latin else "ru" if cyrillic else "en"


def is_russian(text: str) -> bool:
    """Whether it is written in Cyrillic alone."""
    return language(text) == "ru"


def _recased(source: str, written: str) -> str:
    return written[:1].upper() + written[1:] if source[:1].isupper() else written


def romanised(text: str, system: str) -> str:
    """Russian in Latin letters, by a named system."""
    table = PLAIN | SYSTEMS[system]
    out: list[str] = []
    for position, letter in enumerate(text):
        low = letter.lower()
        written = table.get(low, letter)
        if system == "bgn" and low == "е":
            before = text[position - 1].lower() if position else " "
            written = "ye" if before in " аеёиоуыэюяйъь-" else "e"
        out.append(_recased(letter, written))
    return "".join(out)


def common_latin(text: str) -> str:
    """Russian names as people's documents and sites mostly write them."""
    plain = "".join(_recased(letter, PLAIN.get(letter.lower(), letter)) for letter in text)
    return re.sub(r"(i|y)y\b", "y", plain).replace("yo", "e").replace("Yo", "E")


def read_as_russian(text: str) -> str:
    """Latin read letter by letter by somebody who writes Russian."""
    low, out, position = text.lower(), "", 0
    while position < len(low):
        for size in (3, 2):
            if low[position : position + size] in CLUSTERS:
                out += CLUSTERS[low[position : position + size]]
                position += size
                break
        else:
            out += SINGLE.get(low[position], low[position])
            position += 1
    return out


def other_layout(text: str) -> str:
    """Typed with the keyboard switched to the other language."""
    both = dict(zip(ENGLISH_KEYS, RUSSIAN_KEYS, strict=True))
    both |= dict(zip(RUSSIAN_KEYS, ENGLISH_KEYS, strict=True))
    return "".join(both.get(letter, letter) for letter in text.lower())


def sound(text: str) -> str:
    """A coarse Latin form in which spellings of one name mostly agree."""
    latin = "".join(PLAIN.get(letter, letter) for letter in key(text).replace(" ", ""))
    for old, new in (
        ("shch", "s"), ("sch", "s"), ("sh", "s"), ("ch", "c"), ("zh", "z"), ("kh", "h"),
        ("ph", "f"), ("ts", "c"), ("ck", "k"), ("qu", "kv"), ("x", "ks"), ("w", "v"), ("q", "k"),
        ("th", "t"), ("yo", "e"), ("ya", "a"), ("yu", "u"), ("ia", "a"), ("iu", "u"), ("j", "i"),
        ("y", "i"),
    ):  # fmt: skip
        latin = latin.replace(old, new)
    return re.sub(r"(.)\1+", r"\1", latin)

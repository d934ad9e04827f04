"""Names as folded words: one form for case, width, accents, ё, dashes and camelCase."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

Words = tuple[str, ...]
Script = Literal["latin", "cyrillic", "mixed", "other"]

_BREVE = "\N{COMBINING BREVE}"
_POSSESSIVE = re.compile(r"(?<=[^\W_])['’ʼ]s(?![^\W_])", re.IGNORECASE)
_APOSTROPHE = re.compile(r"['’ʼ`´]")
_ENDING = re.compile(r"(?<=[A-Za-z0-9])-(?=(?:а|у|е|ом|ем|ы|и|ой|ю|я)(?![^\W_]))")
"""The dash of `Krypton-ом`."""
_CAMEL = re.compile(
    r"(?<=[a-zа-яё])(?=[A-ZА-ЯЁ])|(?<=[A-ZА-ЯЁ])(?=[A-ZА-ЯЁ][a-zа-яё])"  # indexURLs, HTTPProxy
)
_WORD = re.compile(r"[^\W_]+(?:[+#]+(?![^\W_]))?")
"""Letters and digits; a plus or a number sign that ends a word belongs to it, as in C++ and C#."""
_PLAIN = re.compile(r"[ -~А-Яа-яЁё«»—–…]*")
"""What folding changes in nothing but case and ё."""
_ISO_9_MARKS = re.compile("[žčšŝûâèʹʺ]", re.IGNORECASE)
_ISO_9 = str.maketrans(
    {
        **{"ž": "zh", "č": "ch", "š": "sh", "ŝ": "shch", "û": "yu", "â": "ya", "è": "e"},
        **{"Ž": "Zh", "Č": "Ch", "Š": "Sh", "Ŝ": "Shch", "Û": "Yu", "Â": "Ya", "È": "E"},
        **{"c": "ts", "C": "Ts", "ʹ": "", "ʺ": ""},
    }
)
_CYRILLIC = re.compile(r"[\u0400-\u052f]")
_LATIN = re.compile(r"[a-z]")


def fold(text: str) -> str:
    """One spelling for what differs in case, width, accents, ё or invisible characters."""
    if _PLAIN.fullmatch(text):
        return text.lower().replace("ё", "е")
    while (folded := _fold_once(text)) != text:
        text = folded
    return text


@lru_cache(maxsize=8192)
def readings(text: str) -> tuple[Words, ...]:
    """The ways to divide a text into words: as written, and with camelCase taken apart."""
    plain = unicodedata.normalize("NFKC", text)
    plain = _ENDING.sub("", _APOSTROPHE.sub("", _POSSESSIVE.sub("", plain)))
    found: list[Words] = []
    for spaced in (plain, _CAMEL.sub(" ", plain)):
        words = tuple(_WORD.findall(fold(spaced)))
        if words and words not in found:
            found.append(words)
    return tuple(found)


def spellings(text: str) -> list[str]:
    """The text, and where it has letters of ISO 9 also as people write Russian without them."""
    composed = unicodedata.normalize("NFC", text)
    if not _ISO_9_MARKS.search(composed):
        return [text]
    return [text, composed.translate(_ISO_9)]


def join(words: Sequence[str]) -> str:
    """The words as one, so that `GitHub`, `git-hub` and `github` meet; numbers stay apart."""
    joined = ""
    for word in words:
        apart = joined[-1:].isdigit() and word[:1].isdigit()
        joined += f" {word}" if apart else word
    return joined


@lru_cache(maxsize=8192)
def script_of(text: str) -> Script:
    """Which alphabet the letters are of."""
    cyrillic, latin = _CYRILLIC.search(text) is not None, _LATIN.search(text.lower()) is not None
    if cyrillic and latin:
        return "mixed"
    return "cyrillic" if cyrillic else "latin" if latin else "other"


def _fold_once(text: str) -> str:
    kept: list[str] = []
    for character in unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text).casefold()):
        category = unicodedata.category(character)
        if character == _BREVE and kept and kept[-1] == "и":
            kept[-1] = "й"
        elif category == "Cc":
            kept.append(" ")
        elif category not in {"Mn", "Cf"}:
            kept.append(character)
    return unicodedata.normalize("NFKC", "".join(kept))

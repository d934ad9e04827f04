"""Words of a text by their stems, in Russian and English, for full-text search."""

from __future__ import annotations

import re
from typing import Protocol

import Stemmer  # pyright: ignore[reportMissingTypeStubs]

_WORD = re.compile(r"[^\W_]+")
_LONGEST = 64
_REMEMBERED = 10_000
"""Words whose stems are remembered, of each language."""


class _Stemming(Protocol):
    def stemWord(self, word: str) -> str: ...


def _of(language: str) -> _Stemming:
    return Stemmer.Stemmer(language, _REMEMBERED)  # pyright: ignore


_russian, _english = _of("russian"), _of("english")


def stems(text: str) -> list[str]:
    """The words of a text, folded and without their endings, in their order."""
    folded = text.lower().replace("ё", "е")
    return [_stem(word[:_LONGEST]) for word in _WORD.findall(folded)]


def _stem(word: str) -> str:
    return (_english if word.isascii() else _russian).stemWord(word)

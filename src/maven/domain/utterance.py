"""What was said, as words that remember where they stood in the original text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Language = Literal["ru", "en"]

_WORD = re.compile(r"\w+(?:[-.'_/:@+;]\w+)*")
_QUOTES = re.compile(r"[«»\"“”„‘`]")
_TRAILING_POSSESSIVE = re.compile(r"'s$", re.IGNORECASE)
_CYRILLIC = re.compile(r"[а-яё]", re.IGNORECASE)
_LATIN = re.compile(r"[a-z]", re.IGNORECASE)

_CONTRACTED = {
    "what's": ("what", "is"),
    "whats": ("what", "is"),
    "who's": ("who", "is"),
    "whos": ("who", "is"),
    "how's": ("how", "is"),
    "hows": ("how", "is"),
    "it's": ("it", "is"),
    "that's": ("that", "is"),
    "there's": ("there", "is"),
    "i'm": ("i", "am"),
}
_POLITE = frozenset(
    {"please", "pls", "plz", "kindly", "пожалуйста", "пожалуста", "плиз", "пж", "пжлст"}
)
_NAMES = frozenset({"maven", "мавен", "мэйвен", "мейвен", "мавэн"})
_CALLS = frozenset({"hey", "hi", "hello", "ok", "okay", "эй", "слушай", "привет", "окей", "ау"})
_FILLERS = frozenset({
    "so", "and", "well", "then", "now", "ok", "okay", "alright", "hm", "hmm", "uh", "um", "also",
    "but",
    "ну", "а", "и", "но", "так", "теперь", "слушай", "скажи", "ладно", "окей", "ок", "же", "тогда",
    "эм", "короче",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Word:
    """One word, folded for comparison, and its place in the text."""

    folded: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Utterance:
    """A text as it was heard."""

    text: str
    words: tuple[Word, ...]
    """Without polite words."""
    is_question: bool
    is_polite: bool

    def said(self, words: tuple[Word, ...]) -> str:
        """The original text of some neighbouring words, without quotes and possessive endings."""
        if not words:
            return ""
        raw = _QUOTES.sub("", self.text[words[0].start : words[-1].end])
        return _TRAILING_POSSESSIVE.sub("", raw.replace("’", "'")).strip()


def hear(text: str) -> Utterance:
    """Read a text: composed characters, lower case, ё as е, no punctuation, polite words aside."""
    composed = unicodedata.normalize("NFC", text)
    words = [word for match in _WORD.finditer(composed.replace("’", "'")) for word in _words(match)]
    plain = tuple(word for word in words if word.folded not in _POLITE)
    return Utterance(
        text=composed,
        words=plain or tuple(words),
        is_question=composed.rstrip(' !"»)').endswith("?"),
        is_polite=len(plain) < len(words),
    )


def fold(text: str) -> str:
    """A word as it is compared."""
    return unicodedata.normalize("NFC", text).casefold().replace("ё", "е").replace("’", "'")


def variants(utterance: Utterance) -> Iterator[tuple[Word, ...]]:
    """The words as said, then without addressing Maven, then without what leads into a sentence."""
    words = utterance.words
    yield words
    addressed = _without_address(utterance)
    if addressed != words:
        yield addressed
    begun = 0
    while begun < len(addressed) - 1 and addressed[begun].folded in _FILLERS:
        begun += 1
        yield addressed[begun:]


def language_of(words: tuple[Word, ...]) -> Language | None:
    """Which alphabet most letters of these words belong to; none where they do not tell."""
    text = " ".join(word.folded for word in words)
    cyrillic, latin = len(_CYRILLIC.findall(text)), len(_LATIN.findall(text))
    if cyrillic == latin:
        return None
    return "ru" if cyrillic > latin else "en"


def _without_address(utterance: Utterance) -> tuple[Word, ...]:
    words = utterance.words
    begun = 1 if len(words) > 2 and words[0].folded in _CALLS else 0
    if len(words) > begun + 1 and words[begun].folded in _NAMES:
        words = words[begun + 1 :]
    if len(words) > 1 and words[-1].folded in _NAMES:
        before = utterance.text[words[-2].end : words[-1].start]
        if "," in before:
            words = words[:-1]
    return words


def _words(match: re.Match[str]) -> Iterator[Word]:
    folded = fold(match[0])
    for piece in _CONTRACTED.get(folded, (folded,)):
        yield Word(piece, match.start(), match.end())

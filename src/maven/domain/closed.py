"""Yes, no and which one: a closed grammar, because consent is never guessed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from maven.domain.dialogue import Option
from maven.domain.utterance import Word, fold
from maven.plain_answer import NOTHING, Asked, meaning_of

Verdict = Literal["yes", "no", "cancel"]


@dataclass(frozen=True, slots=True)
class Said:
    """What a text says as an answer to a question of ours."""

    verdict: Verdict | None = None
    is_weak: bool = False
    """It agrees, as people also do to nothing in particular."""
    is_mixed: bool = False
    """It has a yes in it and is none."""


def answer_of(text: str, asked: Asked = NOTHING) -> Said:
    """Yes, no, cancel, or none of them; anything beside the closed lists makes it none."""
    match meaning_of(text, asked):
        case "yes" | "no" | "cancel" as verdict:
            return Said(verdict)
        case "weak":
            return Said(is_weak=True)
        case "mixed":
            return Said(is_mixed=True)
        case "none":
            return Said()


_ORDINALS: tuple[tuple[str, ...], ...] = (
    ("first", "один", "one", "перв"),
    ("second", "два", "two", "втор"),
    ("third", "три", "three", "трет"),
    ("fourth", "четыре", "four", "четверт"),
    ("fifth", "пять", "five", "пят"),
    ("sixth", "шесть", "six", "шест"),
    ("seventh", "семь", "seven", "седьм"),
    ("eighth", "восемь", "eight", "восьм"),
    ("ninth", "девять", "nine", "девят"),
    ("tenth", "десять", "ten", "десят"),
)
_ORDINAL_ENDINGS = re.compile(r"^(ый|ой|ий|ая|ое|ую|ого|ому|ым|ом|ые|ых|ья|ье|ью|ьего|ьему)$")
_LAST = frozenset({"last", "последний", "последнюю", "последняя", "последнее", "последнего"})
_EMPTY = frozenset({
    "the", "one", "a", "an", "number", "i", "mean", "meant", "that", "this", "is", "it", "no",
    "of", "on",
    "номер", "тот", "та", "то", "ту", "который", "которая", "которую", "я", "имею", "имел",
    "имела", "в", "виду",
    "это", "про", "который-то", "нет", "этот", "эту", "да", "yes", "maven", "мавен", "пункт",
})  # fmt: skip


def chosen(words: Sequence[Word], options: Sequence[Option]) -> Option | None:
    """The option a text picks: by number, ordinal, or words that only one option has."""
    number = ordinal(words, len(options))
    if number is not None:
        return options[number]
    content = _content(words)
    if not content:
        return None
    fitting = [option for option in options if all(_has(option, word) for word in content)]
    return fitting[0] if len(fitting) == 1 else None


def ordinal(words: Sequence[Word], count: int) -> int | None:
    """Which of `count` things a text means by nothing but a number, from zero."""
    return _number(_content(words) or [word.folded for word in words], count)


def _content(words: Sequence[Word]) -> list[str]:
    return [word.folded for word in words if word.folded not in _EMPTY]


def _number(words: list[str], count: int) -> int | None:
    if len(words) != 1:
        return None
    word = words[0].rstrip(".)")
    if word in _LAST:
        return count - 1
    number = re.match(r"^(\d{1,2})(?:-?(?:st|nd|rd|th|й|я|е|ю|ый|ую|ая|ое))?$", word)
    if number:
        index = int(number[1]) - 1
        return index if 0 <= index < count else None
    for index, names in enumerate(_ORDINALS[:count]):
        stem = names[-1]
        if word in names[:-1] or (
            word.startswith(stem) and _ORDINAL_ENDINGS.match(word[len(stem) :])
        ):
            return index
    return None


def _has(option: Option, word: str) -> bool:
    texts = (*option.names.values(), *option.words, option.hint)
    own = {piece for text in texts for piece in re.findall(r"\w+", fold(text))}
    return any(same_word(word, piece) for piece in own)


_LATIN_OF = str.maketrans(
    {
        "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ж": "zh", "з": "z", "и": "i",
        "й": "y",
        "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t",
        "у": "u",
        "ф": "f", "х": "h", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "sch", "ъ": "", "ы": "y",
        "ь": "", "э": "e",
        "ю": "yu", "я": "ya", "c": "k", "w": "v", "q": "k", "x": "ks",
    }
)  # fmt: skip


def same_word(one: str, other: str) -> bool:
    """Whether two words may be forms of one: a common stem in either alphabet.

    It only ever picks among things already offered, so it may be generous.
    """
    left, right = _skeleton(one), _skeleton(other)
    if left == right:
        return True
    common = 0
    for a, b in zip(left, right, strict=False):
        if a != b:
            break
        common += 1
    shorter, longer = sorted((len(left), len(right)))
    return common >= 3 and common >= shorter - 2 and longer - common <= 3


def _skeleton(word: str) -> str:
    latin = word.translate(_LATIN_OF)
    return re.sub(r"(.)\1", r"\1", latin)

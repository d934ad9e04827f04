"""Yes, no and which one: a closed grammar, because consent is never guessed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from maven.domain.dialogue import Option
from maven.domain.utterance import Word, fold

_YES = frozenset({
    "yes", "yep", "yeah", "yup", "sure", "confirm", "i confirm", "confirmed", "go ahead", "do it",
    "go for it",
    "proceed", "yes do it", "of course", "absolutely", "let us do it", "affirmative", "go",
    "да", "ага", "угу", "давай", "подтверждаю", "подтвердить", "подтверди", "конечно", "делай",
    "поехали",
    "валяй", "действуй", "так точно", "разумеется", "давай делай", "выполняй",
})  # fmt: skip
_YES_IF_ASKED = frozenset({
    "ok", "okay", "fine", "right", "correct", "that is correct", "good", "alright",
    "ок", "окей", "хорошо", "ладно", "верно", "именно", "правильно", "согласен", "согласна",
})  # fmt: skip
"""Yes as an answer, and small talk otherwise."""
_NO = frozenset({
    "no", "nope", "nah", "do not", "don't", "dont", "don't do it", "do not do it", "not now",
    "not right now",
    "better not", "no way", "never", "negative", "i do not want to", "i don't want to", "no need",
    "нет", "не", "неа", "не надо", "не нужно", "не стоит", "лучше не стоит", "лучше не надо",
    "не сейчас",
    "ни в коем случае", "не хочу", "не делай", "не делай этого", "нельзя", "не перезапускай",
    "не подтверждаю",
})  # fmt: skip
_CANCEL = frozenset({
    "cancel", "cancel it", "cancel that", "stop", "stop it", "abort", "forget it", "never mind",
    "nevermind",
    "отмена", "отмени", "отмени это", "отменить", "стой", "стоп", "отбой", "забудь", "хватит",
    "прекрати",
    "отставить", "не важно", "неважно",
})  # fmt: skip
_FILLER = frozenset({
    "maven", "мавен", "well", "oh", "so", "then", "that", "it", "now", "just", "thanks", "thank",
    "you", "ну",
    "уж", "же", "все", "тогда", "пусть", "это", "спасибо", "наверное", "лучше", "и", "а", "ой",
    "сейчас",
})  # fmt: skip
_LONGEST = 5

Verdict = Literal["yes", "no", "cancel"]


@dataclass(frozen=True, slots=True)
class Said:
    """What a text says as an answer to a question of ours."""

    verdict: Verdict | None = None
    is_weak: bool = False
    """It is a yes only where something was asked."""
    is_mixed: bool = False
    """It begins as an answer and goes on with something else."""


def answer_of(words: Sequence[Word]) -> Said:
    """Yes, no, cancel, or none of them; anything beside the grammar makes it none."""
    folded = [word.folded for word in words]
    parts: set[str] = set()
    at = 0
    while at < len(folded):
        for length in range(min(_LONGEST, len(folded) - at), 0, -1):
            kind = _kind(" ".join(folded[at : at + length]))
            if kind:
                parts.add(kind)
                at += length
                break
        else:
            return Said(None, is_mixed=bool(parts - {"filler"}))
    parts.discard("filler")
    if "cancel" in parts:
        return Said("cancel")
    if "no" in parts:
        return Said("no")
    if "yes" in parts:
        return Said("yes")
    return Said("yes", is_weak=True) if parts else Said(None)


def _kind(phrase: str) -> str:
    kinds = (
        ("no", _NO),
        ("cancel", _CANCEL),
        ("yes", _YES),
        ("weak", _YES_IF_ASKED),
        ("filler", _FILLER),
    )
    return next((kind for kind, phrases in kinds if phrase in phrases), "")


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
    "это", "про", "который-то", "нет", "не", "этот", "эту", "да", "yes", "maven", "мавен", "пункт",
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

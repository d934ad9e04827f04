"""What counts as yes and as no: closed lists that Maven and its channels share, never a guess."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

_YES = frozenset({
    "yes", "y", "yep", "yup", "yeah", "sure", "confirm", "i confirm", "confirmed", "go ahead",
    "do it", "go for it", "proceed", "of course", "absolutely", "affirmative",
    "да", "д", "ага", "угу", "давай", "подтверждаю", "подтвердить", "подтверди", "конечно", "делай",
    "поехали", "валяй", "действуй", "так точно", "разумеется", "выполняй",
})  # fmt: skip
_WEAK = frozenset({
    "ok", "okay", "k", "fine", "right", "correct", "that is correct", "that's correct", "good",
    "alright", "all right", "great", "cool", "go", "i guess",
    "ок", "окей", "хорошо", "ладно", "верно", "именно", "правильно", "согласен", "согласна",
    "пусть", "можно", "отлично", "годится", "пойдет",
})  # fmt: skip
"""What people also say when they agree to nothing in particular; it never confirms."""
_IRONIC = frozenset({
    "yeah sure", "sure sure", "yeah yeah", "yeah of course", "ага да", "ага ага",
    "ага конечно", "угу конечно", "ага давай", "угу угу",
})  # fmt: skip
"""Said together these mean no as often as yes."""
_NO = frozenset({
    "no", "n", "nope", "nah", "do not", "don't", "dont", "not now", "not right now", "better not",
    "rather not", "i would rather not", "no way", "never", "negative", "i do not want to",
    "i don't want to", "i do not want it", "i don't want it", "no need", "please don't", "not yet",
    "нет", "н", "не", "неа", "не надо", "не нужно", "не стоит", "не сейчас", "не сегодня",
    "не хочу", "не делай", "не делай этого", "не буду", "не будем", "нельзя", "не подтверждаю",
    "ни в коем случае", "ни за что", "пока не надо", "никогда",
})  # fmt: skip
_CANCEL = frozenset({
    "cancel", "cancel it", "cancel that", "stop", "stop it", "abort", "forget it", "never mind",
    "nevermind", "nvm",
    "отмена", "отмени", "отмени это", "отменить", "отменяй", "стой", "стоп", "отбой", "забудь",
    "хватит", "прекрати", "отставить", "не важно", "неважно", "передумал", "передумала",
    "я передумал", "я передумала",
})  # fmt: skip
_COURTESY = frozenset({
    "please", "pls", "plz", "kindly", "maven",
    "пожалуйста", "пожалуста", "плиз", "пж", "пжлст", "мавен", "мэйвен",
})  # fmt: skip
_FILLER = frozenset({
    "well", "oh", "so", "then", "that", "this", "it", "now", "just", "do", "thanks", "thank", "you",
    "actually", "yet",
    "ну", "уж", "же", "все", "тогда", "это", "этого", "спасибо", "наверное", "лучше", "и",
    "а", "ой", "сейчас", "пока",
})  # fmt: skip
"""What may stand beside a no, which does nothing, and never beside a yes."""
_ORDERS: dict[str, frozenset[str]] = {
    "restart": frozenset({
        "restart", "reboot", "перезапусти", "перезапускай", "перезапустить", "перезагрузи",
        "перезагружай", "рестартни", "рестартуй",
    }),
}  # fmt: skip
"""How each action is named beside a yes to it."""
_PRONOUNS = frozenset({"it", "him", "her", "его", "ее", "их", "это"})
_LONGEST = 5
_WORDS = re.compile(r"[\w'-]+")
_BESIDE_A_YES = re.compile(r"[\w\s'-]|[,!«»\"“”„]|\.(?!\.)")
"""Signs that may stand in a plain yes: a smile or a doubtful row of dots is not among them."""
_CYRILLIC = re.compile(r"[а-я]")
_ENDINGS = frozenset({"", "а", "я", "у", "ю", "ы", "и", "о", "е", "ь"})
"""Of a Russian name as what an order acts on."""

Meaning = Literal["yes", "no", "cancel", "weak", "mixed", "none"]


@dataclass(frozen=True, slots=True)
class Asked:
    """What a yes would do, as far as words beside it may name it again."""

    action: str = ""
    names: tuple[str, ...] = ()
    """Of what it is done to, in any language."""


NOTHING = Asked()


def meaning_of(text: str, asked: Asked = NOTHING) -> Meaning:
    """What a text says as an answer to a question of Maven's.

    `weak` agrees without saying yes; `mixed` begins as a yes, or asks for one, and is none; `none`
    is no answer at all. Only words of the closed list, courtesy, and the very action asked about
    make a yes.
    """
    folded = _folded(text)
    words = _WORDS.findall(folded)
    kinds, taken = _kinds(words)
    if not kinds - {"courtesy", "filler"}:
        return "none"
    if taken < len(words):
        if "yes" not in kinds:
            return "none"
        again = kinds <= {"yes", "courtesy"} and _names_again(words[taken:], asked)
        return "yes" if again and _is_plain(folded) else "mixed"
    if kinds & {"no", "cancel"}:
        if "?" in folded:
            return "mixed"
        return "cancel" if "cancel" in kinds else "no"
    if "yes" not in kinds:
        return "weak"
    is_plain = kinds <= {"yes", "courtesy"} and _is_plain(folded)
    said = " ".join(word for word in words if word not in _COURTESY)
    return "yes" if is_plain and said not in _IRONIC else "mixed"


def is_plain_yes(text: str, asked: Asked = NOTHING) -> bool:
    """Whether a person said yes and nothing else; a question is never a yes."""
    return meaning_of(text, asked) == "yes"


def is_named(text: str, names: Sequence[str]) -> bool:
    """Whether a text is one of these names as an order says it."""
    said = _WORDS.findall(_folded(text))
    return bool(said) and any(_is_name(said, _WORDS.findall(_folded(name))) for name in names)


def _kinds(words: list[str]) -> tuple[set[str], int]:
    """The kinds of the phrases a text begins with, and how many words they take."""
    kinds: set[str] = set()
    at = 0
    while at < len(words):
        for length in range(min(_LONGEST, len(words) - at), 0, -1):
            kind = _kind(" ".join(words[at : at + length]))
            if kind:
                kinds.add(kind)
                at += length
                break
        else:
            break
    return kinds, at


def _kind(phrase: str) -> str:
    kinds = (
        ("no", _NO),
        ("cancel", _CANCEL),
        ("yes", _YES),
        ("weak", _WEAK),
        ("courtesy", _COURTESY),
        ("filler", _FILLER),
    )
    return next((kind for kind, phrases in kinds if phrase in phrases), "")


def _names_again(rest: list[str], asked: Asked) -> bool:
    words = [word for word in rest if word not in _COURTESY]
    if not words or words[0] not in _ORDERS.get(asked.action, frozenset()):
        return False
    target = words[1:]
    is_pronoun = len(target) == 1 and target[0] in _PRONOUNS
    return not target or is_pronoun or is_named(" ".join(target), asked.names)


def _is_name(said: list[str], name: list[str]) -> bool:
    return len(said) == len(name) and all(map(_is_form, said, name))


def _is_form(said: str, word: str) -> bool:
    """Whether a word is this word of a name; a Russian one may have the ending of an object."""
    if said == word:
        return True
    if not _CYRILLIC.search(word) or len(word) < 4:
        return False
    stem = word[:-1] if word[-1] in _ENDINGS | {"й"} else word
    return said.startswith(stem) and said[len(stem) :] in _ENDINGS


def _is_plain(folded: str) -> bool:
    return not _BESIDE_A_YES.sub("", folded)


def _folded(text: str) -> str:
    composed = unicodedata.normalize("NFC", text).casefold()
    return composed.replace("ё", "е").replace("’", "'").strip()

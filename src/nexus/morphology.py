"""Case forms of Russian words from the dictionary, loaded when the first such word arrives."""

from __future__ import annotations

from functools import cache
from typing import Any

from nexus.domain.endings import decline
from nexus.domain.names import fold, script_of

_INFLECTED = frozenset({"NOUN", "ADJF", "PRTF", "NUMR"})
_MOST_PARSES = 4
_SHORTEST = 3


def case_forms(word: str) -> frozenset[str]:
    """The oblique forms of a folded word; it may block, the first time for long.

    A known word keeps its number. Where the dictionary only guesses, its guesses of a plural are
    left out, since a name is rarely one, and the forms by rule are added.
    """
    if len(word) < _SHORTEST or script_of(word) != "cyrillic" or not word.isalpha():
        return frozenset()
    analyzer = _analyzer()
    is_known: bool = analyzer.word_is_known(word)
    forms: set[str] = set() if is_known else set(decline(word))
    for parse in analyzer.parse(word)[:_MOST_PARSES]:
        tag = parse.tag
        if tag.POS not in _INFLECTED or tag.case != "nomn":
            continue
        if not is_known and tag.number != "sing":
            continue
        forms.update(
            fold(form.word)
            for form in parse.lexeme
            if form.tag.number == tag.number
            and form.tag.case != "nomn"
            and form.tag.gender in {tag.gender, None}
            and form.tag.POS == tag.POS
        )
    return frozenset((forms or decline(word)) - {word})


@cache
def _analyzer() -> Any:
    import pymorphy3  # a registry without Russian names does not pay for it

    return pymorphy3.MorphAnalyzer(lang="ru")

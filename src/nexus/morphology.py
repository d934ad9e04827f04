"""Case forms of Russian words from the dictionary, loaded when the first such word arrives."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from nexus.domain.endings import decline
from nexus.domain.names import fold

_CASES = ("gent", "datv", "accs", "ablt", "loct")
_INFLECTED = frozenset({"NOUN", "ADJF", "PRTF", "NUMR"})
_MOST_PARSES = 4


def case_forms(words: Iterable[str]) -> dict[str, frozenset[str]]:
    """The oblique forms of folded words; it may block, the first time for long.

    A known word keeps its number. Where the dictionary only guesses, its guesses of a plural are
    left out, since a name is rarely one, and the forms by rule are added.
    """
    return {word: _forms_of(word) for word in words}


def _forms_of(word: str) -> frozenset[str]:
    analyzer = _analyzer()
    is_known: bool = analyzer.word_is_known(word)
    forms: set[str] = set() if is_known else set(decline(word))
    for parse in analyzer.parse(word)[:_MOST_PARSES]:
        tag = parse.tag
        if tag.POS not in _INFLECTED or tag.case != "nomn":
            continue
        if not is_known and tag.number != "sing":
            continue
        for case in _CASES:
            bent = parse.inflect({case, tag.number} if tag.number else {case})
            if bent is not None:
                forms.add(fold(bent.word))
    return frozenset(forms - {word})


@cache
def _analyzer() -> Any:
    import pymorphy3  # a registry without Russian names does not pay for it

    return pymorphy3.MorphAnalyzer(lang="ru")

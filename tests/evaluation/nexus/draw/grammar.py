"""Russian names in other cases, by pymorphy3."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pymorphy3

CASES = ("gent", "datv", "accs", "ablt", "loct")


@cache
def _analyser() -> Any:
    return pymorphy3.MorphAnalyzer(lang="ru")


@cache
def _readings(word: str) -> list[Any]:
    return _analyser().parse(word)


def _put(reading: Any, *grammemes: str) -> str | None:
    form = reading.inflect(set(grammemes))
    return form.word if form else None


def is_place(word: str) -> bool:
    """Whether the dictionary knows the word as the name of a place, in the nominative."""
    return any(
        reading.is_known and "Geox" in reading.tag and "nomn" in reading.tag
        for reading in _readings(word.lower())
    )


def _noun(word: str, wanted: tuple[str, ...] = ()) -> Any | None:
    for reading in _readings(word.lower()):
        tag = reading.tag
        is_plain = tag.POS == "NOUN" and "nomn" in tag and "Fixd" not in tag
        if is_plain and all(grammeme in tag for grammeme in wanted):
            return reading
    return None


def _like(word: str, form: str) -> str:
    return form[:1].upper() + form[1:] if word[:1].isupper() else form


def person(first: str, last: str, gender: str, case: str) -> str | None:
    """A first name and a surname of one person in a case."""
    named = _noun(first, ("Name", gender))
    for reading in _readings(last.lower()):
        if named and "Surn" in reading.tag and gender in reading.tag and "nomn" in reading.tag:
            forms = _put(named, case, "sing"), _put(reading, case, "sing")
            if forms[0] and forms[1]:
                return f"{_like(first, forms[0])} {_like(last, forms[1])}"
    return None


def phrase(text: str, case: str) -> str | None:
    """A name in a case: its adjectives and the first noun; what follows the noun stays."""
    parts = re.split(r"(\s+)", text)
    spoken = parts[::2]
    described: list[tuple[int, Any]] = []
    for position, word in enumerate(spoken):
        adjectives = [r for r in _readings(word.lower()) if r.tag.POS == "ADJF" and "nomn" in r.tag]
        noun = _noun(word)
        last = position == len(spoken) - 1
        if noun and not (adjectives and not last and position == 0 and adjectives[0].is_known):
            number, gender = str(noun.tag.number), str(noun.tag.gender)
            form = _put(noun, case, number)
            if not form:
                return None
            parts[position * 2] = _like(word, form)
            for at, adjective in described:
                wanted = [case, number] if number == "plur" else [case, number, gender]
                if case == "accs" and (number == "plur" or gender == "masc"):
                    wanted.append(str(noun.tag.animacy))
                form = _put(adjective, *wanted)
                if not form:
                    return None
                parts[at * 2] = _like(spoken[at], form)
            return "".join(parts)
        if not adjectives:
            return None
        described.append((position, adjectives[0]))
    return None

"""Hold a name against the words of a question, and say what was observed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rapidfuzz.distance import OSA

from nexus.domain.lexicon import EMPTY, concept_of
from nexus.domain.likelihood import Signs
from nexus.domain.slips import slips_between
from nexus.domain.spelling import sounds
from nexus.resolver.nearby import Near
from nexus.store.finding import Found, Name

_ALWAYS_TELLING = 0.2
"""What even the commonest word weighs."""
_SHORT_BEGINNING = 3
_BY_EAR = 0.5
"""Edits that a word which only sounds alike counts for, when words are paired."""
_FAR = {"vowel": "far_vowel", "heard": "far_heard", "quiet": "far_heard", "doubled": "far_heard"}

NearWords = Mapping[str, Mapping[str, Near]]
"""For each word asked the words of names near it."""


class Observed(NamedTuple):
    """What was observed, and which words of names were met."""

    signs: Signs
    met: frozenset[str]
    is_whole: bool
    """Whether the name has no others."""


def telling(names: int, count: int) -> float:
    """How telling a word is that so many names hold, of so many."""
    return max(_ALWAYS_TELLING, 1 - math.log(max(names, 1)) / math.log(max(count, 2)))


def observe(name: Name, words: Sequence[str], near: NearWords) -> Observed:
    """What is to be said of a name held against these words, each word used once.

    Args:
        name: the name.
        words: the words asked that say something.
        near: for each of them, the words of names near it.
    """
    pairs, at_of = _align(name, words, near)
    signs: Signs = {}
    slips = [
        _count_slips(words[place], each, signs) for place, each in pairs.items() if each.distance
    ]
    for place, each in pairs.items():
        _say_how(words[place], each, signs)
    for place, word in enumerate(words):
        if place not in pairs:
            _add(signs, _unmet(word, name.type))
    met = set(at_of.values())
    missing = [word for at, word in enumerate(name.words) if at not in met and word not in EMPTY]
    is_part = not slips and len(pairs) == len(words) and "cut" not in signs
    _say_what_is_missing(missing, signs, is_part=is_part)
    if slips:
        signs["share"] = sum(slips) / sum(map(len, words))
        signs["scattered"] = len(slips) - 1.0
        signs["accompanied"] = float(len(pairs) - len(slips))
        if any(
            each.distance and words[place] in near[words[place]] for place, each in pairs.items()
        ):
            signs["another_word"] = 1.0
    if "cut" in signs:
        signs["cut_and_more"] = float(len(slips) + len(missing))
    if len(at_of) > 1:
        order = [at_of[place] for place in sorted(at_of)]
        if order != sorted(order):
            signs["reordered"] = 1.0
    return Observed(signs, frozenset([each.lexeme.word for each in pairs.values()]), not missing)


def _say_how(word: str, near: Near, signs: Signs) -> None:
    """What had to be done to a word asked, slips apart."""
    if near.bent:
        signs["bent_in_latin" if word.isascii() else "bent"] = 1.0
    if near.crossed:
        signs["crossed_slip" if near.distance else "crossed"] = 1.0
    if near.by_ear:
        _add(signs, "by_ear")
    if near.cut:
        _add(signs, "cut", near.cut)
        if len(word) <= _SHORT_BEGINNING:
            _add(signs, "short_cut")


def _say_what_is_missing(missing: Sequence[str], signs: Signs, *, is_part: bool) -> None:
    """Which words of the name were not asked for."""
    if missing:
        signs["part" if is_part else "missing"] = 1.0 if is_part else float(len(missing))
        if any(word.isdigit() for word in missing):
            signs["missing_number"] = 1.0


def _add(signs: Signs, name: str, value: float = 1.0) -> None:
    signs[name] = signs.get(name, 0.0) + value


def _unmet(word: str, kind: str) -> str:
    """What a word asked that the name has not says of it."""
    concept = concept_of(word)
    if concept is None or not concept.types:
        return "unexplained"
    if concept.agrees_with(kind):
        return "agreeing"
    return "kindred" if concept.nearly_agrees_with(kind) else "contrary"


def _count_slips(word: str, near: Near, signs: Signs) -> int:
    """Count slips by kind and by where they are."""
    slips = slips_between(near.asked, near.known)
    amount = len(slips)
    if amount > 1:
        _add(signs, "crowded", amount - 1.0)
    if near.bent:
        signs["bent_slip"] = 1.0
    if len(word) <= 7:
        _add(
            signs,
            "in_short" if len(word) <= 4 else "in_five" if len(word) == 5 else "in_seven",
            float(amount),
        )
    if _digits(near.asked) != _digits(near.known):
        _add(signs, "digits")
    last = len(near.known) - 1
    for slip in slips:
        _add(signs, _FAR.get(slip.kind, "far_other") if near.crossed else slip.kind)
        if slip.place == 0:
            _add(signs, "first_letter")
        if slip.place >= last:
            _add(signs, "last_letter")
    return amount


def _align(
    name: Name, words: Sequence[str], near: NearWords
) -> tuple[dict[int, Near], dict[int, int]]:
    """Pair words asked with words of the name, the nearest first; what is left over is compared.

    Both answers are by the place of the word asked: how it met, and where in the name.
    """
    held = name.words
    ways = [
        (each.distance + each.cut + _BY_EAR * each.by_ear, place, at, each)
        for place, word in enumerate(words)
        for at, known in enumerate(held)
        if (each := near[word].get(known)) is not None
    ]
    ways.sort()  # no two have the same places, so how they met is never compared
    pairs: dict[int, Near] = {}
    at_of: dict[int, int] = {}
    used: set[int] = set()
    for _, place, at, each in ways:
        if place not in pairs and at not in used:
            pairs[place] = each
            at_of[place] = at
            used.add(at)
    if pairs and len(pairs) < len(words) and len(used) < len(held):
        for place, word in enumerate(words):
            for at, known in enumerate(held):
                if place in pairs or at in used:
                    continue
                each = _compared(word, known)
                if each is not None:
                    pairs[place] = each
                    at_of[place] = at
                    used.add(at)
    return pairs, at_of


def _compared(word: str, held: str) -> Near | None:
    """A word left over on either side, where they are much alike or one has just begun."""
    if held.startswith(word):
        return Near(_lone(held), word, word, cut=1 - len(word) / len(held))
    most = 1 if len(word) < 4 else 2 if len(word) < 7 else 3
    if word.isascii() == held.isascii():
        distance = OSA.distance(word, held, score_cutoff=most)
        if distance <= most and distance < max(len(word), len(held)):
            return Near(_lone(held), word, held, distance)
        return None
    best: Near | None = None
    for one in sounds(word):
        for other in sounds(held):
            distance = OSA.distance(one, other, score_cutoff=most)
            if (
                distance <= most
                and distance < len(one)
                and (best is None or distance < best.distance)
            ):
                best = Near(_lone(held), one, other, distance, crossed=True)
    return best


def _lone(word: str) -> Found:
    return Found("", 0, word, (), (), 1)


def _digits(word: str) -> str:
    return "" if word.isalpha() else "".join([each for each in word if each.isdigit()])

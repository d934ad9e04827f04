"""Words of names that are near a word asked: mistyped, misheard, or not typed to the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from nexus.domain.endings import undecline
from nexus.domain.keys import farther_keys, near_keys
from nexus.domain.spelling import sounds
from nexus.resolver.asked import Asked
from nexus.store.finding import Found, NameReader

_MOST_NEAR = 2000
_MOST_FARTHER = 2000
"""Words looked at, before they are measured, one slip away and two."""
_MOST_HEARD = 18
_MOST_KEPT = 12
_MOST_BEGUN = 15
_SHORTEST_BEGINNING = 3


class Near(NamedTuple):
    """A word of names that a word asked may have been meant for."""

    lexeme: Found
    asked: str
    """What was compared: the word, or how it sounds."""
    known: str
    """With what: the word of the name, one of its forms, or how it sounds."""
    distance: int = 0
    """Letters added, missed, exchanged, or swapped with the next."""
    bent: bool = False
    crossed: bool = False
    by_ear: bool = False
    cut: float = 0.0
    """Share of its letters that were not typed."""


class Nearby:
    """For each word of a question the words of names near it, the nearest kept."""

    def __init__(
        self, reader: NameReader, asked: Asked, words: Sequence[str], mistakable: Sequence[str]
    ) -> None:
        """Look near these words.

        Args:
            reader: the names.
            asked: what the words may stand for without a slip.
            words: the words, the last of which may not be typed to its end.
            mistakable: those in which there may be a slip.
        """
        self._near: dict[str, dict[str, Near]] = {word: {} for word in words}
        self._plain(asked)
        self._begun(reader, words[-1])
        self._slipped(reader, mistakable)

    def of(self, word: str) -> dict[str, Near]:
        """The words of names near a word asked."""
        return self._near[word]

    def _plain(self, asked: Asked) -> None:
        for word, near in self._near.items():
            for name, option in asked.options(word).items():
                manner = option.manner
                near[name] = Near(
                    option.lexeme,
                    word,
                    word,
                    bent=manner.bent,
                    crossed=manner.crossed,
                    by_ear=option.by_ear,
                )

    def _begun(self, reader: NameReader, word: str) -> None:
        if len(word) < _SHORTEST_BEGINNING:
            return
        near = self._near[word]
        for found in reader.beginning(word, _MOST_BEGUN):
            near.setdefault(
                found.word, Near(found, word, word, cut=1 - len(word) / len(found.word))
            )
        for sound in sorted(sounds(word))[:1]:
            for found in reader.sounding(sound, _MOST_BEGUN):
                if found.word.isascii() != word.isascii():
                    cut = max(0.05, 1 - len(sound) / len(found.sounds[0]))
                    near.setdefault(found.word, Near(found, sound, sound, crossed=True, cut=cut))

    def _slipped(self, reader: NameReader, mistakable: Sequence[str]) -> None:
        is_alone = len(mistakable) == 1
        words = [word for word in mistakable if is_alone or word not in self._near[word]]
        one_slip = {word: near_keys(word) for word in words}
        self._look(reader, one_slip, _MOST_NEAR)
        unmet = [
            word
            for word in words
            if not any(each.distance < 2 for each in self._near[word].values())
        ]
        two_slips = {word: farther_keys(word) - one_slip[word] for word in unmet}
        self._look(reader, two_slips, _MOST_FARTHER)

    def _look(self, reader: NameReader, keys: Mapping[str, set[str]], most: int) -> None:
        every: set[str] = set()
        around = reader.sounding_near(every.union(*keys.values()), most)
        if not around:
            return
        owners = [lexeme_id for lexeme_id, _ in around]
        known = [sound for _, sound in around]
        reach = {word: _within_earshot(_heard(word), known, owners, word) for word in keys}
        ids: set[int] = set()
        lexemes = {found.lexeme_id: found for found in reader.these(ids.union(*reach.values()))}
        for word in keys:
            near = self._near[word]
            for each in _nearest(word, [lexemes[lexeme_id] for lexeme_id in reach[word]]):
                before = near.get(each.lexeme.word)
                if before is None or (before.cut and each.distance < 4 * before.cut):
                    near[each.lexeme.word] = each


def _heard(word: str) -> list[str]:
    """How a word sounds, and how what it may be a case form of does; its own sounds first."""
    bases = () if word.isascii() else undecline(word)
    every = [sound for each in (word, *bases) for sound in sorted(sounds(each))]
    return list(dict.fromkeys(every))


def _within_earshot(
    heard: Iterable[str], known: Sequence[str], owners: Sequence[int], word: str
) -> list[int]:
    """The lexemes that sound near enough to be looked at, the nearest where they are many."""
    nearest: dict[int, float] = {}
    for sound in heard:
        for _, distance, place in process.extract(
            sound, known, scorer=OSA.distance, score_cutoff=_most_edits(word) + 2, limit=_MOST_HEARD
        ):
            owner = owners[place]
            nearest[owner] = min(distance, nearest.get(owner, distance))
    return sorted(nearest, key=nearest.__getitem__)[:_MOST_HEARD]


def _most_edits(word: str) -> int:
    return 1 if len(word) < 4 else 2 if len(word) < 9 else 3


def _nearest(word: str, lexemes: Iterable[Found]) -> list[Near]:
    """The lexemes within a few edits, the nearest first."""
    most = _most_edits(word)
    near: dict[str, Near] = {}
    alike: list[tuple[str, Found]] = []
    across: list[tuple[str, Found]] = []
    for found in lexemes:
        if found.word.isascii() == word.isascii():
            alike += ((known, found) for known in (found.word, *found.forms))
        else:
            across += ((known, found) for known in found.sounds)
            across += ((known, found) for form in found.forms for known in sorted(sounds(form)))
    _measure(word, alike, most, near, bent=False)
    if across:
        plain = sounds(word)
        for sound in _heard(word):
            _measure(sound, across, most, near, bent=sound not in plain)
    ranked = sorted(near.values(), key=lambda each: (each.distance, each.lexeme.word))
    return ranked[:_MOST_KEPT]


def _measure(
    asked: str,
    known: Sequence[tuple[str, Found]],
    most: int,
    near: dict[str, Near],
    *,
    bent: bool,
) -> None:
    """Keep what is within reach of the asked text, each lexeme by what lies nearest."""
    for text, distance, place in process.extract(
        asked, [each for each, _ in known], scorer=OSA.distance, score_cutoff=most, limit=None
    ):
        found = known[place][1]
        before = near.get(found.word)
        if before is None or distance < before.distance:
            crossed = text != found.word and text not in found.forms
            near[found.word] = Near(
                found,
                asked,
                text,
                int(distance),
                bent=bent or text in found.forms,
                crossed=crossed,
                by_ear=crossed and not distance,
            )

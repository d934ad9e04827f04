"""The words of a question, and the words of names that each may stand for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import msgspec

from nexus.domain.endings import bare_stem
from nexus.domain.keys import BENT_SOUND, CONCEPT, EAR, FORM, SOUND, WORD, plain_keys, unbent_keys
from nexus.domain.lexicon import concept_of
from nexus.domain.match import Manner
from nexus.domain.names import script_of
from nexus.domain.spelling import sounds
from nexus.store.finding import Found, NameReader

_MOST_LEXEMES = 2000

Options = dict[str, "Option"]
"""Words of names, and how each meets the word asked."""


class Option(msgspec.Struct, frozen=True):
    """A word of names that a word of the question may stand for, and by which rule."""

    lexeme: Found
    manner: Manner
    by_ear: bool = False
    """It only sounds alike to a foreign ear, which is never certain."""


class Asked:
    """What the words of one question may stand for; each word is looked up once."""

    def __init__(self, reader: NameReader) -> None:
        self._reader = reader
        self._options: dict[str, Options] = {}

    @cached_property
    def names(self) -> int:
        """About how many names there are."""
        return self._reader.count()

    def about(self, words: Iterable[str]) -> None:
        """Look up these words together."""
        by_word = {word: plain_keys(word) for word in words if word not in self._options}
        if not by_word:
            return
        keys: set[str] = set()
        by_key: dict[str, list[Found]] = {}
        for found in self._reader.lexemes(keys.union(*by_word.values()), _MOST_LEXEMES):
            by_key.setdefault(found.key, []).append(found)
        for word in by_word:
            self._options[word] = _options(word, by_key)

    def options(self, word: str) -> Options:
        """The words of names that this word may stand for, each by the nearest rule."""
        if word not in self._options:
            self.about([word])
        return self._options[word]

    def of(self, words: Sequence[str]) -> list[Options]:
        """The same for each of several words."""
        self.about(words)
        return [self._options[word] for word in words]


def _options(word: str, by_key: dict[str, list[Found]]) -> Options:
    """The farthest rule first, so that a nearer one takes its place."""
    options: Options = {}
    script = script_of(word)

    def take(keys: Iterable[str], manner: Manner, *, across: bool = False) -> None:
        for key in keys:
            for found in by_key.get(key, ()):
                if not across or script_of(found.word) not in {script, "mixed", "other"}:
                    options[found.word] = Option(found, manner, by_ear=key[0] == EAR)

    if script in {"latin", "cyrillic"}:
        heard = sounds(word)
        bent = Manner(bent=True, crossed=True)
        if script == "cyrillic":
            unbent = sorted(unbent_keys(word))  # by ear before by sound, which takes its place
            take(unbent, bent, across=True)
            take((EAR + sound for sound in heard), Manner(crossed=True), across=True)
        take((BENT_SOUND + sound for sound in heard), bent, across=True)
    if (concept := concept_of(word)) is not None:
        manner = Manner(crossed=True, bent=word not in concept.words)
        take([CONCEPT + concept.name], manner)
    if (stem := bare_stem(word)) is not None:
        take([WORD + stem], Manner(bent=True))
    take([FORM + word], Manner(bent=True))
    if script in {"latin", "cyrillic"}:
        take((SOUND + sound for sound in sounds(word)), Manner(crossed=True), across=True)
    take([WORD + word], Manner())
    return options

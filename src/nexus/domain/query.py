"""What a question may be made of: the words of a name, around them words for the kind of thing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from nexus.domain.lexicon import EMPTY, Concept, concept_of
from nexus.domain.names import Words, readings

LONGEST = 12
"""Words; a longer question is compared with whole names only as it stands."""
_MOST_HINTS = 3


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a question: these words name the thing, the others say its kind."""

    words: Words
    hints: tuple[Concept, ...] = ()

    def agrees_with(self, entity_type: str) -> bool:
        """Whether every kind named fits the type."""
        return all(hint.agrees_with(entity_type) for hint in self.hints)

    @property
    def content(self) -> Words:
        """The words that name something, each once."""
        return tuple(dict.fromkeys(word for word in self.words if word not in EMPTY))


def understand(text: str) -> list[Reading]:
    """Every way to read a text, the most literal first."""
    found: dict[tuple[Words, tuple[str, ...]], Reading] = {}
    for words in readings(text):
        if len(words) <= LONGEST:
            for reading in _narrowed(words):
                key = reading.words, tuple(hint.name for hint in reading.hints)
                found.setdefault(key, reading)
    return list(found.values())


def _narrowed(words: Words) -> Iterator[Reading]:
    yield Reading(words)
    telling = tuple(word for word in words if word not in EMPTY)
    if telling:
        yield Reading(telling)
    hints = [
        (at, concept)
        for at, word in enumerate(telling)
        if (concept := concept_of(word)) is not None and concept.types
    ][:_MOST_HINTS]
    for count in range(1, len(hints) + 1):
        for aside in combinations(hints, count):
            places = {at for at, _ in aside}
            rest = tuple(word for at, word in enumerate(telling) if at not in places)
            if rest:
                yield Reading(rest, tuple(concept for _, concept in aside))

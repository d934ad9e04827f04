"""What a question may be made of: the words of a name, around them words for the kind of thing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import msgspec

from nexus.domain.lexicon import EMPTY, Concept, concept_of
from nexus.domain.names import Words, readings, spellings

_LONGEST = 12
"""Words of a question that is looked at more closely than just as it stands."""
_MOST_HINTS = 3


class Reading(msgspec.Struct, frozen=True):
    """One way to read a question: these words name the thing, the others say its kind."""

    words: Words
    hints: tuple[Concept, ...] = ()
    aside: int = 0
    """How many words the question has beside these; fewer is more literal."""

    def agrees_with(self, entity_type: str) -> bool:
        """Whether every kind named fits the type."""
        return all(hint.agrees_with(entity_type) for hint in self.hints)

    @property
    def is_short(self) -> bool:
        """Whether to look at its words, and not just at the whole."""
        return len(self.words) <= _LONGEST

    @property
    def content(self) -> Words:
        """The words that name something, each once."""
        return tuple(dict.fromkeys(word for word in self.words if word not in EMPTY))


def understand(text: str) -> list[Reading]:
    """Every way to read a text, the most literal first."""
    found = {
        reading: None
        for spelling in spellings(text)
        for words in readings(spelling)
        for reading in (_narrowed(words) if len(words) <= _LONGEST else [Reading(words)])
    }
    return sorted(found, key=lambda reading: reading.aside)


def _narrowed(words: Words) -> Iterator[Reading]:
    yield Reading(words)
    last = len(words) - 1  # what stands last may be a word begun, and no article
    telling = tuple(word for at, word in enumerate(words) if word not in EMPTY or at == last)
    if telling and telling != words:
        yield Reading(telling, aside=len(words) - len(telling))
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
                concepts = tuple(concept for _, concept in aside)
                yield Reading(rest, concepts, len(words) - len(rest))

"""Names that begin with what was typed so far: for type-ahead, in either alphabet and layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nexus.domain.keyboard import switched
from nexus.domain.lexicon import is_of_type
from nexus.domain.match import Match, Tier, best
from nexus.domain.names import Words, readings
from nexus.domain.spelling import sounds
from nexus.store.finding import Name, NameReader
from nexus.store.indexing import SUGGESTED

_MOST = 60
_MOST_WORDS = 8
_WHOLE, _BEGUN, _INSIDE, _HEARD = 8.0, 6.0, 5.0, 4.0
"""Log-odds: the whole name, its beginning, a later word of it, only by sound."""


def beginning_with(reader: NameReader, prefix: str, types: Sequence[str]) -> list[Match]:
    """Entities whose name begins so, the plainest first."""
    found: list[Match] = []
    for spelling in filter(None, (prefix, switched(prefix))):
        for words in readings(spelling):
            found += (
                Match(
                    name.entity_id,
                    name.type,
                    "exact" if odds == _WHOLE else "partial",
                    Tier.NEAR,
                    name.text,
                    likelihood=odds - len(name.text) / 200,
                )
                for odds, name in _begun(reader, words[:_MOST_WORDS])
                if name.standing > SUGGESTED and (not types or is_of_type(name.type, types))
            )
        if found:
            break
    return best(found)


def _begun(reader: NameReader, words: Words) -> Iterator[tuple[float, Name]]:
    typed = " ".join(words)
    for name in reader.starting(typed, _MOST):
        yield (_WHOLE if name.words == words else _BEGUN), name
    *before, last = words
    begun = reader.beginning(last, _MOST)
    lexemes = [found.lexeme_id for found in (*reader.exactly(last), *begun)]
    for name in reader.holding(lexemes, _MOST):
        if all(word in name.words for word in before):
            yield _INSIDE, name
    heard = [
        found for sound in sounds(last) if len(sound) > 1 for found in reader.sounding(sound, _MOST)
    ]
    other = [found.lexeme_id for found in heard if found.word.isascii() != last.isascii()]
    for name in reader.holding(other, _MOST):
        if len(words) == 1:
            yield _HEARD, name

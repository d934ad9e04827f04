"""The read model of names: every way to say a name leads to it through a hash key.

A *lexeme* is a distinct word of some name. The words of a question lead to lexemes (as written,
bent, by sound, by meaning), and the lexemes together lead to whole names, so that the cost follows
the question and not the number of entities.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain, islice, product
from typing import NamedTuple

from nexus.contract import Entity, Grade
from nexus.domain.endings import decline
from nexus.domain.lexicon import EMPTY, concept_of, is_of_type
from nexus.domain.names import Words, join, readings, script_of
from nexus.domain.query import Reading, understand
from nexus.domain.resolve import TIERS, Known, Match, best
from nexus.domain.spelling import SHORTEST, is_near, shortened, sounds
from nexus.postings import Postings

Options = dict[str, Grade]
"""Lexemes that a word of the question may mean, and by which rule."""

_MOST_WAYS = 2048
"""Combinations of lexemes tried for one reading; with more, what is found is only shown."""
_MOST_FOUND = 100
"""Names taken from one key; more than two alike are ambiguous however many there are."""
_MOST_SCANNED = 2000
"""Names looked at for one partial question."""
_LONGEST_SLIP = 40
"""Letters of a word that is still compared with a slip of the finger in mind."""
_LONGEST_SPAN = 4


@dataclass(frozen=True, slots=True)
class _Name:
    entity_id: str
    text: str
    words: Words
    is_verified: bool


class _Found(NamedTuple):
    name: _Name
    grade: Grade
    loose: bool = False


class NameIndex:
    """Names of entities, found by what people say."""

    def __init__(self) -> None:
        self._entities: dict[str, Known] = {}
        self._externals_of: dict[str, list[tuple[str, str]]] = {}
        self._names_of: dict[str, list[_Name]] = {}
        self._forms_of: dict[str, frozenset[str]] = {}
        self._wholes: Postings[Words, _Name] = Postings()
        self._literals: Postings[str, _Name] = Postings()
        self._joined_sounds: Postings[str, _Name] = Postings()
        self._holders: Postings[str, _Name] = Postings()
        self._by_form: Postings[str, str] = Postings()
        self._by_sound: Postings[str, str] = Postings()
        self._by_concept: Postings[str, str] = Postings()
        self._by_slip: Postings[str, str] = Postings()
        self._by_external: Postings[str, str] = Postings()

    def unbent(self, entities: Iterable[Entity]) -> set[str]:
        """Words of these entities whose dictionary forms `put` would like to know."""
        return {
            word
            for entity in entities
            for text, _ in _texts(entity)
            for words in readings(text)
            for word in words
            if word not in self._forms_of and len(word) >= SHORTEST and word.isalpha()
            if script_of(word) == "cyrillic"
        }

    def put(self, entity: Entity, forms: Mapping[str, frozenset[str]]) -> None:
        """Know this entity as it is now.

        Args:
            entity: the entity; one that is not active has no names here, only its ids.
            forms: dictionary forms of the words that `unbent` named.
        """
        entity_id = entity.entity_id
        known = {
            word: self._forms_of[word]
            for name in self._names_of.get(entity_id, ())
            for word in name.words
        }
        self._forget(entity_id)
        self._entities[entity_id] = Known(
            entity_id=entity_id,
            type=entity.type,
            names=entity.names,
            revision=entity.revision,
            active=entity.status == "active",
        )
        self._externals_of[entity_id] = [
            (each.system, each.external_id) for each in entity.external
        ]
        for system, external_id in self._externals_of[entity_id]:
            self._by_external.add(external_id, entity_id)
            self._by_external.add(f"{system}:{external_id}", entity_id)
        names = [
            _Name(entity_id, text, words, is_verified)
            for text, is_verified in (_texts(entity) if entity.status == "active" else ())
            for words in readings(text)
        ]
        self._names_of[entity_id] = names
        for name in names:
            self._add(name, {**known, **forms})

    def find(self, text: str, types: Sequence[str] = ()) -> list[Match]:
        """Every entity the text may name, each by its nearest match."""
        verbatim = self._verbatim(text.strip(), types)
        if any(match.plain for match in verbatim):
            return best(verbatim)
        literal = [
            match
            for words in readings(text)
            for match in self._matches(self._literals.of(join(words)), "exact", types)
        ]
        if any(not match.loose for match in (*verbatim, *literal)):
            return best([*verbatim, *literal])
        understood = understand(text)
        found = literal
        for way in (self._whole, self._partial):
            for reading in understood:
                options = [self._options(word) for word in reading.words]
                found += way(reading, options, types)
            if any(match.tier < TIERS["partial"] for match in found):
                break
        if not found:
            found = [match for reading in understood for match in self._slipped(reading, types)]
        if not found and understood:
            found = list(self._mentioned(understood[0], types))
        return best(found)

    def _verbatim(self, text: str, types: Sequence[str]) -> list[Match]:
        found: list[Match] = []
        if (entity := self._entities.get(text)) is not None:
            found.append(Match(entity, "id", text))
        for entity_id in self._by_external.of(text):
            owned = self._externals_of[entity_id]
            plain = any(text == f"{system}:{external_id}" for system, external_id in owned)
            found.append(Match(self._entities[entity_id], "external", text, plain=plain))
        return [match for match in found if not types or is_of_type(match.entity.type, list(types))]

    def _matches(
        self, names: Iterable[_Name], grade: Grade, types: Sequence[str], *, loose: bool = False
    ) -> list[Match]:
        matches: list[Match] = []
        for name in names:
            entity = self._entities[name.entity_id]
            if types and not is_of_type(entity.type, list(types)):
                continue
            loose_name = loose or not name.is_verified
            matches.append(
                Match(entity, "partial" if loose_name else grade, name.text, loose=loose_name)
            )
            if len(matches) >= _MOST_FOUND:
                break
        return matches

    def _options(self, word: str) -> Options:
        """The lexemes a word may mean, each by the nearest rule."""
        options: Options = {}
        if (concept := concept_of(word)) is not None:
            options.update(dict.fromkeys(self._by_concept.of(concept.name), "transliterated"))
        script = script_of(word)
        if script in {"latin", "cyrillic"}:
            for sound in sounds(word):
                for lexeme in self._by_sound.of(sound):
                    if script_of(lexeme) not in {script, "mixed"}:
                        options[lexeme] = "transliterated"
        options.update(dict.fromkeys(self._by_form.of(word), "inflected"))
        if self._holders.of(word):
            options[word] = "exact"
        return options

    def _whole(
        self, reading: Reading, options: Sequence[Options], types: Sequence[str]
    ) -> Iterator[Match]:
        """Names that consist of the reading's words, in any order."""
        joined = join(reading.words)
        pair = {"latin", "cyrillic"}
        found = chain(
            (_Found(name, "exact") for name in self._literals.of(joined)),
            (
                _Found(name, "transliterated")
                for sound in sounds(joined)
                for name in self._joined_sounds.of(sound)
                if {script_of(joined), script_of(name.text)} == pair
            ),
            self._combined(options),
        )
        matches = (
            match
            for name, grade, loose in found
            for match in self._matches(
                [name], grade if self._agrees(reading, name) else "partial", types, loose=loose
            )
        )
        yield from islice(matches, _MOST_FOUND)

    def _combined(self, options: Sequence[Options]) -> Iterator[_Found]:
        """Names made of one lexeme for each word."""
        crowded = math.prod(map(len, options)) > _MOST_WAYS
        for way in islice(product(*(each.items() for each in options)), _MOST_WAYS):
            words = tuple(lexeme for lexeme, _ in way)
            grade = reduce(_weaker, (grade for _, grade in way))
            for name in self._wholes.of(tuple(sorted(words))):
                in_order = name.words == words
                yield _Found(name, grade if in_order else _weaker(grade, "reordered"), crowded)

    def _partial(
        self, reading: Reading, options: Sequence[Options], types: Sequence[str]
    ) -> Iterator[Match]:
        """Names that hold all the reading's words, and others."""
        by_word = dict(zip(reading.words, options, strict=True))
        asked = [by_word[word] for word in reading.content if len(word) > 1]
        if not asked or not all(asked):
            return
        counts = [sum(len(self._holders.of(word)) for word in each) for each in asked]
        rarest = asked[counts.index(min(counts))]
        holders = (name for lexeme in rarest for name in self._holders.of(lexeme))
        grade: Grade = "typo" if any("typo" in each.values() for each in asked) else "partial"
        fitting = (
            name
            for name in islice(holders, _MOST_SCANNED)
            if all(any(word in each for word in name.words) for each in asked)
            and self._agrees(reading, name)
        )
        matches = self._matches(fitting, grade, types)
        is_alone = len({match.entity.entity_id for match in matches}) == 1
        cut_short = min(counts) > _MOST_SCANNED and is_alone
        yield from (replace(match, loose=True) for match in matches) if cut_short else matches

    def _agrees(self, reading: Reading, name: _Name) -> bool:
        return reading.agrees_with(self._entities[name.entity_id].type)

    def _slipped(self, reading: Reading, types: Sequence[str]) -> Iterator[Match]:
        """Names one slip of the finger away, for showing."""
        options = [self._options(word) or self._near(word) for word in reading.words]
        if any("typo" in each.values() for each in options):
            yield from self._whole(reading, options, types)
            yield from self._partial(reading, options, types)

    def _near(self, word: str) -> Options:
        options: Options = {}
        for sound in sounds(word):
            if SHORTEST < len(sound) <= _LONGEST_SLIP:
                for key in shortened(sound):
                    for lexeme in islice(self._by_slip.of(key), _MOST_FOUND):
                        if any(is_near(sound, other) for other in sounds(lexeme)):
                            options[lexeme] = "typo"
        return options

    def _mentioned(self, reading: Reading, types: Sequence[str]) -> Iterator[Match]:
        """Names that stand somewhere in a longer question, for showing."""
        options = [self._options(word) for word in reading.words]
        for length in range(min(_LONGEST_SPAN, len(reading.words)), 0, -1):
            for start in range(len(reading.words) - length + 1):
                words = reading.words[start : start + length]
                if all(word in EMPTY or concept_of(word) for word in words):
                    continue
                for match in self._whole(Reading(words), options[start : start + length], types):
                    yield Match(match.entity, "partial", match.evidence, loose=True)

    def _add(self, name: _Name, forms: Mapping[str, frozenset[str]]) -> None:
        self._literals.add(join(name.words), name)
        self._wholes.add(tuple(sorted(name.words)), name)
        for sound in _telling(sounds(join(name.words))):
            self._joined_sounds.add(sound, name)
        for word in name.words:
            if not self._holders.of(word):
                self._forms_of[word] = forms[word] if word in forms else decline(word)
                self._know(word, adding=True)
            self._holders.add(word, name)

    def _forget(self, entity_id: str) -> None:
        for system, external_id in self._externals_of.pop(entity_id, ()):
            self._by_external.remove(external_id, entity_id)
            self._by_external.remove(f"{system}:{external_id}", entity_id)
        for name in self._names_of.pop(entity_id, ()):
            self._literals.remove(join(name.words), name)
            self._wholes.remove(tuple(sorted(name.words)), name)
            for sound in _telling(sounds(join(name.words))):
                self._joined_sounds.remove(sound, name)
            for word in name.words:
                self._holders.remove(word, name)
                if not self._holders.of(word) and word in self._forms_of:
                    self._know(word, adding=False)
                    del self._forms_of[word]
        self._entities.pop(entity_id, None)

    def _know(self, word: str, *, adding: bool) -> None:
        """Add or remove the keys of a lexeme."""
        forms = self._forms_of[word]
        heard = frozenset[str]().union(*map(sounds, (word, *forms)))
        slips = frozenset[str]().union(
            *(shortened(sound) for sound in sounds(word) if SHORTEST < len(sound) <= _LONGEST_SLIP)
        )
        concept = concept_of(word)
        for postings, keys in (
            (self._by_form, forms),
            (self._by_sound, _telling(heard)),
            (self._by_slip, slips),
            (self._by_concept, [concept.name] if concept else []),
        ):
            for key in keys:
                (postings.add if adding else postings.remove)(key, word)


def _weaker(one: Grade, other: Grade) -> Grade:
    return one if TIERS[one] > TIERS[other] else other


def _telling(heard: Iterable[str]) -> list[str]:
    return [sound for sound in heard if len(sound) >= SHORTEST]


def _texts(entity: Entity) -> list[tuple[str, bool]]:
    """Every name of an entity, and whether somebody vouches for it."""
    return [
        *((text, True) for text in entity.names.values()),
        *((alias.text, alias.origin != "suggested") for alias in entity.aliases),
    ]

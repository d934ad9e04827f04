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
from itertools import chain, groupby, islice, product

from nexus.contract import Entity
from nexus.domain.endings import decline
from nexus.domain.lexicon import EMPTY, concept_of, is_of_type
from nexus.domain.match import Known, Manner, Match, Tier, best
from nexus.domain.names import Words, join, readings, script_of
from nexus.domain.query import Reading, understand
from nexus.domain.spelling import SHORTEST, is_near, shortened, sounds
from nexus.postings import Postings

Options = dict[str, Manner]
"""Lexemes that a word of the question may mean, and by which rule."""

_MOST_WAYS = 512
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
        self._by_bent_sound: Postings[str, str] = Postings()
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
        verbatim = [match for match in self._verbatim(text.strip()) if _fits(match, types)]
        if any(match.tier <= Tier.EXTERNAL for match in verbatim):
            return best(verbatim)
        understood = understand(text)
        found = [*verbatim, *self._named(understood, types)]
        if verbatim or not _is_firm(found):
            for reading in understood:
                found += self._partial(reading, types)
        if verbatim:
            found = _contested(best(found))
        return best(found or self._resembling(understood, types))

    def _named(self, understood: Sequence[Reading], types: Sequence[str]) -> list[Match]:
        """By a whole name, leaving no more words aside than it takes to find one."""
        found: list[Match] = []
        for _, alike in groupby(understood, key=lambda reading: reading.aside):
            for reading in alike:
                whole = list(self._whole(reading, types))
                found += whole
                found += self._namesakes(reading, whole, types)
            if _is_firm(found):
                break
        return found

    def _namesakes(
        self, reading: Reading, whole: Sequence[Match], types: Sequence[str]
    ) -> Iterator[Match]:
        """Who shares a display name with what was found: «мейвен» may mean either Maven."""
        for match in islice(filter(Match.is_firm, whole), _MOST_FOUND):
            for words in (
                words for text in match.entity.names.values() for words in readings(text)
            ):
                for other in self._matches(self._literals.of(join(words)), Manner(), types):
                    if other.tier == Tier.NAME and reading.agrees_with(other.entity.type):
                        yield replace(match, entity=other.entity, evidence=other.evidence)

    def _resembling(self, understood: Sequence[Reading], types: Sequence[str]) -> list[Match]:
        """By what is near a name, or holds one; for showing."""
        slipped = [match for reading in understood for match in self._slipped(reading, types)]
        if slipped or not understood or not understood[0].is_short:
            return slipped
        return list(self._mentioned(understood[0], types))

    def _verbatim(self, text: str) -> Iterator[Match]:
        """By an id; an external id given without its system competes with names."""
        if (entity := self._entities.get(text)) is not None:
            yield Match(entity, "id", Tier.ID, text)
        for entity_id in self._by_external.of(text):
            owned = self._externals_of[entity_id]
            is_full = any(text == f"{system}:{external_id}" for system, external_id in owned)
            tier = Tier.EXTERNAL if is_full else Tier.NAME
            yield Match(self._entities[entity_id], "external", tier, text)

    def _matches(self, names: Iterable[_Name], manner: Manner, types: Sequence[str]) -> list[Match]:
        found: list[Match] = []
        for name in names:
            match = Match(self._entities[name.entity_id], manner.grade, manner.tier, name.text)
            if _fits(match, types):
                found.append(match if name.is_verified else _loose(match))
            if len(found) >= _MOST_FOUND:
                break
        return found

    def _options_of(self, reading: Reading) -> list[Options]:
        return [self._options(word) for word in reading.words] if reading.is_short else [{}]

    def _options(self, word: str) -> Options:
        """The lexemes a word may mean, each by the nearest rule."""
        options: Options = {}
        script = script_of(word)
        for sound in sounds(word) if script in {"latin", "cyrillic"} else ():
            for lexeme in self._by_bent_sound.of(sound):
                if script_of(lexeme) not in {script, "mixed"}:
                    options[lexeme] = Manner(bent=True, crossed=True)
        if (concept := concept_of(word)) is not None:
            manner = Manner(crossed=True, bent=word not in concept.words)
            options.update(dict.fromkeys(self._by_concept.of(concept.name), manner))
        options.update(dict.fromkeys(self._by_form.of(word), Manner(bent=True)))
        for sound in sounds(word) if script in {"latin", "cyrillic"} else ():
            for lexeme in self._by_sound.of(sound):
                if script_of(lexeme) not in {script, "mixed"}:
                    options[lexeme] = Manner(crossed=True)
        if self._holders.of(word):
            options[word] = Manner()
        return options

    def _whole(
        self, reading: Reading, types: Sequence[str], options: Sequence[Options] | None = None
    ) -> Iterator[Match]:
        """Names that consist of the reading's words, in any order."""
        options = options or self._options_of(reading)
        joined = join(reading.words)
        pair = {"latin", "cyrillic"}
        found = chain(
            ((name, Manner()) for name in self._literals.of(joined)),
            (
                (name, Manner(crossed=True))
                for sound in sounds(joined)
                for name in self._joined_sounds.of(sound)
                if {script_of(joined), script_of(name.text)} == pair
            ),
            self._combined(options),
        )
        crowded = math.prod(map(len, options)) > _MOST_WAYS
        matches = (
            _loose(match) if crowded else match
            for name, manner in found
            for match in self._matches(
                [name], manner if self._agrees(reading, name) else Manner(part=True), types
            )
        )
        yield from islice(matches, _MOST_FOUND)

    def _combined(self, options: Sequence[Options]) -> Iterator[tuple[_Name, Manner]]:
        """Names made of one lexeme for each word."""
        for way in islice(product(*(each.items() for each in options)), _MOST_WAYS):
            words = tuple(lexeme for lexeme, _ in way)
            for name in self._wholes.of(tuple(sorted(words))):
                manner = reduce(Manner.also, (manner for _, manner in way))
                yield name, manner.also(Manner(reordered=name.words != words))

    def _partial(
        self, reading: Reading, types: Sequence[str], options: Sequence[Options] | None = None
    ) -> Iterator[Match]:
        """Names that hold all the reading's words, and others."""
        if not reading.is_short:
            return
        by_word = dict(zip(reading.words, options or self._options_of(reading), strict=True))
        asked = [by_word[word] for word in reading.content if len(word) > 1]
        if not asked or not all(asked):
            return
        counts = [sum(len(self._holders.of(word)) for word in each) for each in asked]
        rarest = asked[counts.index(min(counts))]
        holders = (name for lexeme in rarest for name in self._holders.of(lexeme))
        slipped = any(manner.slipped for each in asked for manner in each.values())
        fitting = (
            name
            for name in islice(holders, _MOST_SCANNED)
            if all(any(word in each for word in name.words) for each in asked)
            and self._agrees(reading, name)
        )
        matches = self._matches(fitting, Manner(slipped=slipped, part=True), types)
        is_alone = len({match.entity.entity_id for match in matches}) == 1
        cut_short = min(counts) > _MOST_SCANNED and is_alone
        yield from map(_loose, matches) if cut_short else matches

    def _agrees(self, reading: Reading, name: _Name) -> bool:
        return reading.agrees_with(self._entities[name.entity_id].type)

    def _slipped(self, reading: Reading, types: Sequence[str]) -> Iterator[Match]:
        """Names one slip of the finger away, for showing."""
        words = reading.words if reading.is_short else ()
        options = [self._options(word) or self._near(word) for word in words]
        if any(manner.slipped for each in options for manner in each.values()):
            yield from self._whole(reading, types, options)
            yield from self._partial(reading, types, options)

    def _near(self, word: str) -> Options:
        return {
            lexeme: Manner(slipped=True)
            for sound in _slippery(word)
            for key in shortened(sound)
            for lexeme in islice(self._by_slip.of(key), _MOST_FOUND)
            if any(is_near(sound, other) for other in sounds(lexeme))
        }

    def _mentioned(self, reading: Reading, types: Sequence[str]) -> Iterator[Match]:
        """Names that stand somewhere in a longer question, for showing."""
        options = self._options_of(reading)
        for length in range(min(_LONGEST_SPAN, len(reading.words)), 0, -1):
            for start in range(len(reading.words) - length + 1):
                words = reading.words[start : start + length]
                if not all(word in EMPTY or concept_of(word) for word in words):
                    span = options[start : start + length]
                    yield from map(_loose, self._whole(Reading(words), types, span))

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
        concept = concept_of(word)
        for postings, keys in (
            (self._by_form, forms),
            (self._by_sound, _telling(sounds(word))),
            (self._by_bent_sound, _telling(sound for form in forms for sound in sounds(form))),
            (self._by_slip, {key for sound in _slippery(word) for key in shortened(sound)}),
            (self._by_concept, [concept.name] if concept else []),
        ):
            for key in keys:
                (postings.add if adding else postings.remove)(key, word)


def _fits(match: Match, types: Sequence[str]) -> bool:
    return not types or is_of_type(match.entity.type, types)


def _is_firm(matches: Iterable[Match]) -> bool:
    return any(map(Match.is_firm, matches))


def _loose(match: Match) -> Match:
    return replace(match, grade="typo" if match.grade == "typo" else "partial", tier=Tier.LOOSE)


def _contested(matches: Sequence[Match]) -> list[Match]:
    """An external id without its system is no more than a word that stands in other names."""
    is_word = any(match.tier == Tier.PART for match in matches)
    return [
        replace(match, tier=Tier.PART) if is_word and match.grade == "external" else match
        for match in matches
    ]


def _telling(heard: Iterable[str]) -> set[str]:
    return {sound for sound in heard if len(sound) >= SHORTEST}


def _slippery(word: str) -> list[str]:
    """Sounds long enough for a slip not to make another word of them."""
    return [sound for sound in sounds(word) if SHORTEST < len(sound) <= _LONGEST_SLIP]


def _texts(entity: Entity) -> list[tuple[str, bool]]:
    """Every name of an entity, and whether somebody vouches for it."""
    return [
        *((text, True) for text in entity.names.values()),
        *((alias.text, alias.origin != "suggested") for alias in entity.aliases),
    ]

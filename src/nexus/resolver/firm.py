"""Names met as a whole: as registered, in either alphabet, bent or with their words reordered."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import groupby, islice, product

from nexus.domain.keys import JOINED, JOINED_SOUND, telling, whole_key
from nexus.domain.lexicon import is_of_type
from nexus.domain.match import Manner, Match, Tier
from nexus.domain.names import join, readings, script_of
from nexus.domain.query import Reading
from nexus.domain.spelling import sounds
from nexus.resolver.asked import Asked, Options
from nexus.store.finding import Name, NameReader
from nexus.store.indexing import CONFIRMED, RETIRED, SUGGESTED, VOUCHED

MOST_WAYS = 256
"""Combinations of words tried for one reading; past that nothing found is certain."""
MOST_FOUND = 200
"""Names taken for one question; more than two alike are ambiguous however many there are."""
_SCRIPTS = {"latin", "cyrillic"}


def whole_names(
    reader: NameReader, asked: Asked, understood: Sequence[Reading], types: Sequence[str]
) -> list[Match]:
    """Names that are the question, with no more words left aside than it takes to find one."""
    asked.about({word for reading in understood if reading.is_short for word in reading.words})
    for _, alike in groupby(understood, key=lambda reading: reading.aside):
        found: list[Match] = []
        for reading in alike:
            whole = list(_whole(reader, asked, reading))
            named = [*whole, *_namesakes(reader, whole)]
            found += [match for match in named if reading.agrees_with(match.type)]
        fitting = [match for match in found if not types or is_of_type(match.type, types)]
        if fitting:
            return fitting
    return []


def firm(name: Name, manner: Manner) -> Match:
    """The match of a whole name that somebody vouches for."""
    is_confirmed = name.standing == CONFIRMED
    grade = "confirmed" if is_confirmed and manner.grade == "exact" else manner.grade
    return Match(
        name.entity_id,
        name.type,
        grade,
        manner.tier,
        name.text,
        is_confirmed,
        is_active=name.standing != RETIRED,
        is_respelt=manner.crossed,
    )


def _whole(reader: NameReader, asked: Asked, reading: Reading) -> Iterator[Match]:
    ways = _ways(asked.of(reading.words)) if reading.is_short else {}
    joined = join(reading.words)
    script = script_of(joined)
    heard = telling(sounds(joined)) if script in _SCRIPTS else set[str]()
    keys = {*ways, JOINED + joined, *(JOINED_SOUND + sound for sound in heard)}
    for key, name in reader.named(keys, MOST_FOUND):
        if name.standing == SUGGESTED:
            continue
        if key[0] == JOINED:
            yield firm(name, Manner())
        elif key[0] == JOINED_SOUND:
            if {script, script_of(name.text)} == _SCRIPTS:
                yield firm(name, Manner(crossed=True))
        else:
            for words, manner in ways[key]:
                yield firm(name, manner.also(Manner(reordered=name.words != words)))


def _ways(options: Sequence[Options]) -> dict[str, list[tuple[tuple[str, ...], Manner]]]:
    """By the key of a name, the words it would be made of and what had to be done to them."""
    certain = [
        [(word, option) for word, option in each.items() if not option.by_ear] for each in options
    ]
    if math.prod(map(len, certain)) > MOST_WAYS:
        return {}
    ways: dict[str, list[tuple[tuple[str, ...], Manner]]] = {}
    for way in product(*certain):
        words = tuple(word for word, _ in way)
        manner = reduce(Manner.also, (option.manner for _, option in way), Manner())
        ways.setdefault(whole_key(words), []).append((words, manner))
    return ways


def _namesakes(reader: NameReader, whole: Sequence[Match]) -> Iterator[Match]:
    """Who shares a display name with what was found: «мейвен» may mean either Maven.

    A name that says more than the one they share, as `Brent, Canada` does, tells them apart.
    """
    if not whole:
        return
    nearest = {match.entity_id: match for match in reversed(whole)}
    owners: dict[str, Match] = {}
    for entity_id, texts in reader.display_names(list(islice(nearest, MOST_FOUND))).items():
        match = nearest[entity_id]
        said = [set(words) for words in readings(match.evidence)]
        for words in (words for text in texts.values() for words in readings(text)):
            if not any(set(words) < each for each in said):
                owners.setdefault(JOINED + join(words), match)
    for key, name in reader.named(owners, MOST_FOUND):
        if name.standing >= VOUCHED:
            match = owners[key]
            yield Match(name.entity_id, name.type, match.grade, match.tier, name.text)


def verbatim(reader: NameReader, text: str, types: Sequence[str]) -> list[Match]:
    """By an id; an external id given without its system competes with names, and is like one."""
    found = [
        Match(entity_id, kind, "id", Tier.ID, text, is_active=is_active)
        for entity_id, kind, is_active in reader.by_id(text)
    ]
    for entity_id, kind, is_active, is_full in reader.by_external(text):
        tier = Tier.EXTERNAL if is_full else Tier.NAME
        if not is_full and not is_active:
            continue
        found.append(Match(entity_id, kind, "external", tier, text, is_active=is_active))
    return [match for match in found if not types or is_of_type(match.type, types)]

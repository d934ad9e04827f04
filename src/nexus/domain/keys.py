"""Keys: every way a word or a whole name may be met, as one text each, its first letter the way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from nexus.domain.ear import said_in_english
from nexus.domain.endings import bare_stem, undecline
from nexus.domain.lexicon import EMPTY, concept_of
from nexus.domain.names import Words, join, script_of
from nexus.domain.spelling import SHORTEST, consonants, sounds

WORD, SOUND, FORM, BENT_SOUND, CONCEPT, SLIP, FRAME, EAR = "wsfbcdve"
WHOLE, JOINED, JOINED_SOUND, INITIALS = "ojJa"
_REACH = 7
"""Letters of a sound, from its first, in which a slip is looked for."""
_LONGEST = 40


class Lexeme(NamedTuple):
    """A distinct word of names, and what is known of it."""

    word: str
    forms: tuple[str, ...]
    """Its case forms."""


def keys_of_lexeme(lexeme: Lexeme) -> set[str]:
    """By what a word of a name is found."""
    word, forms = lexeme
    heard = telling(sounds(word))
    keys = {WORD + word}
    keys.update(SOUND + sound for sound in heard)
    keys.update(FORM + form for form in forms)
    keys.update(BENT_SOUND + sound for form in forms for sound in telling(sounds(form)))
    if (concept := concept_of(word)) is not None:
        keys.add(CONCEPT + concept.name)
    for sound in heard:
        keys.update(SLIP + rest for rest in without(sound))
        keys.update(frame_keys(sound))
    if (by_ear := said_in_english(word)) is not None:
        keys.add(EAR + by_ear)
        keys.update(frame_keys(by_ear))
    return keys


def keys_of_name(words: Words) -> set[str]:
    """By what a whole name is found."""
    joined = join(words)
    keys = {whole_key(words), JOINED + joined}
    keys.update(JOINED_SOUND + sound for sound in telling(sounds(joined)))
    if (initials := initials_of(words)) is not None:
        keys.add(INITIALS + initials)
    return keys


def whole_key(words: Iterable[str]) -> str:
    """The key of a name made of these words in whatever order."""
    return WHOLE + " ".join(sorted(words))


def initials_of(words: Sequence[str]) -> str | None:
    """First letters of a name of several words; of one long word the way `k8s` is written."""
    telling_words = [word for word in words if word not in EMPTY]
    if len(telling_words) > 1:
        return "".join(word[0] for word in telling_words)
    if len(words) == 1 and len(words[0]) > _REACH:
        return f"{words[0][0]}{len(words[0]) - 2}{words[0][-1]}"
    return None


def plain_keys(word: str) -> set[str]:
    """What a word of a question may be, without a slip."""
    keys = {WORD + word, FORM + word}
    script = script_of(word)
    if script in {"latin", "cyrillic"}:
        for sound in telling(sounds(word)):
            keys |= {SOUND + sound, BENT_SOUND + sound, EAR + sound}
    if script == "cyrillic" and len(word) > SHORTEST:
        keys |= unbent_keys(word)
    if (stem := bare_stem(word)) is not None:
        keys.add(WORD + stem)
    if (concept := concept_of(word)) is not None:
        keys.add(CONCEPT + concept.name)
    return keys


def unbent_keys(word: str) -> set[str]:
    """What a Cyrillic word may be a case form of, by sound."""
    return {
        way + sound
        for base in undecline(word)
        for sound in telling(sounds(base))
        for way in (SOUND, EAR)
    }


def near_keys(word: str) -> set[str]:
    """What is near a word of a question."""
    heard = {sound for sound in telling(sounds(word)) if len(sound) <= _LONGEST}
    keys = {SLIP + rest for sound in heard for rest in without(sound)}
    if script_of(word) == "cyrillic":
        heard |= {sound for base in undecline(word) for sound in telling(sounds(base))}
    for sound in heard:
        keys.update(frame_keys(sound))
    return keys


def without(sound: str) -> set[str]:
    """The beginning of a sound and what is left of it without one letter, or two if it is long."""
    start = sound[:_REACH]
    lost = 0 if len(sound) < SHORTEST else 1 if len(sound) < 5 else 2
    return {
        "".join(letter for place, letter in enumerate(start) if place not in gone)
        for count in range(lost + 1)
        for gone in combinations(range(len(start)), count)
    }


def frame_keys(sound: str) -> set[str]:
    """The consonants of a sound, if they are enough to tell it from others."""
    frame = consonants(sound)
    return {FRAME + frame} if len(frame) >= SHORTEST else set()


def telling(heard: Iterable[str]) -> set[str]:
    """Sounds long enough to tell one word from another."""
    return {sound for sound in heard if len(sound) >= SHORTEST}

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
_SLIPS = 2
_LONG = 5
"""Letters of a sound from which on two slips are looked for."""
_LONGEST = 40


class Lexeme(NamedTuple):
    """A distinct word of names, and what is known of it."""

    word: str
    forms: tuple[str, ...]
    """Its case forms."""


def keys_of_lexeme(lexeme: Lexeme) -> dict[str, str]:
    """By what a word of a name is found; a key that only leads near it tells how it sounds."""
    word, forms = lexeme
    heard = telling(sounds(word))
    by_ear = said_in_english(word)
    keys: dict[str, str] = {}
    for sound in sorted(heard | ({by_ear} if by_ear else set[str]())):
        keys.update((key, sound) for key in frame_keys(sound))
    for sound in sorted(heard):
        keys.update((SLIP + rest, sound) for rest in without(sound))
    exact = {WORD + word, *(FORM + form for form in forms), *(SOUND + sound for sound in heard)}
    exact.update(BENT_SOUND + sound for form in forms for sound in telling(sounds(form)))
    if (concept := concept_of(word)) is not None:
        exact.add(CONCEPT + concept.name)
    if by_ear is not None:
        exact.add(EAR + by_ear)
    return keys | dict.fromkeys(exact, "")


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
    """What is one slip from a word of a question, or from what it may be a case form of."""
    heard = {sound for sound in telling(sounds(word)) if len(sound) <= _LONGEST}
    if script_of(word) == "cyrillic":
        heard |= {sound for base in undecline(word) for sound in telling(sounds(base))}
    keys = {SLIP + rest for sound in heard for rest in without_one(sound)}
    for sound in heard:
        keys.update(frame_keys(sound))
    return keys


def farther_keys(word: str) -> set[str]:
    """What is two slips from a word of a question, or one; few of these keys tell much."""
    heard = {sound for sound in telling(sounds(word)) if _LONG <= len(sound) <= _LONGEST}
    keys: set[str] = set()
    for sound in heard:
        left = without_two(sound)
        if len(sound) <= _REACH + _SLIPS:  # what was meant may be shorter than its reach
            keys.update(SLIP + rest for rest in left)
        if len(sound) > _REACH - _SLIPS:  # or longer
            keys.update(f"{SLIP}{rest}~{sound[-2:]}" for rest in left)
    return keys


def without(sound: str) -> set[str]:
    """The beginning of a sound and what is left of it without one letter, or two if it is long.

    What is left of a longer word without two letters tells little, so its end stands beside it.
    """
    if len(sound) < _LONG:
        return without_one(sound)
    if len(sound) <= _REACH:
        return without_two(sound)
    return without_one(sound) | {f"{rest}~{sound[-2:]}" for rest in without_two(sound)}


def without_two(sound: str) -> set[str]:
    """The beginning of a sound and what is left of it without one letter or two."""
    start = sound[:_REACH]
    return without_one(sound) | {
        f"{start[:one]}{start[one + 1 : two]}{start[two + 1 :]}"
        for one, two in combinations(range(len(start)), 2)
    }


def without_one(sound: str) -> set[str]:
    """The beginning of a sound and what is left of it without one letter."""
    start = sound[:_REACH]
    rest = {start}
    if len(sound) >= SHORTEST:
        rest.update(start[:at] + start[at + 1 :] for at in range(len(start)))
    return rest


def frame_keys(sound: str) -> set[str]:
    """The consonants of a sound, if they are enough to tell it from others."""
    frame = consonants(sound)
    return {FRAME + frame} if len(frame) >= SHORTEST else set()


def telling(heard: Iterable[str]) -> set[str]:
    """Sounds long enough to tell one word from another."""
    return {sound for sound in heard if len(sound) >= SHORTEST}

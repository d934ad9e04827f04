"""How an English word sounds to a Russian ear, in the letters that `spelling` writes sounds with.

«тандербёрд» for Thunderbird, «пайчарм» for PyCharm: rules of thumb of English reading, good enough
to propose, never to be certain.
"""

from __future__ import annotations

import re
from functools import lru_cache

_C = "[bcdfghjklmnpqrstvwxz]"
_LONG = rf"(?=[cdgklmnprstvz]e(?:{_C}|$))"
"""Before a consonant and a silent e."""
_RULES = {
    "^kn": "n",
    "^wr": "r",
    "^wa(?!y)|(?<=t)wa(?!y)": "vo",
    "wh|w": "v",
    "^chr": "hr",
    "igh": "ai",
    "ght": "t",
    "tion": "Sen",
    "sion": "Zen",
    "tch": "tC",
    "^q(?!u)": "kiu",
    "ee|ea|ey$|ie$": "i",
    "oo": "u",
    "ow|ou": "au",
    "ay|ai|ey": "ei",
    "ue(?=[a-z])|ew": "u",
    rf"a{_LONG}": "ei",
    rf"[iy]{_LONG}": "ai",
    rf"o{_LONG}": "ou",
    rf"u{_LONG}": "iu",
    rf"(?<=[aiouy][cdgklmnprstvz])e(?=(?!r$|rs$|rn){_C}|$)|(?<=[a-z]{{3}})e$": "",
    rf"(?<=^{_C})y(?={_C})": "ai",
    rf"(?:ir|ur)(?={_C}|$)": "er",
    rf"(?<!i)u(?={_C}(?:{_C}|$|[a-z]t$))": "a",
    "gu(?=[aei])": "g",
    "d?g(?=[eiy])": "dZ",
    "sh": "S",
    "ch": "C",
    "ph": "f",
    "th": "t",
    "ck": "k",
    "qu": "kv",
    "c(?=[eiy])": "s",
    "[cq]": "k",
    "x": "ks",
    "j": "dZ",
    "y": "i",
}
_READING = re.compile("|".join(f"({pattern})" for pattern in _RULES))
_SOUNDS = list(_RULES.values())
_REPEATED = re.compile(r"([^aeou])\1+")
_LATIN_WORD = re.compile(r"[a-z]{3,}")


@lru_cache(maxsize=8192)
def said_in_english(word: str) -> str | None:
    """The sound of a folded Latin word; None for what is none."""
    if not _LATIN_WORD.fullmatch(word):
        return None
    said = _READING.sub(lambda found: _SOUNDS[(found.lastindex or 1) - 1], word)
    return _REPEATED.sub(r"\1", said)

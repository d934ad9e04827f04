"""What a report may carry, within bounds: one-line texts, keys, kinds, details and links.

What others wrote is cut, freed of control characters and of what looks like a secret.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import urlsplit

from kit import redact
from praxis.contract import Severity

LONGEST_KEY = 200
_LONGEST_LINE = 400
_LONGEST_VALUE = 500
_LONGEST_NAME = 80
_LONGEST_KIND = 60
_MOST_DETAILS = 32
_UNSEEN = frozenset({"Cc", "Cf", "Cs"})
_KIND = re.compile(r"[^a-z0-9_.]+")

_SEVERITIES: dict[Severity, str] = {
    "critical": "critical crit page emergency emerg fatal disaster panic alert urgent p0 p1 sev0"
    " sev1",
    "error": "error err high major p2 sev2",
    "warning": "warning warn medium moderate minor average p3 sev3",
    "info": "info information informational low notice note debug none ok trivial p4 p5 sev4",
}
_BY_WORD: dict[str, Severity] = {
    word: severity for severity, words in _SEVERITIES.items() for word in words.split()
}


def line(text: str, limit: int = _LONGEST_LINE) -> str:
    """The text in one line of at most `limit` characters."""
    near = text[: limit * 8]
    flat = near if near.isascii() and near.isprintable() else _plain(near)
    return redact.text(" ".join(flat.split()), limit - 1)


def summary(*texts: str | None) -> str:
    """The first of the texts that leaves something to read, in one line."""
    lines = (line(text) for text in texts if text)
    return next((each for each in lines if each), "?")


def key(*parts: object) -> str:
    """The parts as one identity; of a long one, the end becomes a hash of the whole."""
    said = ":".join(str(part) for part in parts)
    whole = _plain(said).strip() or hashed(said)
    if len(whole) <= LONGEST_KEY:
        return whole
    digest = hashed(whole)
    return f"{whole[: LONGEST_KEY - len(digest) - 1]}#{digest}"


def hashed(text: str) -> str:
    """A short digest of a text that is an identity and no reading matter."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def kind(text: str, default: str) -> str:
    """The nearest name a kind may have; the default where nothing is left of the text."""
    name = _KIND.sub("_", text.lower()).strip("_.")
    return name[:_LONGEST_KIND] if name[:1].isascii() and name[:1].isalpha() else default


def details(values: Mapping[str, object]) -> dict[str, str]:
    """What there is of the values, as texts; a secret's name hides its value."""
    kept: dict[str, str] = {}
    for name, value in values.items():
        if value is None or value in ([], {}):
            continue
        if len(kept) == _MOST_DETAILS:
            break
        text = value if isinstance(value, str) else redact.summary(value, _LONGEST_VALUE - 1)
        named, is_secret = _name(name[: 2 * _LONGEST_NAME])
        shown = redact.HIDDEN if is_secret else line(text, _LONGEST_VALUE)
        if shown and named:
            kept[named] = shown
    return kept


def link(address: str | None) -> str:
    """An address of the web without what would log somebody in; empty for anything else."""
    if not address or len(address) > _LONGEST_VALUE:
        return ""
    try:
        parts = urlsplit(address)
        is_web = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        return ""
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2])
    return line(bare.geturl(), _LONGEST_VALUE) if is_web else ""


def severity(word: str | None, default: Severity = "warning") -> Severity:
    """The severity a source means by its word; the default where the word says nothing."""
    return _BY_WORD.get((word or "").strip().lower(), default)


@lru_cache(maxsize=2048)
def _name(name: str) -> tuple[str, bool]:
    """A name as it is shown, and whether it names a secret; the same few names come again."""
    return line(name, _LONGEST_NAME), redact.HIDDEN in redact.summary({name: "x"})


def _plain(text: str) -> str:
    """The text without what cannot be seen; breaks and tabs become spaces."""
    if text.isascii() and text.isprintable():
        return text
    spaced = re.sub(r"[\s\u2028\u2029]", " ", text)
    return "".join(each for each in spaced if unicodedata.category(each) not in _UNSEEN)

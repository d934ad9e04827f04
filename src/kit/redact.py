"""Bounded summaries without secrets, for traces, logs and audit."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

import msgspec

from kit.visible import visible

HIDDEN = "•••"
_SECRET_NAME = re.compile(
    r"""
      token|secret|passw|passphrase|authorization|assertion|cookie|credential
    | api[_-]?key|private[_-]?key|парол|токен|секрет
    """,
    re.IGNORECASE | re.VERBOSE,
)
# One start for each run of characters, and no way back into it: time grows with the text's length.
_SECRET_TEXT = re.compile(
    r"""
      \b(?:eco1|asr1)\.[\w.-]+                                  # our own credentials, assertions
    | \b(?:bearer|basic)\s+[A-Za-z0-9+/=._~-]{8,}               # authorization headers
    | (?<=://)[^/\s:@]*:[^/\s@]+(?=@)                           # user:password in a URL
    | -----BEGIN[ A-Z]*PRIVATE\ KEY-----[\s\S]*?(?:-----END[ A-Z]*PRIVATE\ KEY-----|\Z)
    | \b(?:gh[pousr]|github_pat)_[A-Za-z0-9_]{20,}
    | \bglpat-[A-Za-z0-9_-]{16,}
    | \bxox[a-z]-[A-Za-z0-9-]{10,}
    | \b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}
    | \bAKIA[0-9A-Z]{16}\b
    | \bAIza[A-Za-z0-9_-]{30,}
    | \b[0-9]{8,12}:[A-Za-z0-9_-]{30,}                          # Telegram bots
    | (?<![\w-])(?=(?:\w*+-)*?ey[JK])[\w-]{11,}+\.[\w-]{8,}+\.[\w-]*  # JSON web tokens
    | (?:
          (?<=token)|(?<=secret)|(?<=password)|(?<=passwd)|(?<=passphrase)|(?<=api_key)
        | (?<=apikey)|(?<=api-key)|(?<=пароль)|(?<=токен)|(?<=секрет)
      )
      \s*+["']?+\s*+[=:]\s*+(?:"[^"\n]{3,}"?|'[^'\n]{3,}'?|[^\s"',;&]{3,})
    """,
    re.IGNORECASE | re.VERBOSE,
)
_HINTS = (
    *(
        "eco1.",
        "asr1.",
        "bearer",
        "basic",
        "://",
        "private key",
        "gh",
        "glpat-",
        "xox",
        "sk-",
        "sk_",
    ),
    *("pk-", "pk_", "rk-", "rk_", "akia", "aiza", "eyj", "eyk", "token", "secret", "passw"),
    *("passphrase", "api_key", "apikey", "api-key", "пароль", "токен", "секрет"),
)
"""Every secret text holds one of these, folded, or a long number before a colon."""
_DOTLESS = frozenset("ı\u0307")
"""Letters that count as an `i` where case does not matter."""
_NUMBERED = re.compile(r"[0-9]{8}:")
_TAIL = 512
"""Where a text is cut, this much of the end may be half a secret, unless a space ends it."""
_LONGEST_KEY = 80
_KEYS = 24
_ITEMS = 8
_LARGEST_INTEGER = 1 << 63


def text(value: str, limit: int = 400) -> str:
    """The text without secrets and control characters, cut to `limit` characters."""
    cut = value
    if len(value) > limit * 4 + _TAIL:
        cut = value[: limit * 4 + _TAIL]
        end = max(cut.rfind(space, len(cut) - _TAIL) for space in " \n\t")
        cut = cut[: end if end > 0 else len(cut) - _TAIL]
    clean = visible(_SECRET_TEXT.sub(HIDDEN, cut) if _may_hold_a_secret(cut) else cut)
    return clean if len(clean) <= limit and len(cut) == len(value) else f"{clean[:limit]}…"


def _may_hold_a_secret(value: str) -> bool:
    """A cheap look, wrong only to the safe side."""
    folded = value.casefold()
    if not _DOTLESS.isdisjoint(folded):
        return True
    for hint in _HINTS:
        if hint in folded:
            return True
    return ":" in value and _NUMBERED.search(value) is not None


def summary(value: object, limit: int = 600) -> str:
    """One line of JSON that tells what `value` holds, without secrets and within `limit`."""
    if value is None:
        return ""
    if isinstance(value, str):
        return text(value, limit)
    rendered = msgspec.json.encode(bounded(value)).decode()
    return rendered if len(rendered) <= limit else f"{rendered[: limit - 1]}…"


def bounded(value: Any, depth: int = 5) -> Any:
    """A copy in plain JSON with secrets hidden, texts cut, long lists counted, depths left out."""
    if isinstance(value, str):
        return text(value, 160)
    if value is None or isinstance(value, bool | float):
        return value
    if isinstance(value, int):
        return value if abs(value) < _LARGEST_INTEGER else "a huge number"
    if isinstance(value, Mapping):
        return _mapping(cast("Mapping[Any, Any]", value), depth) if depth else "{…}"
    if isinstance(value, bytes | bytearray):
        return f"{len(value)} bytes"
    if isinstance(value, Sequence):
        return _sequence(cast("Sequence[Any]", value), depth) if depth else "[…]"
    return _object(value, depth)


def _mapping(value: Mapping[Any, Any], depth: int) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    for key, item in list(value.items())[:_KEYS]:
        if item is None or item == "" or item == [] or item == {}:
            continue
        name, is_secret = _key(str(key))
        shown[name] = HIDDEN if is_secret else bounded(item, depth - 1)
    return shown | {"…": len(value) - _KEYS} if len(value) > _KEYS else shown


@lru_cache(maxsize=2048)
def _key(key: str) -> tuple[str, bool]:
    """A key as it is shown, and whether it names a secret; the same few keys come again."""
    return text(key, _LONGEST_KEY), _SECRET_NAME.search(key) is not None


def _sequence(value: Sequence[Any], depth: int) -> list[Any]:
    shown = [bounded(item, depth - 1) for item in value[:_ITEMS]]
    return [*shown, f"… {len(value) - _ITEMS} more"] if len(value) > _ITEMS else shown


def _object(value: Any, depth: int) -> Any:
    """Structs and data classes by their fields, what else there is by its `repr`."""
    try:
        plain = msgspec.to_builtins(value)
    except (TypeError, ValueError, RecursionError):
        return text(repr(value), 160)
    return text(repr(value), 160) if plain is value else bounded(plain, depth)

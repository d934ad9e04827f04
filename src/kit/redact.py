"""Bounded summaries without secrets, for traces, logs and audit."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec

HIDDEN = "•••"
_SECRET_NAME = re.compile(
    r"token|secret|passw|passphrase|authorization|assertion|cookie|credential|api_?key|private_?key",
    re.IGNORECASE,
)
_SECRET_TEXT = re.compile(
    r"""
      \b(?:eco1|asr1)\.[\w.-]+                                  # our own credentials, assertions
    | \b(?:bearer|basic)\s+[A-Za-z0-9+/=._~-]{8,}               # authorization headers
    | (?<=://)[^/\s:@]+:[^/\s@]+(?=@)                           # user:password in a URL
    | -----BEGIN[ A-Z]*PRIVATE\ KEY-----[\s\S]*?(?:-----END[ A-Z]*PRIVATE\ KEY-----|\Z)
    | \b(?:gh[pousr]|github_pat)_[A-Za-z0-9_]{20,}
    | \b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}
    | \bAKIA[0-9A-Z]{16}\b
    | \bey[JK][A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*  # JSON web tokens
    | (?:(?<=\btoken)|(?<=\bsecret)|(?<=\bpassword)|(?<=\bpasswd)|(?<=\bapi_key)|(?<=\bapikey))
      \s*["']?\s*[=:]\s*["']?[^\s"',;&]{3,}
    """,
    re.IGNORECASE | re.VERBOSE,
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def text(value: str, limit: int = 400) -> str:
    """The text without secrets and control characters, cut to `limit` characters."""
    cut = value if len(value) <= limit * 4 else value[: limit * 4]
    clean = _CONTROL.sub(_escape, _SECRET_TEXT.sub(HIDDEN, cut))
    return clean if len(clean) <= limit and len(cut) == len(value) else f"{clean[:limit]}…"


def summary(value: object, limit: int = 600) -> str:
    """One line of JSON that tells what `value` holds, without secrets and within `limit`."""
    if value is None:
        return ""
    if isinstance(value, str):
        return text(value, limit)
    rendered = msgspec.json.encode(bounded(msgspec.to_builtins(value))).decode()
    return rendered if len(rendered) <= limit else f"{rendered[: limit - 1]}…"


def bounded(value: Any, depth: int = 5) -> Any:
    """A copy with secrets hidden, texts cut, long lists counted and deep parts left out."""
    if isinstance(value, str):
        return text(value, 160)
    if isinstance(value, Mapping):
        if depth == 0:
            return "{…}"
        pairs = list(cast("Mapping[str, Any]", value).items())
        shown = {
            key: HIDDEN if _SECRET_NAME.search(str(key)) and item else bounded(item, depth - 1)
            for key, item in pairs[:24]
            if item not in (None, [], {}, "")
        }
        return shown | {"…": len(pairs) - 24} if len(pairs) > 24 else shown
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        if depth == 0:
            return "[…]"
        items = cast("Sequence[Any]", value)
        shown_items = [bounded(item, depth - 1) for item in items[:8]]
        return [*shown_items, f"… {len(items) - 8} more"] if len(items) > 8 else shown_items
    return value


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"

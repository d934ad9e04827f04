"""Write out what a reader cannot see: controls, directions of writing, invisible characters."""

from __future__ import annotations

import re

_FORMATS = (
    r"\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    r"\u2060-\u206f\ufeff\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    r"\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Category Cf, the line and paragraph separators, and the blocks kept free for more of their kind;
tags and supplementary variation selectors are in the last."""
_BLANK_LETTERS = r"\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"
_LONE_SURROGATES = r"\ud800-\udfff"
_UNSEEN = rf"\x00-\x08\x0b-\x1f\x7f-\x9f{_FORMATS}{_BLANK_LETTERS}{_LONE_SURROGATES}"
_IN_A_TEXT = re.compile(f"[{_UNSEEN}]")
_IN_A_LINE = re.compile(rf"[{_UNSEEN}\t\n]")


def visible(text: str) -> str:
    r"""The text with what is unseen or drives a terminal written out as JSON would: `\u200b`.

    Line breaks (`\n`) and tabs stay.
    """
    return text if text.isascii() and text.isprintable() else _IN_A_TEXT.sub(_written_out, text)


def visible_line(text: str) -> str:
    """The same, and line breaks and tabs written out as well: one line, whoever wrote it."""
    return text if text.isascii() and text.isprintable() else _IN_A_LINE.sub(_written_out, text)


def _written_out(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"

"""What a part answered, for a person to read: table, outline or JSON, driving no terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

import msgspec

from kit.visible import visible, visible_line

_NARROWEST = 12
"""Columns below which a cell of text is not squeezed."""
_GAP = "  "


def as_json(reply: object) -> str:
    """The reply as indented JSON; what could drive a terminal is escaped, which JSON allows."""
    return visible(msgspec.json.format(msgspec.json.encode(reply), indent=2).decode())


def as_json_line(reply: object) -> str:
    """The same in one line."""
    return visible_line(msgspec.json.encode(reply).decode())


def as_outline(reply: object) -> str:
    """An indented outline: plain text that reads the same in a pipe and on a terminal."""
    return "\n".join(_outline(msgspec.to_builtins(reply))) or "(nothing)"


def as_table(reply: object, width: int) -> str | None:
    """The one list of flat rows in the reply as an aligned table; None when it is no such thing.

    Identifiers are never cut; when the rest cannot be squeezed into `width`, there is no table.
    """
    data: Any = msgspec.to_builtins(reply, builtin_types=(datetime,))
    if not isinstance(data, dict):
        return None
    fields = cast("dict[str, Any]", data)
    rows = [name for name, value in fields.items() if isinstance(value, list)]
    around = [_line(name, value) for name, value in fields.items() if name not in rows]
    if len(rows) != 1 or any(isinstance(value, dict) for value in fields.values()):
        return None
    cells = _cells(fields[rows[0]])
    if cells is None:
        return None
    table = _aligned(cells, width)
    return None if table is None else "\n".join([*table, *filter(None, around)])


def columns_of(text: str) -> int:
    """How many columns of a terminal the text takes."""
    return sum(_columns_of(character) for character in text)


def cut(text: str, columns: int) -> str:
    """The text, shortened to so many columns."""
    if columns_of(text) <= columns:
        return text
    kept, used = "", 0
    for character in text:
        used += _columns_of(character)
        if used > columns - 1:
            break
        kept += character
    return f"{kept}…"


def padded(text: str, columns: int) -> str:
    """The text, filled up with spaces to so many columns."""
    return text + " " * (columns - columns_of(text))


def _columns_of(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in {"Cf", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


def _outline(data: Any, indent: str = "") -> list[str]:
    lines: list[str] = []
    if isinstance(data, Mapping):
        for key, value in cast("Mapping[str, Any]", data).items():
            if value in (None, "", [], {}):
                continue
            if isinstance(value, dict | list):
                lines += [f"{indent}{visible_line(key)}:", *_outline(value, f"{indent}  ")]
            else:
                lines += _passage(f"{indent}{visible_line(key)}: ", value)
    elif isinstance(data, list):
        for value in cast("list[Any]", data):
            inner = _outline(value, f"{indent}  ")
            lines += [f"{indent}- {inner[0].lstrip()}", *inner[1:]] if inner else []
    else:
        lines += _passage(indent, data)
    return lines


def _passage(start: str, value: object) -> list[str]:
    """A value after its key; the further lines of a text are indented to stay below the key."""
    first, *more = visible(_scalar(value)).splitlines() or [""]
    inset = " " * (len(start) - len(start.lstrip()) + 2)
    return [f"{start}{first}", *(f"{inset}{line}" for line in more)]


def _line(name: str, value: object) -> str:
    return "" if value in (None, "", {}) else visible_line(f"{name}: {_scalar(value)}")


def _cells(rows: list[Any]) -> list[list[str]] | None:
    """Headings, then one list of cells a row; None unless there are rows and all of them flat."""
    if not rows or not all(isinstance(row, dict) for row in rows):
        return None
    records = cast("list[dict[str, Any]]", rows)
    names = list(dict.fromkeys(name for record in records for name in record))
    cells: list[list[str]] = []
    for record in records:
        flat = [_cell(record.get(name)) for name in names]
        if None in flat:
            return None
        cells.append(cast("list[str]", flat))
    used = [index for index in range(len(names)) if any(row[index] for row in cells)]
    headings = list(map(visible_line, names))
    return [[row[index] for index in used] for row in [headings, *cells]]


def _cell(value: object) -> str | None:
    """One line for a flat value, or None."""
    if value in (None, "", [], {}):
        return ""
    if isinstance(value, datetime):
        return value.astimezone().strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(value, Mapping):
        pairs = cast("Mapping[str, object]", value).items()
        if any(isinstance(item, dict | list) for _, item in pairs):
            return None
        return visible_line(" ".join(f"{key}={_scalar(item)}" for key, item in pairs))
    if isinstance(value, Sequence) and not isinstance(value, str):
        items = cast("Sequence[object]", value)
        if any(isinstance(item, dict | list) for item in items):
            return None
        return visible_line(", ".join(map(_scalar, items)))
    return visible_line(_scalar(value))


def _aligned(cells: list[list[str]], width: int) -> list[str] | None:
    widths = [max(map(columns_of, column)) for column in zip(*cells, strict=True)]
    least = [
        wide if name.endswith("_id") else min(wide, max(columns_of(name), _NARROWEST))
        for name, wide in zip(cells[0], widths, strict=True)
    ]
    room = width - len(_GAP) * (len(widths) - 1)
    if sum(least) > room:
        return None
    while sum(widths) > room:
        loose = max(range(len(widths)), key=lambda index: widths[index] - least[index])
        widths[loose] -= min(sum(widths) - room, widths[loose] - least[loose])
    return [
        _GAP.join(
            padded(cut(cell, wide), wide) for cell, wide in zip(row, widths, strict=True)
        ).rstrip()
        for row in cells
    ]


def _scalar(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.isoformat() if isinstance(value, datetime) else str(value)

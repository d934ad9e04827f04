"""A table with a row for each entity, as spreadsheets save it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kit.errors import InvalidArgument
from nexus.catalogs.entries import SMALLEST, Declarations, Place, entry_of

_COLUMNS: dict[str, tuple[str, ...]] = {
    "key": ("key",),
    "type": ("type",),
    "name_en": ("names", "en"),
    "name_ru": ("names", "ru"),
    "aliases": ("aliases",),
    "description_en": ("description", "en"),
    "description_ru": ("description", "ru"),
}
"""Column to its path inside an entry."""
_PREFIXED = {"ext": "external", "rel": "relations"}
_ALLOWED = f"{', '.join(_COLUMNS)}, ext:SYSTEM, rel:PREDICATE"
_SEPARATOR = ";"
"""Between aliases, and between the keys a relation leads to."""


def read(text: str, path: Path) -> Declarations:
    """What a table declares; it has no name of its own.

    Raises:
        InvalidArgument: It is no such table; `field` is the column.
    """
    rows = _rows(text, path)
    line, header = next(rows, (1, [""]))
    columns = _columns(header, Place(path, line))
    shown = {".".join(where): name for name, where in columns.items()}
    found = Declarations()
    for line, cells in rows:
        if any(cell.strip() for cell in cells):
            place = Place(path, line)
            raw = _entry(cells, columns, place)
            found.entries.append((place, entry_of(raw, place, columns=shown)))
    return found


def _rows(text: str, path: Path) -> Iterator[tuple[int, list[str]]]:
    """Each row with the line it begins at."""
    head = text.partition("\n")[0]
    delimiter = max(",;\t", key=lambda each: len(head.split(each)))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for cells in reader:
            yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        raise InvalidArgument(
            f"{Place(path, line)}: this is not valid CSV: {error}.", field="file"
        ) from error


def _columns(header: list[str], place: Place) -> dict[str, tuple[str, ...]]:
    columns: dict[str, tuple[str, ...]] = {}
    for title in header:
        name = re.sub(r"[ -]+", "_", title.strip().lower())
        kind, colon, rest = title.strip().partition(":")
        if colon and kind.strip().lower() in _PREFIXED and rest.strip():
            name = f"{kind.strip().lower()}:{rest.strip()}"
            where = (_PREFIXED[kind.strip().lower()], rest.strip())
            entry_of(
                {**SMALLEST, where[0]: {where[1]: "a"}}, place, columns={".".join(where): name}
            )
        elif name in _COLUMNS:
            where = _COLUMNS[name]
        else:
            raise InvalidArgument(
                f"{place}: there is no column {title[:80]!r}; the first row names the columns: "
                f"{_ALLOWED}.",
                field=title[:80] or "header",
            )
        if name in columns:
            raise InvalidArgument(
                f"{place}: the column {name!r} appears twice; keep one.", field=name
            )
        columns[name] = where
    for needed in ("key", "type"):
        if needed not in columns:
            raise InvalidArgument(
                f"{place}: the column {needed!r} is missing; the first row names the columns: "
                f"{_ALLOWED}.",
                field=needed,
            )
    if not columns.keys() & {"name_en", "name_ru"}:
        raise InvalidArgument(
            f"{place}: a column name_en or name_ru is missing; an entity has a name in at least "
            "one of the languages.",
            field="name_en",
        )
    return columns


def _entry(cells: list[str], columns: dict[str, tuple[str, ...]], place: Place) -> dict[str, Any]:
    if len(cells) > len(columns):
        raise InvalidArgument(
            f"{place}: this row has {len(cells)} cells and the first row {len(columns)}; a text "
            "that holds the separator stands in double quotes.",
            field="row",
        )
    entry: dict[str, Any] = {"names": {}}
    for (name, where), cell in zip(columns.items(), cells, strict=False):
        value: Any = cell.strip()
        if not value:
            continue
        if name == "aliases" or where[0] == "relations":
            value = [part.strip() for part in value.split(_SEPARATOR) if part.strip()]
        if len(where) == 1:
            entry[where[0]] = value
        else:
            entry.setdefault(where[0], {})[where[1]] = value
    if not entry["names"]:
        raise InvalidArgument(
            f"{place}: this row names nothing; fill name_en or name_ru.", field="name_en"
        )
    return entry

"""One entry of a catalog: where it is declared, and what is wrong with it in words that help."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import msgspec

from kit.errors import InvalidArgument
from nexus.catalogs.type_spelling import canonical_type
from nexus.contract import CatalogEntry

_PATH = re.compile(r"^(.*?)(?: - at (?:`(key|value)` in )?`\$\.?([^`]*)`)?$", re.DOTALL)
_NAMED = re.compile(r"field `([^`]+)`")
_WAYS_OUT = (
    (r"key", "A key is lower-case Latin letters, digits and _ . : / -, 120 at most."),
    (r"type", "A type is lower-case words joined by dots, such as device.host."),
    (r"names\b.*", "`names` holds `en`, `ru` or both, each 1 to 200 characters."),
    (r"description\b.*", "`description` holds `en`, `ru` or both, each 4000 characters at most."),
    (r"aliases\b.*", "`aliases` is a list of at most 50 texts of 1 to 200 characters."),
    (r"attributes\b.*", "`attributes` holds at most 50 texts, numbers or truth values by name."),
    (r"external\b.*", 'An external id is `system = "id"`; the system is like `home-assistant`.'),
    (
        r"relations\b.*",
        "A relation is `predicate = key`, or a list of keys; the predicate is one of part_of, "
        "runs_on, depends_on, source_of, owned_by, located_in, works_on, tracks, uses, provides, "
        "consumes, member_of, controls, monitors, or your own that begins with x_.",
    ),
)
SMALLEST = {"key": "a", "type": "a", "names": {"en": "a"}}
"""An entry to which one thing is added, to see whether that is at fault."""
_FIELDS = "An entry has " + ", ".join(f"`{name}`" for name in CatalogEntry.__struct_fields__) + "."


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is written."""

    path: Path
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" if self.line else str(self.path)


@dataclass(slots=True)
class Declarations:
    """What a file, or several together, declare."""

    catalog: str | None = None
    """The name they give the catalog, if they give one."""
    entries: list[tuple[Place, CatalogEntry]] = field(
        default_factory=list[tuple[Place, CatalogEntry]]
    )
    remarks: list[str] = field(default_factory=list[str])
    """What was passed over, and why."""


def entry_of(
    raw: object, place: Place, *, at: str = "", columns: Mapping[str, str] | None = None
) -> CatalogEntry:
    """The entry that was written down.

    Args:
        raw: what a file holds.
        place: where it does.
        at: the path of the entry inside the document, such as `entries[3]`.
        columns: by path inside the entry, what the file itself calls the field.

    Raises:
        InvalidArgument: It is no entry; `field` says which part of it.
    """
    given = cast("dict[str, Any]", raw) if isinstance(raw, dict) else {}
    named = given.get("type")
    try:
        if isinstance(named, str):
            return msgspec.convert({**given, "type": canonical_type(named)}, CatalogEntry)
        return msgspec.convert(raw, CatalogEntry)
    except msgspec.ValidationError as error:
        raise _misfit(given, str(error), place, at, columns or {}) from error


def _wrong_key(raw: dict[str, Any], path: str) -> str | None:
    """The key inside a field that cannot be one, or whose value does not fit."""
    name = path.partition("[")[0]
    inside = raw.get(name)
    if not isinstance(inside, dict):
        return None
    for key, value in cast("dict[str, Any]", inside).items():
        try:
            msgspec.convert({**SMALLEST, name: {key: value}}, CatalogEntry)
        except msgspec.ValidationError:
            return str(key)
    return None


def _misfit(
    raw: dict[str, Any], said: str, place: Place, at: str, columns: Mapping[str, str]
) -> InvalidArgument:
    match = _PATH.match(said)
    message, within, path = (match[1], match[2], match[3] or "") if match else (said, None, "")
    wrong = _wrong_key(raw, path)
    if wrong is not None and within == "key":
        message = f"{wrong[:80]!r} is not allowed here"
    elif "matching regex" in message:
        message = "This text is not allowed here"
    named = _NAMED.search(message)
    if wrong is not None:
        path = f"{path.partition('[')[0]}.{wrong}"
    elif named:
        path = ".".join(filter(None, (path, named[1])))
    way_out = next((text for start, text in _WAYS_OUT if re.fullmatch(start, path)), _FIELDS)
    if "Expected `str`" in message and "got `str`" not in message:
        way_out = f"{way_out} A text that looks like a number or a truth value needs quotes."
    field = columns.get(path, ".".join(filter(None, (at, path))))
    key: object = raw.get("key")
    whose = f" ({key!r})" if isinstance(key, str) and key else ""
    return InvalidArgument(f"{place}{whose}: {message}. {way_out}", field=field or "file")

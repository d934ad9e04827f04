"""TOML as a document whose entries know their lines."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, cast

from kit.errors import InvalidArgument
from nexus.catalogs.yaml_file import Document

_ENTRY = re.compile(r"^[ \t]*\[\[[ \t]*entries[ \t]*\]\]", re.MULTILINE)


def read(text: str, path: Path) -> Document:
    """The document of a file.

    Raises:
        InvalidArgument: It is not TOML.
    """
    try:
        value = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        said = "it is nested too deep" if isinstance(error, RecursionError) else str(error)
        raise InvalidArgument(f"{path} is not valid TOML: {said}.", field="file") from error
    return Document(value, _lines_of_entries(value, text))


def _lines_of_entries(value: dict[str, Any], text: str) -> dict[int, int]:
    """The lines of `[[entries]]`; none where they cannot be told from the text within a text."""
    named: object = value.get("entries")
    entries = cast("list[object]", named) if isinstance(named, list) else []
    starts = [match.start() for match in _ENTRY.finditer(text)]
    if len(starts) != len(entries):
        return {}
    lines: dict[int, int] = {}
    line, last = 1, 0
    for entry, start in zip(entries, starts, strict=True):
        line += text.count("\n", last, start)
        lines[id(entry)], last = line, start
    return lines

"""YAML, strictly: plain data of known size, one meaning, no references and no objects."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from kit.errors import InvalidArgument
from nexus.catalogs.entries import Place

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DEEPEST = 40
_TAGS = {
    "tag:yaml.org,2002:str": yaml.ScalarEvent,
    "tag:yaml.org,2002:map": yaml.MappingStartEvent,
    "tag:yaml.org,2002:seq": yaml.SequenceStartEvent,
}
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INTEGER = re.compile(r"[-+]?[0-9]{1,18}")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]{1,30}|[0-9]{1,30}(?:\.[0-9]{0,30})?)(?:[eE][-+]?[0-9]{1,3})?")


@dataclass(slots=True)
class Document:
    """One document and the line each of its mappings and lists begins at."""

    value: Any = None
    lines: dict[int, int] = field(default_factory=dict[int, int])

    def line_of(self, container: object) -> int | None:
        """The line a mapping or list of this document begins at."""
        return self.lines.get(id(container))


@dataclass(slots=True)
class _Open:
    """A mapping or list whose end has not come yet."""

    container: dict[str, Any] | list[Any]
    key: str | None = None


def scalar(text: str) -> str | int | float | bool | None:
    """What an unquoted word means, after the core schema of YAML 1.2: `no` and `on` are texts."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text


def read(text: str, path: Path) -> list[Document]:
    """The documents of a file.

    Raises:
        InvalidArgument: It is not YAML, says a key twice, is nested too deep, or holds an anchor,
            an alias or a tag.
    """
    documents: list[Document] = []
    stack: list[_Open] = []
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            if isinstance(event, yaml.DocumentStartEvent):
                documents.append(Document())
            elif isinstance(event, yaml.NodeEvent):
                _take(event, documents[-1], stack, path)
            elif isinstance(event, yaml.CollectionEndEvent):
                stack.pop()
    except yaml.YAMLError as error:
        raise _not_yaml(error, path) from error
    return documents


def _take(event: yaml.NodeEvent, document: Document, stack: list[_Open], path: Path) -> None:
    line = event.start_mark.line + 1 if event.start_mark else None
    place = Place(path, line)
    if event.anchor is not None:
        raise _refused(place, "anchors (&) and aliases (*) are not read; write the value out")
    tag = getattr(event, "tag", None)
    if tag is not None and tag != "!" and not isinstance(event, _TAGS.get(tag, ())):
        raise _refused(place, f"the tag {tag[:80]!r} is not read; leave it out")
    if isinstance(event, yaml.ScalarEvent):
        is_key = bool(stack) and isinstance(stack[-1].container, dict) and stack[-1].key is None
        plain = event.implicit[0] and not is_key
        _put(scalar(event.value) if plain else event.value, document, stack, place)
        return
    container: dict[str, Any] | list[Any] = {} if isinstance(event, yaml.MappingStartEvent) else []
    _put(container, document, stack, place)
    if line:
        document.lines[id(container)] = line
    stack.append(_Open(container))
    if len(stack) > _DEEPEST:
        raise _refused(place, f"this is nested deeper than {_DEEPEST} levels")


def _put(value: Any, document: Document, stack: list[_Open], place: Place) -> None:
    if not stack:
        document.value = value
        return
    top = stack[-1]
    if isinstance(top.container, list):
        top.container.append(value)
    elif top.key is not None:
        top.container[top.key] = value
        top.key = None
    elif not isinstance(value, str):
        raise _refused(place, "a key is a text")
    elif value in top.container:
        raise _refused(place, f"the key {value[:80]!r} appears twice; keep one")
    elif value == "<<":
        raise _refused(place, "merging (<<) is not read; write the values out")
    else:
        top.key = value


def _refused(place: Place, why: str) -> InvalidArgument:
    return InvalidArgument(f"{place}: {why}.", field="file")


def _not_yaml(error: yaml.YAMLError, path: Path) -> InvalidArgument:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "it is broken"
    place = Place(path, mark.line + 1 if mark is not None else None)
    return _refused(place, f"this is not valid YAML: {problem}")

"""A catalog as text that can be kept in a file and read back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

import msgspec
import yaml

from nexus.catalogs import Written
from nexus.catalogs.yaml_file import scalar
from nexus.contract import ExportedEntry

_BARE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
# What TOML asks to be escaped and JSON does not, and what a terminal would not show.
_UNSEEN = {code: f"\\u{code:04x}" for code in (*range(0x7F, 0xA0), 0x2028, 0x2029, 0xFEFF)}


def written(catalog: str, entries: Iterable[ExportedEntry], form: Written) -> Iterator[str]:
    """The lines of a catalog in TOML or YAML, piece by piece."""
    if form == "toml":
        yield f"catalog = {_toml(catalog)}\n"
        none = True
        for entry in entries:
            none = False
            yield "\n[[entries]]\n"
            for name, value in _said(entry).items():
                yield f"{name} = {_toml(value)}\n"
        if none:
            yield "entries = []\n"
        return
    yield _yaml({"catalog": catalog})
    none = True
    for entry in entries:
        yield "\nentries:\n" if none else "\n"
        none = False
        yield _yaml([_said(entry)])
    if none:
        yield "entries: []\n"


def _said(entry: ExportedEntry) -> dict[str, Any]:
    """What an entry says; a relation to one thing is written without a list."""
    said: dict[str, Any] = msgspec.to_builtins(entry)
    said["relations"] = {
        predicate: keys[0] if len(keys) == 1 else keys
        for predicate, keys in entry.relations.items()
    }
    return {name: value for name, value in said.items() if value}


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        table = cast("dict[str, Any]", value)
        pairs = (f"{_key(key)} = {_toml(item)}" for key, item in table.items())
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, cast('list[Any]', value)))}]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).translate(_UNSEEN)
    return json.dumps(value)


def _key(key: str) -> str:
    return key if key and set(key) <= _BARE else _toml(key)


class _Dumper(yaml.SafeDumper):
    """Quotes what would be read back as something else than a text, and indents lists."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)


def _text(_: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    style = None if isinstance(scalar(value), str) and value.isprintable() else '"'
    return yaml.ScalarNode("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(str, _text)


def _yaml(value: Any) -> str:
    dump = cast("Callable[..., str]", yaml.dump)  # pyright: ignore[reportUnknownMemberType]
    return dump(value, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=100)

"""The form of Nexus's own: the name of the catalog, and a list of entries."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from kit.errors import InvalidArgument
from nexus.catalogs.entries import Declarations, Place, entry_of
from nexus.catalogs.yaml_file import Document


def read(document: Document, path: Path) -> Declarations:
    """What a document declares.

    Raises:
        InvalidArgument: It is no catalog; `field` says where.
    """
    if not isinstance(document.value, dict):
        raise InvalidArgument(
            f'{path}: a catalog says `catalog = "NAME"` and has a list `entries`.', field="file"
        )
    value = cast("dict[str, Any]", document.value)
    for name in value.keys() - {"catalog", "entries"}:
        raise InvalidArgument(
            f"{path}: a catalog has no {name!r}; it has `catalog` and `entries`, and the rest is "
            "said to `nexus apply`.",
            field=name,
        )
    catalog: object = value.get("catalog")
    if catalog is not None and not isinstance(catalog, str):
        raise InvalidArgument(f"{path}: the name of a catalog is a text.", field="catalog")
    entries: object = value.get("entries")
    if not isinstance(entries, list):
        raise InvalidArgument(
            f"{path}: a catalog has a list `entries`, which may be empty.", field="entries"
        )
    found = Declarations(catalog)
    for at, raw in enumerate(cast("list[object]", entries)):
        place = Place(path, document.line_of(raw))
        found.entries.append((place, entry_of(raw, place, at=f"entries[{at}]")))
    return found

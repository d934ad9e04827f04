"""Read the one catalog that files and folders declare together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from kit.errors import InvalidArgument, ResourceExhausted
from nexus.catalogs import Form, backstage, csv_file, native, toml_file, yaml_file
from nexus.catalogs.entries import Declarations, Place
from nexus.catalogs.files import Shelf, below, real
from nexus.contract import MOST_ENTRIES, ApplyCatalog, CatalogEntry

_YAML = (".yaml", ".yml")
_SUFFIXES: dict[Form, tuple[str, ...]] = {
    "auto": (".toml", *_YAML),
    "native": (".toml", *_YAML),
    "backstage": _YAML,
    "csv": (".csv", ".tsv"),
}
"""The files of a folder that are read."""


@dataclass(frozen=True, slots=True)
class ReadCatalog:
    """A catalog and where each of its entries is written."""

    catalog: ApplyCatalog
    places: list[Place]
    remarks: list[str]
    """What was passed over, and why."""


def read_catalog(
    paths: Sequence[Path], form: Form = "auto", name: str | None = None
) -> ReadCatalog:
    """The one catalog that files and folders declare together.

    Args:
        paths: files and folders.
        form: how they are written; `auto` tells it from the name and the content of each.
        name: what the catalog is called where the files do not say it.

    Raises:
        InvalidArgument: A file cannot be read or is no catalog; `field` says where.
        ResourceExhausted: They are too large.
    """
    found = Declarations()
    imported = backstage.Import(remarks=found.remarks)
    named: list[tuple[str, Path]] = []
    shelf = Shelf()
    ahead = [each for path in paths for each in _files(path, form, found.remarks)][::-1]
    seen: set[Path] = set()
    while ahead:
        path = ahead.pop()
        if real(path) in seen:
            continue
        seen.add(real(path))
        taken, further = _read_one(path, shelf.text(path), form, imported)
        ahead += further[::-1]
        found.entries += taken.entries
        named += [(taken.catalog, path)] if taken.catalog is not None else []
        _bounded(len(found.entries) + len(imported.described), path)
    found.entries += imported.declarations().entries
    _check_keys(found.entries)
    _check_relations(found.entries)
    suggested = backstage.CATALOG if imported.described else None
    if suggested is None and not named and not found.entries and found.remarks:
        raise InvalidArgument(
            f"{paths[0]}: nothing is declared there; {'; '.join(found.remarks)}.", field="file"
        )
    called = _name(named, name, suggested, paths)
    entries = [entry for _, entry in found.entries]
    try:
        catalog = msgspec.convert({"catalog": called, "entries": entries}, ApplyCatalog)
    except msgspec.ValidationError as error:
        raise InvalidArgument(
            f"{named[0][1] if named else paths[0]}: {called[:80]!r} cannot name a catalog; a name "
            "is lower-case Latin letters, digits, _ and -, begins with a letter, 40 at most.",
            field="catalog",
        ) from error
    return ReadCatalog(catalog, [place for place, _ in found.entries], found.remarks)


def _files(path: Path, form: Form, remarks: list[str]) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = below(path, _SUFFIXES[form], remarks)
    if not files:
        raise InvalidArgument(
            f"{path} holds no file that ends in {', '.join(_SUFFIXES[form])}.", field="file"
        )
    return files


def _read_one(
    path: Path, text: str, form: Form, imported: backstage.Import
) -> tuple[Declarations, list[Path]]:
    """What one file declares, and the files it points to."""
    suffix = path.suffix.lower()
    if form == "csv" or (form == "auto" and suffix in _SUFFIXES["csv"]):
        return csv_file.read(text, path), []
    if suffix == ".toml" and form != "backstage":
        return native.read(toml_file.read(text, path), path), []
    if form == "auto" and suffix not in _YAML:
        raise InvalidArgument(
            f"{path}: the name does not say what the file is; call it .toml, .yaml or .csv, or say "
            "it with --format.",
            field="file",
        )
    documents = yaml_file.read(text, path)
    if form == "backstage" or (form == "auto" and backstage.is_backstage(documents)):
        further = [each for document in documents for each in imported.take(document, path)]
        return Declarations(), further
    if len(documents) != 1:
        raise InvalidArgument(
            f"{path}: a catalog is one document, and this file holds {len(documents)}.",
            field="file",
        )
    return native.read(documents[0], path), []


def _bounded(entries: int, path: Path) -> None:
    if entries > MOST_ENTRIES:
        raise ResourceExhausted(
            f"{path}: a catalog of more than {MOST_ENTRIES} entries is not read; divide it into "
            "several catalogs.",
            field="entries",
        )


def _check_keys(entries: list[tuple[Place, CatalogEntry]]) -> None:
    first: dict[str, Place] = {}
    for place, entry in entries:
        if entry.key in first:
            raise InvalidArgument(
                f"{place}: the key {entry.key!r} is taken by {first[entry.key]}; each entry has a "
                "key of its own.",
                field="key",
            )
        first[entry.key] = place


def _check_relations(entries: list[tuple[Place, CatalogEntry]]) -> None:
    keys = {entry.key for _, entry in entries}
    for place, entry in entries:
        for predicate, named in entry.relations.items():
            for key in [named] if isinstance(named, str) else named:
                if key not in keys:
                    raise InvalidArgument(
                        f"{place} ({entry.key!r}): there is no entry {key!r} for {predicate} to "
                        "lead to; declare it in the same catalog, or take the relation out.",
                        field=f"relations.{predicate}",
                    )


def _name(
    named: list[tuple[str, Path]], asked: str | None, usual: str | None, paths: Sequence[Path]
) -> str:
    """The one name that the files give the catalog, or that was asked for."""
    name, first = named[0] if named else (asked or usual, None)
    if name is None:
        raise InvalidArgument(
            f"{paths[0]}: nothing says what the catalog is called; its things are known by that "
            "name and their keys. Add --catalog NAME, the same each time.",
            field="catalog",
        )
    for other, path in named[1:]:
        if other != name:
            raise InvalidArgument(
                f"{path} is of the catalog {other!r} and {first} of {name!r}; apply them one after "
                "the other.",
                field="catalog",
            )
    if asked is not None and asked != name:
        raise InvalidArgument(
            f"{first} is of the catalog {name!r}; leave --catalog out, or change the file.",
            field="catalog",
        )
    return name

"""A registry file as a catalog that Nexus is given, and its own ids back from Nexus's."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, get_args

import msgspec

from nexus.client import NexusClient
from nexus.contract import (
    MOST_ENTRIES,
    ApplyCatalog,
    CatalogEntry,
    Language,
    MapExternal,
    Predicate,
)

CATALOG = "evaluation"
_TYPES = {
    "agent_session": "agent.session",
    "household_object": "household.object",
    "external_task_project": "project.task",
}
_LANGUAGES = get_args(Language)
_PREDICATE = re.compile(str(get_args(Predicate)[1].pattern))
_BATCH_BYTES = 48 << 20


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON Lines file."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def nexus_type(type: str) -> str:
    """A registry's type as Nexus writes it."""
    plain = re.sub(r"[^a-z0-9_.]+", "_", type.lower()).strip("_.")
    return _TYPES.get(type, plain if re.match("[a-z]", plain) else f"x_{plain}")


def _predicate(rel: str) -> str:
    return rel if _PREDICATE.search(rel) else "x_" + re.sub(r"[^a-z0-9_]+", "_", rel.lower())


def _system(name: str) -> str:
    plain = re.sub(r"[^a-z0-9_.-]+", "-", name.lower())
    return plain if re.match("[a-z]", plain) else f"x{plain}"


def _texts(aliases: list[Any]) -> list[str]:
    texts = [alias if isinstance(alias, str) else str(alias.get("text", "")) for alias in aliases]
    return list(dict.fromkeys(text for text in texts if text.strip()))


@dataclass(frozen=True)
class Declared:
    """What a registry line says, in Nexus's words."""

    type: str
    names: dict[str, str]
    aliases: list[str]
    external: list[tuple[str, str]]
    relations: list[tuple[str, str]]
    """Predicate and the registry's id of the other entity."""


def declared(line: dict[str, Any]) -> Declared:
    """One line, whatever else stands in it."""
    given: dict[str, str] = line.get("names") or {}
    names = {lang: name for lang, name in given.items() if name}
    spoken = {lang: name for lang, name in names.items() if lang in _LANGUAGES}
    others = [name for lang, name in names.items() if lang not in _LANGUAGES]
    named: list[Any] = line.get("aliases") or []
    external: list[dict[str, Any]] = line.get("external") or []
    relations: list[dict[str, Any]] = line.get("relations") or []
    aliases = [*others, *_texts(named)]
    if not spoken:
        name = aliases.pop(0) if aliases else str(line["id"])
        spoken = {"ru" if re.search("[а-яё]", name, re.IGNORECASE) else "en": name}
    return Declared(
        type=nexus_type(str(line["type"])),
        names=spoken,
        aliases=aliases,
        external=[(_system(row["system"]), str(row["id"])) for row in external],
        relations=[(_predicate(row["rel"]), str(row["to"])) for row in relations],
    )


@dataclass
class Loaded:
    """A registry as it stands in Nexus."""

    declared: dict[str, Declared]
    to_nexus: dict[str, str] = field(default_factory=dict[str, str])
    to_registry: dict[str, str] = field(default_factory=dict[str, str])

    def own(self, entity_id: str) -> str:
        """The registry's id of an entity."""
        return self.to_registry.get(entity_id, entity_id)

    def learn(self, id: str, entity_id: str) -> None:
        """Take down which entity an id of the registry stands for."""
        self.to_nexus[id] = entity_id
        self.to_registry[entity_id] = id


def _keys(ids: list[str]) -> dict[str, str]:
    """A catalog key for each id, near to it and its own."""
    keys: dict[str, str] = {}
    used: set[str] = set()
    for id in ids:
        plain = re.sub(r"[^a-z0-9_.:/-]+", "-", id.lower())[:100]
        base = plain if re.match("[a-z0-9]", plain) else f"x{plain}"
        key, number = base, 1
        while key in used:
            number += 1
            key = f"{base}.{number}"
        used.add(key)
        keys[id] = key
    return keys


def _entries(rows: dict[str, Declared]) -> tuple[list[CatalogEntry], list[tuple[str, str, str]]]:
    """Catalog entries, and the external ids that an entry has no room for."""
    keys = _keys(list(rows))
    owners: dict[tuple[str, str], str] = {}
    further: list[tuple[str, str, str]] = []
    entries: list[CatalogEntry] = []
    for id, row in rows.items():
        external: dict[str, str] = {}
        for system, external_id in row.external:
            if owners.setdefault((system, external_id), id) != id:
                print(
                    f"{system}:{external_id} of {id} is {owners[system, external_id]}'s; left out"
                )
            elif system in external:
                further.append((id, system, external_id))
            else:
                external[system] = external_id
        relations: dict[str, str | list[str]] = {}
        for predicate, to in row.relations:
            if to in keys and to != id:
                kept = relations.setdefault(predicate, [])
                if isinstance(kept, list) and keys[to] not in kept:
                    kept.append(keys[to])
        entries.append(
            CatalogEntry(
                key=keys[id],
                type=row.type,
                names={lang: name for lang, name in row.names.items() if lang in _LANGUAGES},  # pyright: ignore[reportArgumentType]
                aliases=row.aliases[:50],
                external=external,
                relations=relations,
            )
        )
    return entries, further


def registry_entries(
    lines: list[dict[str, Any]],
) -> tuple[dict[str, str], list[CatalogEntry]]:
    """Every line as a catalog entry without relations, and the id that each key stands for."""
    rows = {str(line["id"]): declared(line) for line in lines}
    entries, _ = _entries({id: replace(row, relations=[]) for id, row in rows.items()})
    return {key: id for id, key in _keys(list(rows)).items()}, entries


def _batches(entries: list[CatalogEntry]) -> list[list[CatalogEntry]]:
    batches: list[list[CatalogEntry]] = [[]]
    size = 0
    for entry in entries:
        own = len(msgspec.json.encode(entry)) + 1
        if batches[-1] and (size + own > _BATCH_BYTES or len(batches[-1]) >= MOST_ENTRIES):
            batches.append([])
            size = 0
        batches[-1].append(entry)
        size += own
    return batches


async def load(nexus: NexusClient, lines: list[dict[str, Any]]) -> Loaded:
    """Declare the whole registry to Nexus.

    A relation to an entry of another batch is left out; a registry of this kind is one batch.
    """
    loaded = Loaded({str(line["id"]): declared(line) for line in lines})
    entries, further = _entries(loaded.declared)
    for number, batch in enumerate(_batches(entries)):
        catalog = CATALOG if number == 0 else f"{CATALOG}-{number}"
        applied = await nexus.apply_catalog(
            ApplyCatalog(catalog=catalog, entries=batch), timeout_s=600
        )
        by_key = {key: id for id, key in _keys(list(loaded.declared)).items()}
        for key, entity_id in applied.entity_ids.items():
            loaded.learn(by_key[key], entity_id)
    for id, system, external_id in further:
        await nexus.map_external(
            MapExternal(entity_id=loaded.to_nexus[id], system=system, external_id=external_id)
        )
    return loaded

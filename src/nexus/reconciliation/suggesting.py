"""Complete what a person types into a client: an entity, a type or a property."""

from __future__ import annotations

from itertools import islice
from typing import Any

import msgspec

from kit.trace import Call
from nexus.contract import Candidate, Entity, Language, ListEntities, Suggest
from nexus.reconciliation.extending import known
from nexus.reconciliation.matching import label_of
from nexus.reconciliation.properties import Property, properties_of
from nexus.service import Nexus
from nexus.store.vocabulary import InUse

PAGE = 10
"""Suggestions at once, unless asked for another number."""
MOST = 50


async def suggest_entities(
    nexus: Nexus,
    prefix: str,
    types: list[str],
    language: Language | None,
    call: Call,
) -> list[dict[str, Any]]:
    """Entities whose name or id begins so, at most `MOST`; without a prefix, the first ones."""
    if not prefix:
        page = await nexus.list_entities(ListEntities(status="active", limit=MOST), call)
        return [_entity(each, language) for each in page.entities]
    entity = await known(nexus, prefix, call)
    if entity is not None:
        return [_entity(entity, language)]
    try:
        request = msgspec.convert(
            {"prefix": prefix, "types": types, "language": language, "limit": MOST}, Suggest
        )
    except msgspec.ValidationError:  # no name is that long, no type is called so
        return []
    found = await nexus.suggest(request, call)
    return [_candidate(each) for each in found.candidates]


def suggest_types(in_use: InUse, prefix: str) -> list[dict[str, Any]]:
    """Types in use and those above them, whose id or last word begins so."""
    types = {
        ".".join(words[:length])
        for words in (each.split(".") for each in in_use.types)
        for length in range(1, len(words) + 1)
    }
    wanted = prefix.casefold()
    return [
        _type(each)
        for each in sorted(types)
        if each.startswith(wanted) or each.rpartition(".")[2].startswith(wanted)
    ]


def suggest_properties(
    in_use: InUse, prefix: str, language: Language | None
) -> list[dict[str, Any]]:
    """Properties whose id or name, in either language, begins so."""
    wanted = prefix.casefold()
    return [
        show_property(each, language)
        for each in properties_of(in_use)
        if any(text.startswith(wanted) for text in (each.id, each.english, each.russian))
    ]


def default_types(in_use: InUse) -> list[dict[str, Any]]:
    """The most general types in use."""
    roots = dict.fromkeys(each.partition(".")[0] for each in in_use.types)
    return [{"id": each, "name": each} for each in islice(roots, MOST)]


def show_property(each: Property, language: Language | None) -> dict[str, Any]:
    """A property, as both versions of the protocol show it."""
    return {"id": each.id, "name": each.name(language)}


def _type(entity_type: str) -> dict[str, Any]:
    above = entity_type.rpartition(".")[0]
    broader = {"broader": [{"id": above, "name": above}]} if above else {}
    return {"id": entity_type, "name": entity_type, **broader}


def _entity(entity: Entity, language: Language | None) -> dict[str, Any]:
    description = entity.description.get(language or "en") or next(
        iter(entity.description.values()), ""
    )
    return _shown(entity.entity_id, label_of(entity.names, language), entity.type, description)


def _candidate(each: Candidate) -> dict[str, Any]:
    return _shown(each.entity_id, each.label, each.type, each.distinguished_by)


def _shown(entity_id: str, name: str, entity_type: str, description: str) -> dict[str, Any]:
    described = {"description": description} if description else {}
    notable = [{"id": entity_type, "name": entity_type}]
    return {"id": entity_id, "name": name, **described, "notable": notable}

"""Fetch facts of entities for a table: a row for each id, a cell for each property."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from kit.errors import InvalidArgument, NotFound
from kit.trace import Call
from nexus.contract import Entity, GetEntity, Language
from nexus.reconciliation.matching import label_of
from nexus.reconciliation.properties import Value, property_of, values_of
from nexus.service import Nexus

LIMIT_SETTING = "limit"
"""The setting of a property that says how many of its values are wanted."""
_MOST_VALUES = 500


class _Asked(msgspec.Struct, frozen=True):
    """A property to fetch."""

    id: str
    settings: dict[str, Any] = {}


class ExtendQuery(msgspec.Struct, frozen=True):
    """Which facts of which entities."""

    ids: Annotated[list[str], Meta(max_length=1000)]
    properties: Annotated[list[_Asked], Meta(max_length=50)]


class Column(msgspec.Struct, frozen=True):
    """A property of the answer."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Row:
    """The facts of one entity, by property."""

    id: str
    cells: dict[str, list[dict[str, str]]]


async def extend(
    nexus: Nexus, query: ExtendQuery, language: Language | None, call: Call
) -> tuple[list[Column], list[Row]]:
    """The columns and rows; an id that is not known has empty cells.

    Raises:
        InvalidArgument: A setting is not what it should be.
    """
    limits = {each.id: _limit(each) for each in query.properties}
    columns = [Column(each, property_of(each).name(language)) for each in limits]
    rows: list[Row] = []
    for entity_id in dict.fromkeys(query.ids):
        await asyncio.sleep(0)  # a table is long: others get their turn
        entity = await known(nexus, entity_id, call)
        cells = {
            property_id: [
                _cell(value, language) for value in values_of(entity, property_id)[:limit]
            ]
            if entity
            else []
            for property_id, limit in limits.items()
        }
        rows.append(Row(entity_id, cells))
    return columns, rows


async def known(nexus: Nexus, entity_id: str, call: Call) -> Entity | None:
    """The entity of an id that came from outside; a merged one's successor."""
    try:
        request = msgspec.convert({"entity_id": entity_id}, GetEntity)
        return await nexus.get_entity(request, call)
    except (msgspec.ValidationError, NotFound):
        return None


def _limit(asked: _Asked) -> int:
    """How many values are wanted; forms send numbers as text, and nothing or 0 for all."""
    sent = asked.settings.get(LIMIT_SETTING) or 0
    try:
        limit = int(sent) if isinstance(sent, str | int | float) else -1
    except (ValueError, OverflowError):
        limit = -1
    if limit < 0:
        raise InvalidArgument(
            "The limit is a whole number; 0 means all.", field=f"{asked.id[:200]}.settings.limit"
        )
    return min(limit, _MOST_VALUES) or _MOST_VALUES


def _cell(value: Value, language: Language | None) -> dict[str, str]:
    if isinstance(value, str):
        return {"str": value}
    return {"id": value.entity_id, "name": label_of(value.names, language)}

"""A reconciliation query in one form, whichever version of the protocol it came in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from kit.contract import Reply
from nexus.contract import Language

BATCH_SIZE = 50
"""Queries in one batch at most."""
MOST_CANDIDATES = 50
DEFAULT_CANDIDATES = 10

Quantifier = Literal["any", "all", "none"]
Limit = Annotated[int, Meta(ge=1)]


class Reference(msgspec.Struct, frozen=True):
    """A value that is an entity, reconciled before."""

    id: str


PropertyValue = str | int | float | bool | Reference
PropertyValues = PropertyValue | Annotated[list[PropertyValue], Meta(max_length=20)]


@dataclass(frozen=True, slots=True)
class Condition:
    """One thing that is said of the entity looked for."""

    kind: Literal["name", "id", "property"]
    values: tuple[str, ...]
    property_id: str = ""
    is_required: bool = False
    quantifier: Quantifier = "any"


@dataclass(frozen=True, slots=True)
class Question:
    """Which entity is like this?"""

    conditions: tuple[Condition, ...]
    types: tuple[str, ...] = ()
    is_of_all_types: bool = False
    """Whether it has to be of every one of the types, not of any."""
    limit: int = DEFAULT_CANDIDATES
    language: Language | None = None


class NamedType(Reply):
    """A type, as both versions of the protocol show it."""

    id: str
    name: str


class Feature(Reply):
    """One reason for a score."""

    id: str
    name: str
    value: float | bool


class Found(Reply, omit_defaults=True):
    """A candidate, as both versions of the protocol show it."""

    id: str
    name: str
    type: list[NamedType]
    score: float
    match: bool
    features: list[Feature]
    description: str = ""


def texts_of(values: PropertyValues) -> tuple[str, ...]:
    """Values as texts; an entity stands by its id."""
    listed = values if isinstance(values, list) else [values]
    return tuple(_text_of(value) for value in listed)


def _text_of(value: PropertyValue) -> str:
    match value:
        case str():
            return value
        case Reference():
            return value.id
        case bool():
            return "true" if value else "false"
        case _:
            return str(value)

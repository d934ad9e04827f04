"""Version 0.2 of the protocol: what it sends and is sent."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from kit.body import decode
from kit.errors import InvalidArgument, ResourceExhausted
from nexus.contract import Language
from nexus.reconciliation.extending import Column, ExtendQuery, Row
from nexus.reconciliation.question import (
    BATCH_SIZE,
    DEFAULT_CANDIDATES,
    Condition,
    Found,
    Limit,
    PropertyValues,
    Question,
    texts_of,
)


class _Property(msgspec.Struct, frozen=True):
    """A property and the values it should have."""

    pid: str
    v: PropertyValues


class _Query(msgspec.Struct, frozen=True):
    """One query of a batch."""

    query: str | None = None
    type: str | Annotated[list[str], Meta(max_length=50)] = []
    limit: Limit = DEFAULT_CANDIDATES
    properties: Annotated[list[_Property], Meta(max_length=20)] = []
    type_strict: Literal["any", "should", "all"] = "any"


_BATCH = msgspec.json.Decoder(dict[str, _Query])
_EXTEND = msgspec.json.Decoder(ExtendQuery)


def read_batch(text: str, language: Language | None) -> dict[str, Question]:
    """The questions in a query batch, by their keys.

    Raises:
        InvalidArgument: It is not a batch.
        ResourceExhausted: It holds too many queries.
    """
    batch = decode(_BATCH, text.encode())
    if len(batch) > BATCH_SIZE:
        raise too_many(len(batch))
    return {key: _question(key, query, language) for key, query in batch.items()}


def too_many(queries: int) -> ResourceExhausted:
    """The refusal of a batch that is too large."""
    return ResourceExhausted(
        f"A batch holds at most {BATCH_SIZE} queries, this one {queries}.",
        reason="batch_too_large",
        status=413,
    )


def show_batch(answers: dict[str, list[Found]]) -> dict[str, Any]:
    """A result batch."""
    return {key: {"result": found} for key, found in answers.items()}


def read_extension(text: str) -> ExtendQuery:
    """A data extension query.

    Raises:
        InvalidArgument: It is not one.
    """
    return decode(_EXTEND, text.encode())


def show_extension(columns: list[Column], rows: list[Row]) -> dict[str, Any]:
    """A data extension response."""
    return {"meta": columns, "rows": {row.id: row.cells for row in rows}}


def _question(key: str, query: _Query, language: Language | None) -> Question:
    if query.query is None and not query.properties:
        raise InvalidArgument("A query has a `query` or `properties`.", field=key[:200])
    named = [Condition("name", (query.query,))] if query.query is not None else []
    described = [
        Condition("property", values, property_id=each.pid)
        for each in query.properties
        if (values := texts_of(each.v))
    ]
    return Question(
        conditions=(*named, *described),
        types=(query.type,) if isinstance(query.type, str) else tuple(query.type),
        is_of_all_types=query.type_strict == "all",
        limit=query.limit,
        language=language,
    )

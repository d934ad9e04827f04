"""The draft of version 1.0 of the protocol: what it sends and is sent."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from kit.body import decode
from kit.errors import InvalidArgument
from nexus.contract import Language
from nexus.reconciliation.extending import Column, ExtendQuery, Row
from nexus.reconciliation.question import (
    BATCH_SIZE,
    DEFAULT_CANDIDATES,
    Condition,
    Found,
    Limit,
    PropertyValues,
    Quantifier,
    Question,
    texts_of,
)
from nexus.reconciliation.v02 import too_many


class _Condition(msgspec.Struct, frozen=True, rename="camel"):
    """One thing that is said of the entity looked for."""

    match_type: Literal["name", "id", "property"]
    property_value: PropertyValues
    property_id: str | None = None
    required: bool = False
    match_quantifier: Quantifier = "any"
    match_qualifier: str = ""


class _Query(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One query of a batch."""

    conditions: Annotated[list[_Condition], Meta(min_length=1, max_length=20)]
    type: str | None = None
    limit: Limit = DEFAULT_CANDIDATES
    lang: str = ""
    dir: Literal["ltr", "rtl", "auto"] = "ltr"


class _Batch(msgspec.Struct, frozen=True):
    """Queries, to be answered in their order."""

    queries: list[_Query]


_BATCH = msgspec.json.Decoder(_Batch)
_EXTEND = msgspec.json.Decoder(ExtendQuery)


def read_batch(body: bytes, language: Language | None) -> list[Question]:
    """The questions in a query batch.

    Raises:
        InvalidArgument: It is not a batch.
        ResourceExhausted: It holds too many queries.
    """
    queries = decode(_BATCH, body).queries
    if len(queries) > BATCH_SIZE:
        raise too_many(len(queries))
    return [_question(at, query, language) for at, query in enumerate(queries)]


def show_batch(answers: list[list[Found]]) -> dict[str, Any]:
    """A result batch."""
    return {"results": [{"candidates": found} for found in answers]}


def read_extension(body: bytes) -> ExtendQuery:
    """A data extension query.

    Raises:
        InvalidArgument: It is not one.
    """
    return decode(_EXTEND, body)


def show_extension(columns: list[Column], rows: list[Row]) -> dict[str, Any]:
    """A data extension response."""
    return {
        "meta": columns,
        "rows": [
            {
                "id": row.id,
                "properties": [
                    {"id": property_id, "values": values}
                    for property_id, values in row.cells.items()
                ],
            }
            for row in rows
        ],
    }


def _question(at: int, query: _Query, language: Language | None) -> Question:
    for place, each in enumerate(query.conditions):
        if each.match_type == "property" and not each.property_id:
            raise InvalidArgument(
                "A condition on a property names it.",
                field=f"queries[{at}].conditions[{place}].propertyId",
            )
    conditions = (
        Condition(
            kind=each.match_type,
            values=values,
            property_id=each.property_id or "",
            is_required=each.required,
            quantifier=each.match_quantifier,
        )
        for each in query.conditions
        if (values := texts_of(each.property_value))
    )
    return Question(
        conditions=tuple(conditions),
        types=(query.type,) if query.type is not None else (),
        limit=query.limit,
        language=language or _language_of(query.lang),
    )


def _language_of(tag: str) -> Language | None:
    match tag.partition("-")[0].lower():
        case "ru":
            return "ru"
        case "en":
            return "en"
        case _:
            return None

"""Read a delivery's body into a struct, its texts into instants; what does not fit is named."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from types import GenericAlias
from typing import Any, TypeVar, cast

import msgspec

from kit.body import misfit
from praxis.dialects import Unfit

T = TypeVar("T")
Name = str | int | None
"""An identifier: sources send the same one as a text or as a number."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LONGEST_SHOWN = 80
_ANY: msgspec.json.Decoder[Any] = msgspec.json.Decoder()


def decoded(body: bytes, kind: type[T]) -> T:
    """The body as `kind`.

    Raises:
        Unfit: It is not JSON, or a field is not what it must be.
    """
    return _read(_decoder(kind), body)


def value_of(body: bytes) -> object:
    """The body as whatever JSON it is.

    Raises:
        Unfit: It is not JSON.
    """
    return _read(_ANY, body)


def one_or_several(body: bytes, kind: type[T]) -> list[tuple[str, T]]:
    """Each `kind` of a body that holds one, or a list of them, and what stands before its fields.

    Raises:
        Unfit: It is not JSON, or a field is not what it must be.
    """
    if body.lstrip()[:1] != b"[":
        return [("", decoded(body, kind))]
    several = cast("list[T]", _read(_decoder_of_list(kind), body))
    return [(f"[{index}].", each) for index, each in enumerate(several)]


def converted(value: object, kind: type[T], prefix: str = "") -> T:
    """A part of a body, decoded already, as `kind`; `prefix` stands before its fields.

    Raises:
        Unfit: It is not what it must be.
    """
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        refusal = misfit(error)
        raise Unfit(refusal.message, f"{prefix}{refusal.field or ''}") from error
    except RecursionError as error:
        raise Unfit("It is nested too deep.", prefix or "body") from error


def text_of(body: bytes) -> str:
    """The body as text.

    Raises:
        Unfit: It is not UTF-8.
    """
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise Unfit("The body is not UTF-8.", "body") from error


def instant(text: str | None, field: str, zone: tzinfo = UTC) -> datetime | None:
    """The instant a text names; None for none, and for the year 1 that stands for none.

    Args:
        text: as in RFC 3339, with or without its zone.
        field: what to name when it is no time.
        zone: the zone of a text that names none.

    Raises:
        Unfit: It is no time.
    """
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
        if moment.year <= 1:
            return None
        return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise Unfit(f"{_shown(text)} is no time.", field) from error


def since_epoch(number: float | str | None, field: str) -> datetime | None:
    """The instant so many seconds after 1970.

    Raises:
        Unfit: It is no number, or no time that can be.
    """
    if number is None or number == "":
        return None
    try:
        return _EPOCH + timedelta(seconds=float(number))
    except (ValueError, OverflowError) as error:
        raise Unfit(f"{_shown(number)} is no time.", field) from error


def required(value: T | None, field: str) -> T:
    """The value that must be there.

    Raises:
        Unfit: It is not, or it is an empty text.
    """
    if value is None or value == "":
        raise Unfit("It is missing.", field)
    return value


def _read(decoder: msgspec.json.Decoder[T], body: bytes) -> T:
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as error:
        refusal = misfit(error)
        raise Unfit(refusal.message, refusal.field or "body") from error
    except (ValueError, RecursionError) as error:
        raise Unfit(f"The body is not JSON: {_shown(error)}.", "body") from error


@cache
def _decoder(kind: type[Any]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


@cache
def _decoder_of_list(kind: type[Any]) -> msgspec.json.Decoder[list[Any]]:
    return msgspec.json.Decoder(GenericAlias(list, (kind,)))


def _shown(value: object) -> str:
    text = str(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"

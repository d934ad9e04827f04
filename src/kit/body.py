"""Read the body of a request within bounds, and decode it strictly: one meaning or none."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, TypeVar, cast

import msgspec

from kit.contract import LARGEST_BODY
from kit.errors import InvalidArgument, ResourceExhausted, Unavailable

if TYPE_CHECKING:
    from starlette.types import Receive

T = TypeVar("T")
_LONGEST_MESSAGE = 300
_MANY_DIGITS = re.compile(rb"[0-9]{19}")
_FIELD = re.compile(r" - at (?:`key` in )?`\$\.?([^`]*)`$")
_NAMED = re.compile(r"(?:unknown field|required field) `([^`]+)`")


async def read_body(declared: bytes | None, receive: Receive, largest: int) -> bytes:
    """The whole body.

    Args:
        declared: what `content-length` says, if it was sent.
        receive: where the body comes from.
        largest: bytes at most.

    Raises:
        ResourceExhausted: It is larger than allowed.
        Unavailable: The caller went away before it had sent it all.
    """
    if declared is not None and (len(declared) > 15 or int(declared) > largest):
        raise _too_large(largest)
    message = await receive()
    if message["type"] == "http.request" and not message.get("more_body"):
        body = cast("bytes", message.get("body", b""))
        if len(body) > largest:
            raise _too_large(largest)
        return body
    pieces: list[bytes] = []
    size = 0
    while True:
        if message["type"] != "http.request":
            raise Unavailable("The caller went away.", reason="caller_gone")
        piece = cast("bytes", message.get("body", b""))
        size += len(piece)
        if size > largest:
            raise _too_large(largest)
        pieces.append(piece)
        if not message.get("more_body"):
            return b"".join(pieces)
        message = await receive()


async def drop_body(receive: Receive) -> None:
    """Let the rest of a refused request arrive, so that its sender can read the refusal."""
    size = 0
    message = await receive()
    while message["type"] == "http.request" and message.get("more_body") and size < LARGEST_BODY:
        size += len(cast("bytes", message.get("body", b"")))
        message = await receive()


def decode(decoder: msgspec.json.Decoder[T], body: bytes) -> T:
    """The request in a body.

    Raises:
        InvalidArgument: It is not JSON, says something twice, or does not fit; `field` says where.
    """
    try:
        request = decoder.decode(body or b"{}")
        if body.count(b":") > 1 or _MANY_DIGITS.search(body):
            _refuse_ambiguity(body)
    except msgspec.ValidationError as error:
        raise misfit(error) from error
    except (ValueError, RecursionError) as error:  # msgspec's and json's own are ValueErrors
        raise InvalidArgument(
            _short(f"The body is not valid JSON: {error}"), reason="invalid_json"
        ) from error
    return request


def _refuse_ambiguity(body: bytes) -> None:
    """Look at every key and number; a body as short as it could be says nothing twice."""
    if msgspec.json.encode(msgspec.json.decode(body)) != body or _MANY_DIGITS.search(body):
        _STRICT.decode(body.decode())


def misfit(error: msgspec.ValidationError) -> InvalidArgument:
    """The refusal that names the field msgspec could not accept."""
    message = str(error)
    found = [match[1] for match in (_FIELD.search(message), _NAMED.search(message)) if match]
    return InvalidArgument(
        _short(message),
        reason="invalid_field",
        field=_short(".".join(filter(None, found))) or None,
    )


def _too_large(largest: int) -> ResourceExhausted:
    return ResourceExhausted(
        f"The body is larger than {largest} bytes.", reason="body_too_large", status=413
    )


def _refuse_twice(pairs: list[tuple[str, Any]]) -> None:
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise InvalidArgument(
                f"The key {_short(key)!r} appears twice.", reason="duplicate_key", field=_short(key)
            )
        seen.add(key)


def _refuse_huge(digits: str) -> None:
    if len(digits) > 20 or not -(1 << 63) <= int(digits) < 1 << 63:
        raise InvalidArgument(
            f"The number {_short(digits)} is out of range.", reason="number_out_of_range"
        )


_STRICT = json.JSONDecoder(object_pairs_hook=_refuse_twice, parse_int=_refuse_huge)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_MESSAGE else f"{text[:_LONGEST_MESSAGE]}…"

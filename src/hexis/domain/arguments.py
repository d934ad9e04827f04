"""The arguments a capability takes: a small closed part of JSON Schema, checked and normalised."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from kit.errors import InvalidArgument

ArgumentName = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,39}$(?!\n)")]
Value = str | int | bool
_LARGEST_INTEGER = 2**53 - 1
"""Beyond it readers that count in floating point would see another number than what runs."""
_KINDS: dict[str, type] = {"string": str, "integer": int, "boolean": bool}
_ALLOWED = {
    "string": {"enum", "pattern", "max_length", "default"},
    "integer": {"minimum", "maximum", "default"},
    "boolean": {"default"},
}


class Words(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The same sentence in both languages."""

    en: Annotated[str, Meta(min_length=1, max_length=400)]
    ru: Annotated[str, Meta(min_length=1, max_length=400)]

    def by_language(self) -> dict[str, str]:
        """As the contract carries them."""
        return {"en": self.en, "ru": self.ru}


class Argument(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    rename={"max_length": "maxLength"},
):
    """One declared argument; what has no default must be given."""

    type: Literal["string", "integer", "boolean"]
    description: Words
    enum: list[str] | None = None
    pattern: str | None = None
    """Matched against the whole string."""
    max_length: Annotated[int, Meta(ge=1, le=4000)] | None = None
    minimum: int | None = None
    maximum: int | None = None
    default: Value | None = None


def check_declaration(name: str, argument: Argument) -> None:
    """Refuse a declaration that could not be kept to.

    Raises:
        InvalidArgument: It mixes kinds, leaves a value without bounds, or its default is not valid.
    """
    allowed = _ALLOWED[argument.type]
    for key in ("enum", "pattern", "max_length", "minimum", "maximum"):
        if getattr(argument, key) is not None and key not in allowed:
            raise _declaration(name, f"`{key}` says nothing about a {argument.type}")
    if argument.type == "string":
        _check_string(name, argument)
    if argument.type == "integer":
        if argument.minimum is None or argument.maximum is None:
            raise _declaration(name, "an integer needs `minimum` and `maximum`")
        if not -_LARGEST_INTEGER <= argument.minimum <= argument.maximum <= _LARGEST_INTEGER:
            raise _declaration(name, "`minimum` and `maximum` are out of order or too large")
    if argument.default is not None:
        _checked(name, argument, argument.default)


def normalise(declared: Mapping[str, Argument], given: Mapping[str, Any]) -> dict[str, Value]:
    """The arguments as they will run: complete, in one form, in the order of their names.

    Raises:
        InvalidArgument: One is not declared, missing or not valid; `field` is its path.
    """
    for name in given:
        if name not in declared:
            shown = _shown(name)
            known = ", ".join(sorted(declared)) or "none"
            raise InvalidArgument(
                f"There is no argument {shown!r} here; it takes {known}.",
                reason="argument_unknown",
                field=f"arguments.{shown}",
            )
    complete: dict[str, Value] = {}
    for name in sorted(declared):
        argument = declared[name]
        if name in given:
            complete[name] = _checked(name, argument, given[name])
        elif argument.default is not None:
            complete[name] = argument.default
        else:
            raise InvalidArgument(
                f"The argument {name!r} is needed.",
                reason="argument_missing",
                field=f"arguments.{name}",
            )
    return complete


def schema(declared: Mapping[str, Argument]) -> dict[str, Any]:
    """The closed JSON Schema that callers see."""
    properties: dict[str, Any] = {}
    for name, argument in sorted(declared.items()):
        plain: dict[str, Any] = msgspec.to_builtins(argument)
        described = plain.pop("description")
        properties[name] = {
            **{key: value for key, value in plain.items() if value is not None},
            "description": described["en"],
            "x-descriptions": described,
        }
        if argument.pattern is not None:
            properties[name]["pattern"] = f"^(?:{argument.pattern})$"
    return {
        "type": "object",
        "properties": properties,
        "required": sorted(name for name, each in declared.items() if each.default is None),
        "additionalProperties": False,
    }


def _check_string(name: str, argument: Argument) -> None:
    if argument.enum is None and (argument.pattern is None or argument.max_length is None):
        raise _declaration(name, "a string needs `enum`, or `pattern` and `maxLength`")
    if argument.enum == []:
        raise _declaration(name, "`enum` allows nothing")
    try:
        re.compile(argument.pattern or "")
    except re.error as error:
        raise _declaration(name, f"`pattern` is not valid: {error}") from error


def _checked(name: str, argument: Argument, value: Any) -> Value:
    if type(value) is not _KINDS[argument.type]:
        raise _invalid(name, f"must be a {argument.type}")
    if isinstance(value, str):
        if any(unicodedata.category(letter) in {"Cc", "Cf", "Cs", "Zl", "Zp"} for letter in value):
            raise _invalid(name, "holds control characters")
        if argument.max_length is not None and len(value) > argument.max_length:
            raise _invalid(name, f"is longer than {argument.max_length} characters")
        if argument.enum is not None and value not in argument.enum:
            raise _invalid(name, f"must be one of {', '.join(argument.enum)}")
        if argument.pattern is not None and not re.fullmatch(argument.pattern, value):
            raise _invalid(name, f"must match {argument.pattern}")
    elif not isinstance(value, bool):
        low, high = argument.minimum, argument.maximum
        if (low is not None and value < low) or (high is not None and value > high):
            raise _invalid(name, f"must be from {low} to {high}")
    return value


def _shown(name: str) -> str:
    return ascii(name[:40])[1:-1]


def _invalid(name: str, why: str) -> InvalidArgument:
    return InvalidArgument(
        f"The argument {name!r} {why}.", reason="argument_invalid", field=f"arguments.{name}"
    )


def _declaration(name: str, why: str) -> InvalidArgument:
    return InvalidArgument(
        f"The argument {name!r} is declared wrongly: {why}.",
        reason="declaration_invalid",
        field=f"arguments.{name}",
    )

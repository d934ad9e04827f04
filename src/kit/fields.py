"""A field of a request as an option of a command, and what was typed there as its value."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

import click
import msgspec
from click.shell_completion import CompletionItem
from msgspec.structs import FieldInfo

from kit.contract import Operation
from kit.errors import InvalidArgument

Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
"""Says how a word that was begun may go on."""
_WORDS = {int: click.INT, float: click.FLOAT}


def parameters_of(
    operation: Operation[Any, Any], completion: Mapping[str, Complete] | None = None
) -> list[click.Parameter]:
    """What the command of an operation takes: one parameter a field of its request.

    Args:
        operation: the operation.
        completion: by field, how what is typed there is completed.
    """
    complete = completion or {}
    hints = get_type_hints(operation.request)
    fields = {field.name: field for field in msgspec.structs.fields(operation.request)}
    others = [name for name in fields if name not in operation.positional]
    return [
        _parameter(fields[name], _plain(hints[name]), operation, complete.get(name))
        for name in (*operation.positional, *others)
    ]


def request_of(operation: Operation[Any, Any], typed: dict[str, Any]) -> Any:
    """The request that was typed; what was left out keeps the default of the contract.

    Raises:
        InvalidArgument: A value does not fit; `field` says which.
    """
    hints = get_type_hints(operation.request)
    given = {
        name: _value(name, _plain(hints[name]), value)
        for name, value in typed.items()
        if value not in (None, ())
    }
    try:
        return msgspec.convert(given, operation.request, strict=False)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at `$")
        field = path.strip("`.") or _named_in(message)
        raise InvalidArgument(f"{message}.", field=field) from error


def option_of(name: str) -> str:
    """The option that stands for a field."""
    return f"--{name.replace('_', '-')}"


def _parameter(
    field: FieldInfo, kind: Any, operation: Operation[Any, Any], complete: Complete | None
) -> click.Parameter:
    several = get_origin(kind) in (list, dict)
    word = _word(_plain(get_args(kind)[0]) if get_origin(kind) is list else kind)
    if field.name in operation.positional:
        last = field.name == operation.positional[-1]
        return click.Argument(
            [field.name],
            type=word,
            required=field.required,
            nargs=-1 if several and last else 1,
            shell_complete=complete,
        )
    if kind is bool:
        flags = f"{option_of(field.name)}/--no-{field.name.replace('_', '-')}"
        return click.Option([flags, field.name], default=None, required=field.required)
    return click.Option(
        [option_of(field.name), field.name],
        type=word,
        metavar=_metavar(kind),
        multiple=several,
        required=field.required,
        shell_complete=complete,
    )


def _word(kind: Any) -> click.ParamType[Any]:
    if get_origin(kind) is Literal:
        return click.Choice([str(choice) for choice in get_args(kind)])
    return _WORDS.get(kind, click.STRING)


def _metavar(kind: Any) -> str | None:
    if get_origin(kind) is dict:
        return "KEY=VALUE"
    if get_origin(kind) is list:
        return _metavar(_plain(get_args(kind)[0]))
    if kind is datetime:
        return "TIME"
    if kind is date:
        return "DATE"
    return None if _is_word(kind) else "JSON"


def _value(name: str, kind: Any, typed: Any) -> Any:
    if get_origin(kind) is dict:
        return _mapping(name, kind, [typed] if isinstance(typed, str) else list(typed))
    if get_origin(kind) is list:
        element = _plain(get_args(kind)[0])
        words = [typed] if isinstance(typed, str) else list(typed)
        if _is_word(element):
            return [_text(name, word) if isinstance(word, str) else word for word in words]
        values = [_json(name, word) for word in words]
        whole = len(values) == 1 and isinstance(values[0], list)
        return cast("list[Any]", values[0] if whole else values)
    if not isinstance(typed, str):
        return typed
    if kind is datetime:
        return _instant(name, typed)
    return _text(name, typed) if _is_word(kind) or kind is date else _json(name, typed)


def _mapping(name: str, kind: Any, words: list[str]) -> dict[str, Any]:
    """`KEY=VALUE` as often as needed, or a JSON object; the two may be mixed."""
    as_text = _plain(get_args(kind)[1]) is str
    mapping: dict[str, Any] = {}
    for word in words:
        if word[:1] in "{@":
            whole = _json(name, word)
            if not isinstance(whole, dict):
                raise InvalidArgument(f"{option_of(name)} is a JSON object.", field=name)
            mapping |= cast("dict[str, Any]", whole)
            continue
        key, equals, value = word.partition("=")
        if not equals:
            raise InvalidArgument(f"{option_of(name)} is KEY=VALUE or a JSON object.", field=name)
        mapping[_text(name, key)] = _text(name, value) if as_text else _json_or_text(name, value)
    return mapping


def _json(name: str, typed: str) -> Any:
    """JSON as typed, or `@FILE`, or `@-` for what comes in."""
    if typed.startswith("@"):
        try:
            typed = sys.stdin.read() if typed == "@-" else Path(typed[1:]).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidArgument(f"{typed[1:]} cannot be read: {error}", field=name) from error
    try:
        return msgspec.json.decode(_text(name, typed))
    except msgspec.DecodeError as error:
        raise InvalidArgument(
            f"{option_of(name)} is JSON, or @FILE that holds it: {error}.", field=name
        ) from error


def _json_or_text(name: str, typed: str) -> Any:
    try:
        return msgspec.json.decode(_text(name, typed))
    except msgspec.DecodeError:
        return typed


def _instant(name: str, typed: str) -> datetime:
    """An instant; one without a zone is meant in the zone of this machine."""
    try:
        return datetime.fromisoformat(typed).astimezone()
    except ValueError as error:
        raise InvalidArgument(
            f"{option_of(name)} is a time such as 2026-11-30T14:00 or 2026-11-30T14:00Z.",
            field=name,
        ) from error


def _text(name: str, typed: str) -> str:
    try:
        typed.encode()
    except UnicodeEncodeError as error:
        raise InvalidArgument(f"{option_of(name)} is not UTF-8.", field=name) from error
    return typed


def _named_in(message: str) -> str | None:
    return message.split("`")[1] if "field `" in message else None


def _is_word(kind: Any) -> bool:
    """Whether one plain word on the command line says it."""
    return kind in (str, int, float, bool) or get_origin(kind) is Literal


def _plain(hint: Any) -> Any:
    """The type below `| None`."""
    if get_origin(hint) in (Union, types.UnionType):
        named = [choice for choice in get_args(hint) if choice is not type(None)]
        return _plain(named[0]) if len(named) == 1 else hint
    return hint

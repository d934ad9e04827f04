"""The command line of a part, made from its operation table."""

from __future__ import annotations

import asyncio
import sys
import types
from collections.abc import Callable
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import click
import msgspec

from kit.client import Client
from kit.contract import Operation
from kit.errors import InvalidArgument, ServiceError
from kit.local import connect, person
from kit.settings import load

S = TypeVar("S", bound=msgspec.Struct)
PROGRAM = "cli"
"""The program whose credential the parts' commands use."""
EXIT = {
    "invalid_argument": 2,
    "unauthenticated": 77,
    "permission_denied": 77,
    "not_found": 4,
    "conflict": 5,
    "failed_precondition": 6,
    "unavailable": 69,
    "deadline_exceeded": 75,
    "outcome_unknown": 76,
}
"""Exit status per canonical code, after sysexits.h where it has one; anything else is 70."""


def command_line(
    client: type[Client], *extra: click.Command, help_text: str | None = None
) -> click.Group:
    """The group of commands of one part, with `extra` beside them."""
    name = client.contract.name
    group = click.Group(name, help=help_text or sys.modules[name].__doc__)
    for operation in client.contract.operations.values():
        command = _command(client, operation)
        group.add_command(command)
        if operation.alias:
            group.add_command(command, operation.alias)
    for command in extra:
        group.add_command(command)
    return group


def serve_command(part: str, settings: type[S]) -> Callable[[Callable[[S], None]], click.Command]:
    """Make a function that serves a part into its `serve` command."""

    def decorate(serve: Callable[[S], None]) -> click.Command:
        def callback() -> None:
            from kit import log  # noqa: PLC0415 - only a serving process logs

            with reporting():
                values = load(settings, part)
                log.configure(part, getattr(values, "log_level", "info"))
                serve(values)

        return click.Command("serve", callback=callback, help=serve.__doc__)

    return decorate


class reporting:  # noqa: N801 - used as a statement
    """Turn a failure inside the block into one clear line and an exit status."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ServiceError):
            where = f" ({error.field})" if error.field else ""
            click.echo(f"{error.code}{where}: {error.message}", err=True)
            raise SystemExit(EXIT.get(error.code, 70)) from error


def _command(client: type[Client], operation: Operation[Any, Any]) -> click.Command:
    hints = get_type_hints(operation.request)
    fields = msgspec.structs.fields(operation.request)
    parameters = [_parameter(field, hints[field.name], operation) for field in fields]
    as_json = click.Option(["--json", "as_json"], is_flag=True, help="Print the reply as JSON.")

    def callback(as_json: bool, **values: Any) -> None:
        with reporting():
            request = _request(operation, values)
            reply = asyncio.run(_call(client, operation, request))
            click.echo(_render(reply, as_json=as_json))

    return click.Command(
        operation.name.replace("_", "-"),
        params=[*parameters, as_json],
        callback=callback,
        help=operation.summary,
    )


async def _call(client: type[Client], operation: Operation[Any, Any], request: Any) -> Any:
    async with connect(client, PROGRAM, requester=person()) as connected:
        return await connected.call(operation, request)


def _request(operation: Operation[Any, Any], values: dict[str, Any]) -> Any:
    given = {name: value for name, value in values.items() if value not in (None, ())}
    hints = get_type_hints(operation.request)
    for name, value in given.items():
        if isinstance(value, str) and not _is_text(hints[name]):
            given[name] = _parse(name, value)
    try:
        return msgspec.convert(given, operation.request, strict=False)
    except msgspec.ValidationError as error:
        raise InvalidArgument(str(error)) from error


def _parse(name: str, text: str) -> Any:
    if text[:1] not in "{[":
        return text
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise InvalidArgument(f"--{name.replace('_', '-')} is JSON: {error}", field=name) from error


def _parameter(
    field: msgspec.structs.FieldInfo, hint: Any, operation: Operation[Any, Any]
) -> click.Parameter:
    if field.name in operation.positional:
        return click.Argument([field.name], required=field.required)
    flag = f"--{field.name.replace('_', '-')}"
    kind = _plain(hint)
    if get_origin(kind) is Literal:
        choices = click.Choice([str(choice) for choice in get_args(kind)])
        return click.Option([flag, field.name], type=choices, required=field.required)
    if get_origin(kind) is list and _is_text(get_args(kind)[0]):
        return click.Option([flag, field.name], multiple=True, required=field.required)
    metavar = "TEXT" if _is_text(hint) else "JSON" if get_origin(kind) else None
    return click.Option([flag, field.name], metavar=metavar, required=field.required)


def _is_text(hint: Any) -> bool:
    kind = _plain(hint)
    return kind is str or (get_origin(kind) is Literal)


def _plain(hint: Any) -> Any:
    """The type below `Annotated` and `| None`."""
    if get_origin(hint) in (Union, types.UnionType):
        named = [choice for choice in get_args(hint) if choice is not type(None)]
        return _plain(named[0]) if len(named) == 1 else hint
    return hint


def _render(reply: Any, *, as_json: bool) -> str:
    data = msgspec.to_builtins(reply)
    if as_json:
        return msgspec.json.format(msgspec.json.encode(data), indent=2).decode()
    return "\n".join(_lines(data)) or "(nothing)"


def _lines(data: Any, indent: str = "") -> list[str]:
    """An indented outline: plain text that reads the same in a pipe and on a terminal."""
    lines: list[str] = []
    if isinstance(data, dict):
        for key, value in data.items():
            if value in (None, "", [], {}):
                continue
            if isinstance(value, dict | list):
                lines += [f"{indent}{key}:", *_lines(value, f"{indent}  ")]
            else:
                lines.append(f"{indent}{key}: {_scalar(value)}")
    elif isinstance(data, list):
        for value in data:
            inner = _lines(value, f"{indent}  ")
            lines += [f"{indent}- {inner[0].lstrip()}", *inner[1:]] if inner else []
    else:
        lines.append(f"{indent}{_scalar(data)}")
    return lines


def _scalar(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)

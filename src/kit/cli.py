"""The command line of a part, made from its operation table.

Completion is click's own: `eval "$(_NEXUS_COMPLETE=bash_source nexus)"` (or `zsh_source`,
`fish_source`) teaches the shell the commands and options of `nexus`, and so on for each part.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import click
import msgspec

from kit.client import Client
from kit.contract import Operation, Rep, Req, Request
from kit.errors import ServiceError
from kit.fields import Complete, parameters_of, request_of
from kit.local import connect, person
from kit.render import as_json, as_json_line, as_outline, as_table, visible_line
from kit.settings import load

S = TypeVar("S", bound=msgspec.Struct)
ExitStatus = Callable[[Any], int]
"""Reads a reply; 0 where the answer is the plain one."""
Shown = Callable[[Any], str]
"""Says a reply to a person in words that suit its operation."""
PROGRAM = "cli"
"""The program whose credential the parts' commands use."""
EXIT = {
    "invalid_argument": 2,
    "not_found": 4,
    "conflict": 5,
    "failed_precondition": 6,
    "unavailable": 69,
    "deadline_exceeded": 75,
    "resource_exhausted": 75,
    "outcome_unknown": 76,
    "unauthenticated": 77,
    "permission_denied": 77,
}
"""Exit status per canonical code, after sysexits.h where it has one; anything else is 70."""
_WAY_OUT = {
    "unreachable": "`make up` starts what does not run; `ecosystem doctor` says what is wrong.",
    "credential_unknown": "`ecosystem doctor` says which credential is out of step.",
}
"""What to do about a failure that does not say it itself, by reason."""


def command_line(
    client: type[Client],
    *extra: click.Command,
    help_text: str | None = None,
    exit_status: Mapping[str, ExitStatus] | None = None,
    shown: Mapping[str, Shown] | None = None,
    completion: Mapping[str, Complete] | None = None,
) -> click.Group:
    """The group of commands of one part, with `extra` beside them.

    Args:
        client: the client of the part.
        *extra: further commands.
        help_text: what the group is for; None takes it from the part.
        exit_status: by operation, what a reply that is no failure still has to tell a script.
        shown: by operation, how its reply is said to a person; others are tables and outlines.
        completion: by field of a request, what may stand there given what is typed so far.
    """
    name = client.contract.name
    group = _PartGroup(
        client,
        name,
        exit_status or {},
        shown or {},
        completion or {},
        help=help_text or sys.modules[name].__doc__,
        epilog=f'Completion in bash: eval "$(_{name.upper()}_COMPLETE=bash_source {name})"',
    )
    for command in extra:
        group.add_command(command)
    return group


def serve_command(part: str, settings: type[S]) -> Callable[[Callable[[S], None]], click.Command]:
    """Make a function that serves a part into its `serve` command."""

    def decorate(serve: Callable[[S], None]) -> click.Command:
        def callback() -> None:
            from kit import log  # only a serving process logs

            with reporting():
                values = load(settings, part)
                log.configure(part, getattr(values, "log_level", "info"))
                serve(values)

        return click.Command("serve", callback=callback, help=serve.__doc__)

    return decorate


@contextmanager
def reporting() -> Generator[None]:
    """Turn a failure inside the block into one line on stderr and an exit status."""
    try:
        yield
    except ServiceError as error:
        click.echo(failure_line(error), err=True)
        raise SystemExit(EXIT.get(error.code, 70)) from error


def failure_line(error: ServiceError) -> str:
    """Code, field, what went wrong and the way out, in one line."""
    where = f" ({error.field})" if error.field else ""
    way_out = _WAY_OUT.get(error.reason or "", "")
    return visible_line(f"{error.code}{where}: {error.message} {way_out}".rstrip())


class _PartGroup(click.Group):
    """Commands of a part; those of operations are made when they are asked for."""

    def __init__(
        self,
        client: type[Client],
        name: str,
        exit_status: Mapping[str, ExitStatus],
        shown: Mapping[str, Shown],
        completion: Mapping[str, Complete],
        **settings: Any,
    ) -> None:
        super().__init__(name, **settings)
        self._client = client
        self._exit_status = exit_status
        self._shown = shown
        self._completion = completion
        self._operations = {
            _command_name(operation): operation for operation in client.contract.operations.values()
        }
        self._aliases = {
            operation.alias: name for name, operation in self._operations.items() if operation.alias
        }

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One of the added commands, or else that of an operation or its alias."""
        added = super().get_command(ctx, cmd_name)
        operation = self._operations.get(self._aliases.get(cmd_name, cmd_name))
        if added is not None or operation is None:
            return added
        return _OperationCommand(
            self._client,
            operation,
            self._exit_status.get(operation.name),
            self._shown.get(operation.name),
            self._completion,
        )

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The added ones, then those of the operations."""
        return [*self.commands, *(name for name in self._operations if name not in self.commands)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What the part adds stands before the operations of its contract."""
        added = [(name, command.get_short_help_str(100)) for name, command in self.commands.items()]
        operations = [
            (f"{name}, {operation.alias}" if operation.alias else name, operation.summary)
            for name, operation in self._operations.items()
            if name not in self.commands
        ]
        for title, rows in (("Commands", added), ("Operations", operations)):
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


class _OperationCommand(click.Command):
    """Call one operation and print the reply."""

    def __init__(
        self,
        client: type[Client],
        operation: Operation[Any, Any],
        exit_status: ExitStatus | None,
        shown: Shown | None,
        completion: Mapping[str, Complete],
    ) -> None:
        self._client = client
        self._operation = operation
        self._exit_status = exit_status
        self._shown = shown
        as_json = click.Option(["--json", "as_json"], is_flag=True, help="Print the reply as JSON.")
        super().__init__(
            _command_name(operation),
            params=[*parameters_of(operation, completion), as_json],
            callback=self._run,
            help=operation.summary,
        )

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The help; what the contract says about each field is read only now."""
        from kit.field_help import help_of

        said = help_of(self._operation)
        for parameter in self.params:
            if isinstance(parameter, click.Option) and not parameter.help:
                parameter.help = said.get(parameter.name or "")
        arguments = [p for p in self.params if isinstance(p, click.Argument)]
        super().format_help(ctx, formatter)
        rows = [(p.make_metavar(ctx), said.get(p.name or "", "")) for p in arguments]
        if any(text for _, text in rows):
            with formatter.section("Arguments"):
                formatter.write_dl(rows)

    def _run(self, as_json: bool, **typed: Any) -> None:
        with reporting():
            request = request_of(self._operation, typed)
            client = connect(self._client, PROGRAM, requester=person())
            if self._operation.streams:
                _print_all(client, self._operation, request)
                return
            reply = asyncio.run(call(client, self._operation, request))
        if self._shown is None or as_json:
            show(reply, json=as_json)
        else:
            click.echo(self._shown(reply))
        if self._exit_status is not None and (status := self._exit_status(reply)):
            raise SystemExit(status)


async def call(client: Client, operation: Operation[Req, Rep], request: Req) -> Rep:
    """Call one operation, and let go of the client."""
    async with client:
        return await client.call(operation, request)


def _print_all(client: Client, operation: Operation[Any, Any], request: Request) -> None:
    """Print each reply of a stream as a line of JSON, until it ends or is interrupted."""

    async def follow() -> None:
        async with client:
            async for reply in client.follow(operation, request):
                click.echo(as_json_line(reply))

    try:
        asyncio.run(follow())
    except KeyboardInterrupt:
        raise SystemExit(130) from None


def show(reply: object, *, json: bool = False) -> None:
    """Print a reply: JSON when asked for, a table where one fits a terminal, else an outline."""
    if json:
        click.echo(as_json(reply))
        return
    table = None
    if sys.stdout.isatty():
        import shutil  # what archives cost is not paid for a line of text

        table = as_table(reply, shutil.get_terminal_size().columns)
    click.echo(table or as_outline(reply))


def _command_name(operation: Operation[Any, Any]) -> str:
    return operation.name.replace("_", "-")

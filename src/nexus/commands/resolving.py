"""The command `nexus resolve-batch`: many texts from the command line or the standard input."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from typing import Any, get_args

import click

from kit.cli import PROGRAM, reporting, show
from kit.errors import InvalidArgument
from kit.fields import request_of
from kit.local import connect, person
from nexus.client import NexusClient
from nexus.commands import answers
from nexus.commands.completing import names
from nexus.contract import (
    RESOLVE,
    BatchResolution,
    Language,
    Purpose,
    Resolve,
    ResolveBatch,
)

_AT_ONCE = 500
_MOST = 100_000


@click.command("resolve-batch")
@click.argument("texts", nargs=-1, metavar="[TEXT]...", shell_complete=names)
@click.option("--types", multiple=True, help="Only entities of these types, by prefix.")
@click.option("--language", type=click.Choice(get_args(Language)), help="For the labels.")
@click.option("--purpose", type=click.Choice(get_args(Purpose)))
@click.option("--focus", multiple=True, help="Entities the conversation is about.")
@click.option("--json", "as_json", is_flag=True, help="Print the reply as JSON.")
def resolve_batch_command(texts: tuple[str, ...], as_json: bool, **typed: Any) -> None:
    """Resolve many texts: the arguments, or else each line of the standard input.

    The answers stand in the order of the texts. The exit status is 0 when every text is resolved, 4
    when one is not found, else 3 when one is ambiguous.
    """
    with reporting():
        asked = list(texts) or _lines()
        questions = [request_of(RESOLVE, {**typed, "text": text}) for text in asked]
        batch = asyncio.run(_resolve(questions))
    if as_json:
        show(batch, json=True)
    else:
        click.echo(answers.said_of_batch(asked, batch))
    raise SystemExit(answers.exit_status_of_batch(batch))


def _lines() -> list[str]:
    """The lines that come in, but for empty ones."""
    try:
        lines = [line.strip() for line in sys.stdin]
    except UnicodeDecodeError as error:
        raise InvalidArgument("The standard input is not UTF-8.", field="text") from error
    asked = [line for line in lines if line]
    if not 0 < len(asked) <= _MOST:
        raise InvalidArgument(
            f"Give 1 to {_MOST} texts, as arguments or as lines of the standard input.",
            field="text",
        )
    return asked


async def _resolve(questions: Sequence[Resolve]) -> BatchResolution:
    found = BatchResolution(answers=[])
    async with connect(NexusClient, PROGRAM, requester=person()) as nexus:
        for start in range(0, len(questions), _AT_ONCE):
            some = ResolveBatch(questions=list(questions[start : start + _AT_ONCE]))
            found.answers.extend((await nexus.resolve_batch(some)).answers)
    return found

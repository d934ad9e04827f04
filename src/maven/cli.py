"""The command `maven`: talk with Maven, look into a turn, serve."""

from __future__ import annotations

import asyncio
import sys

import click

from kit.cli import command_line, reporting, show
from kit.errors import InvalidArgument, OutcomeUnknown
from maven.client import MavenClient
from maven.contract import Answer
from maven.terminal.channel import CONVERSATION, Channel
from maven.terminal.plain import answer_text

_CONVERSATION = click.option(
    "--conversation",
    default=CONVERSATION,
    show_default=True,
    metavar="NAME",
    help="Which conversation this belongs to.",
)
_JSON = click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")


@click.command()
@click.argument("utterance")
@_CONVERSATION
@click.option("--timeout-s", type=float, help="How long to wait for the answer.  [default: 60]")
@_JSON
def ask(utterance: str, conversation: str, timeout_s: float | None, as_json: bool) -> None:
    """Say something, print the answer, and leave.

    UTTERANCE in Russian or English; `-` reads it from the standard input. What was asked back is
    answered by the next `maven ask`, as in `maven ask yes`.
    """

    async def say() -> Answer:
        channel = Channel.open(conversation)
        turn = channel.turn(_spoken(utterance))
        async with channel.client:
            try:
                return await channel.take(turn, timeout_s)
            except OutcomeUnknown as error:
                raise OutcomeUnknown(
                    f"{error.message} `maven trace {turn.turn_id}` shows what became of it.",
                    reason=error.reason,
                ) from error

    with reporting():
        answer = asyncio.run(say())
    if as_json:
        show(answer, json=True)
    else:
        click.echo(answer_text(answer))


def _spoken(utterance: str) -> str:
    text = sys.stdin.read() if utterance == "-" else utterance
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace").strip()
    if not text:
        raise InvalidArgument("Say something.", field="utterance")
    return text


main: click.Group = command_line(MavenClient, ask)

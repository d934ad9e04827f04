"""The command `maven`: talk with Maven, look into a turn, serve."""

from __future__ import annotations

import asyncio
import os
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


@click.command()
@_CONVERSATION
@click.option(
    "--wait-s",
    type=click.FloatRange(min=0),
    default=0.0,
    help="In a pipe: how long to listen for news after the last line.",
)
def chat(conversation: str, wait_s: float) -> None:
    """Talk with Maven, and hear what it says unasked.

    On a terminal: a line to type in, with history and suggestions. In a pipe: one utterance a
    line, plain answers in order, news on lines that begin with `*`.
    """
    with reporting():
        channel = Channel.open(conversation)
        if sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
            from maven.terminal.prompt import converse  # a pipe does not pay for a line editor

            status = asyncio.run(converse(channel))
        else:
            from maven.terminal import pipe

            status = asyncio.run(pipe.converse(channel, wait_s))
    raise SystemExit(status)


def _spoken(utterance: str) -> str:
    text = sys.stdin.read() if utterance == "-" else utterance
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace").strip()
    if not text:
        raise InvalidArgument("Say something.", field="utterance")
    return text


main: click.Group = command_line(MavenClient, ask, chat)

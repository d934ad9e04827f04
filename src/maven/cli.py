"""The command `maven`: talk with Maven, look into a turn, serve."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import sys

import click

from kit.cli import PROGRAM, call, command_line, reporting, serve_command, show
from kit.contract import Operation, Rep, Req
from kit.errors import InvalidArgument, OutcomeUnknown
from kit.local import connect, language_here, person
from maven.client import MavenClient
from maven.contract import (
    GET_TURN,
    LIST_NOTIFICATIONS,
    LIST_TURNS,
    Answer,
    GetTurn,
    ListNotifications,
    ListTurns,
    Notification,
    TakeTurn,
)
from maven.settings import Settings
from maven.terminal.channel import Channel
from maven.terminal.listening import Listener
from maven.terminal.plain import answer_text, notification_text, turn_row
from maven.terminal.words import WORDS

_CONVERSATION = click.option(
    "--conversation",
    metavar="NAME",
    help="Which conversation this belongs to.  [default: that of this terminal]",
)
_TURN_ID = re.compile(r"trn_[0-9a-z]{10,40}")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")


@serve_command("maven", Settings)
def serve(settings: Settings) -> None:
    """Serve Maven until told to stop."""
    from maven.serving import serve as serve_maven  # a client command does not pay for a server

    serve_maven(settings)


@click.command()
@click.argument("utterance")
@_CONVERSATION
@click.option("--timeout-s", type=float, help="How long to wait for the answer.  [default: 60]")
@_JSON
def ask(utterance: str, conversation: str | None, timeout_s: float | None, as_json: bool) -> None:
    """Say something, print the answer, and leave.

    UTTERANCE in Russian or English; `-` reads it from the standard input. What was asked back is
    answered by the next `maven ask` in the same terminal, as in `maven ask yes`.
    """

    async def say(channel: Channel, turn: TakeTurn) -> Answer:
        async with channel.client:
            try:
                return await channel.take(turn, timeout_s)
            except OutcomeUnknown as error:
                raise OutcomeUnknown(
                    f"{error.message} `maven trace {turn.turn_id}` shows what became of it.",
                    reason=error.reason,
                ) from error

    with reporting():
        channel = Channel.open(conversation)
        answer = asyncio.run(say(channel, channel.turn(_spoken(utterance))))
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
def chat(conversation: str | None, wait_s: float) -> None:
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


@click.command()
@click.argument("turn", default="last")
@click.option("--wide", is_flag=True, help="Show summaries whole, whatever the width.")
@_JSON
def trace(turn: str, wide: bool, as_json: bool) -> None:
    """Show a turn as a tree: every stage and every call to another part.

    TURN is an id, or `last` for your newest.
    """
    import shutil

    from maven.terminal.trace_view import coloured, plain, trace_view  # `ask` needs neither

    with reporting():
        record = _called(GET_TURN, GetTurn(None if turn == "last" else _turn_id(turn)))
    if as_json:
        show(record, json=True)
        return
    here = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if here and not wide else None
    paint = coloured if here and not os.environ.get("NO_COLOR") else plain
    click.echo(trace_view(record, paint, width))


@click.command()
@click.option("--conversation", metavar="NAME", help="Only of this conversation.")
@click.option("--limit", type=click.IntRange(1, 500), default=20, show_default=True)
@_JSON
def turns(conversation: str | None, limit: int, as_json: bool) -> None:
    """List past turns, newest first."""
    with reporting():
        past = _called(LIST_TURNS, ListTurns(conversation, limit))
    if as_json:
        show(past, json=True)
    else:
        show({"turns": [turn_row(turn) for turn in past.turns]})


@click.command()
@click.option("--follow", is_flag=True, help="Go on listening until Ctrl-C.")
@click.option("--after", type=click.IntRange(min=0), default=0, help="Only after this cursor.")
@_JSON
def notifications(follow: bool, after: int, as_json: bool) -> None:
    """Show what Maven said unasked, oldest first."""

    def tell(notification: Notification) -> None:
        click.echo(notification_text(notification))

    def link(there: bool) -> None:
        if not there:
            click.echo(WORDS[language_here()].away, err=True)

    async def listen(client: MavenClient) -> None:
        async with client:
            await Listener(client, tell, link, after).run()

    with reporting():
        if follow:
            with contextlib.suppress(KeyboardInterrupt):
                asyncio.run(listen(connect(MavenClient, PROGRAM, requester=person())))
            return
        told = _called(LIST_NOTIFICATIONS, ListNotifications(after, limit=500))
    if as_json:
        show(told, json=True)
    else:
        for notification in told.notifications:
            tell(notification)


def _called(operation: Operation[Req, Rep], request: Req) -> Rep:
    client = connect(MavenClient, PROGRAM, requester=person())
    return asyncio.run(call(client, operation, request))


def _turn_id(text: str) -> str:
    if not _TURN_ID.fullmatch(text):
        raise InvalidArgument(WORDS[language_here()].no_turn_id)
    return text


def _spoken(utterance: str) -> str:
    text = sys.stdin.read() if utterance == "-" else utterance
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace").strip()
    if not text:
        raise InvalidArgument(WORDS[language_here()].say_something)
    return text


_HELP = """Talk with Maven, in Russian or in English.

\b
  maven chat                           a conversation, with news as it comes
  maven ask "what needs attention?"    one utterance, one answer
  maven ask "как там векна?"
  maven trace                          what your last turn did, call by call

The other commands are the operations of Maven's contract, for scripts.
"""

main: click.Group = command_line(
    MavenClient, ask, chat, trace, turns, notifications, serve, help_text=_HELP
)

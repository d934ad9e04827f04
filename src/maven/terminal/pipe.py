"""Chat without a terminal: lines in, plain answers out, news on lines of their own."""

from __future__ import annotations

import asyncio
import codecs
import os
import sys
import threading
from collections.abc import AsyncGenerator

import click

from kit.cli import EXIT, failure_line
from kit.errors import ServiceError, Unavailable
from kit.render import visible
from maven.contract import Answer, Notification
from maven.terminal.channel import Channel
from maven.terminal.chat import Chat
from maven.terminal.listening import is_away
from maven.terminal.plain import answer_text, notification_text

_PATIENCE_S = 60.0
"""How long a line waits for a Maven that went away."""
_PAUSE_S = 0.1
"""Before a line that was not sent is said again."""
_AHEAD = 64
"""Pieces of input read ahead."""


class PlainScreen:
    """Answers and news on stdout, the terminal's own words on stderr."""

    def __init__(self) -> None:
        self.chat: Chat | None = None
        self._met = False

    def answer(self, answer: Answer) -> None:
        """Print the answer."""
        click.echo(answer_text(answer))

    def news(self, notification: Notification) -> None:
        """Print the notification on its own line."""
        click.echo(notification_text(notification))

    def note(self, text: str) -> None:
        """Print it where it does not mix with answers."""
        click.echo(visible(text), err=True)

    def link(self, there: bool) -> None:
        """Say that Maven went away or came back; that it is there at first goes without saying."""
        if self._met and self.chat is not None:
            self.note(self.chat.words.back if there else self.chat.words.away)
        self._met = True


async def converse(channel: Channel, wait_s: float) -> int:
    """Say each line of the standard input, then listen `wait_s` longer; the exit status.

    Raises:
        ServiceError: Maven cannot be reached to begin with.
    """
    screen = PlainScreen()
    chat = screen.chat = Chat(channel, screen)
    await chat.listener.hear()
    return await chat.listening(_say_all(chat, screen, wait_s))


async def _say_all(chat: Chat, screen: PlainScreen, wait_s: float) -> int:
    status = 0
    async for line in _lines():
        failure = await _say(chat, line)
        if failure is not None:
            status = EXIT.get(failure.code, 70)
            if is_away(failure):
                screen.note(failure_line(failure))
    await asyncio.sleep(wait_s)
    return status


async def _say(chat: Chat, line: str) -> ServiceError | None:
    """Say it once Maven is there; a line that was never sent may wait for that."""
    loop = asyncio.get_running_loop()
    patience_ends = loop.time() + _PATIENCE_S
    while True:
        try:
            async with asyncio.timeout_at(patience_ends):
                await chat.listener.connected.wait()
        except TimeoutError:
            return Unavailable(chat.words.not_sent, reason="unreachable")
        failure = await chat.say(line)
        if failure is None or not is_away(failure) or loop.time() > patience_ends:
            return failure
        await asyncio.sleep(_PAUSE_S)


async def _lines() -> AsyncGenerator[str]:
    """Lines of the standard input that hold something, as they come.

    A thread reads the descriptor itself, so that leaving never waits for input.
    """
    loop = asyncio.get_running_loop()
    pieces: asyncio.Queue[bytes] = asyncio.Queue(_AHEAD)
    descriptor = sys.stdin.fileno()

    def read() -> None:
        piece = b"."
        while piece:
            piece = os.read(descriptor, 65536)
            try:
                asyncio.run_coroutine_threadsafe(pieces.put(piece), loop).result()
            except RuntimeError:  # the loop has ended
                return

    threading.Thread(target=read, name="stdin", daemon=True).start()
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    rest = ""
    while piece := await pieces.get():
        *whole, rest = (rest + decoder.decode(piece)).split("\n")
        for line in filter(None, map(str.strip, whole)):
            yield line
    if last := (rest + decoder.decode(b"", final=True)).strip():
        yield last

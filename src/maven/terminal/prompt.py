"""Chat on a terminal: a line to type in, the conversation above, what is waited for below."""

from __future__ import annotations

import asyncio
import shutil
import time
from datetime import UTC, datetime

from prompt_toolkit import PromptSession
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.renderer import print_formatted_text
from prompt_toolkit.styles import Style

from kit.cli import failure_line
from kit.errors import Unavailable
from kit.settings import home
from maven.contract import Answer, Notification
from maven.terminal.cards import (
    STYLE,
    Fragments,
    answer_card,
    news_card,
    note_card,
    waiting_line,
)
from maven.terminal.channel import Channel
from maven.terminal.chat import Chat
from maven.terminal.listening import is_away
from maven.terminal.typing_aid import Complete, PrivateHistory, Suggest

_STYLE = Style.from_dict(STYLE)
_PATIENCE_S = 0.4
"""How long an answer may take before it is said that Maven thinks."""
_REFRESH_S = 0.25
"""How often the line below is looked at."""
_CHECK_S = 2.0
"""How often it is asked whether a proposal still waits."""


async def converse(channel: Channel) -> int:
    """Chat on this terminal until the person leaves; the exit status.

    Raises:
        ServiceError: Maven refuses to talk here; being away is no refusal.
    """
    screen = PromptScreen(channel)
    try:
        await screen.chat.listener.hear()
    except Unavailable as error:
        screen.note(failure_line(error))
    return await screen.chat.listening(screen.run())


class PromptScreen:
    """The conversation on a terminal. Enter sends only while Maven is there and has answered."""

    def __init__(self, channel: Channel) -> None:
        self.chat = Chat(channel, self)
        self._asked: Answer | None = None
        """The answer that waits for a yes or a choice."""
        self._there = True
        self._unsent = ""
        self._turn: asyncio.Task[None] | None = None
        self._turn_began = 0.0
        self._session: PromptSession[str] = PromptSession(
            [("class:prompt", "› ")],
            style=_STYLE,
            history=PrivateHistory(home() / "maven" / "history"),
            auto_suggest=Suggest(),
            completer=Complete(lambda: self.chat.language),
            complete_while_typing=False,
            key_bindings=self._keys(),
            enable_suspend=True,
            reserve_space_for_menu=6,
        )

    async def run(self) -> int:
        """Take what is typed until Ctrl-D."""
        self.note(self.chat.words.hint)
        beside = [asyncio.create_task(self._refresh()), asyncio.create_task(self._check())]
        try:
            with patch_stdout():
                while True:
                    typed = await self._session.prompt_async(default=self._unsent)
                    self._unsent = ""
                    if typed.strip():
                        self._turn_began = time.monotonic()
                        self._turn = asyncio.create_task(self._say(typed))
        except EOFError:
            return 0
        finally:
            for task in beside:
                task.cancel()
            if self._turn is not None:
                self._turn.cancel()

    def answer(self, answer: Answer) -> None:
        """Print the answer; remember what it asks back."""
        self._asked = answer if answer.expects != "nothing" else None
        self._print(answer_card(answer, self.chat.words, _width()))

    def news(self, notification: Notification) -> None:
        """Print the notification above the line that is being typed."""
        self._print(news_card(notification, _width()))

    def note(self, text: str) -> None:
        """Print it quietly."""
        self._print(note_card(text, _width()))

    def link(self, there: bool) -> None:
        """Say once that Maven went away, and once that it is back."""
        if there != self._there:
            words = self.chat.words
            said, style = (words.back, "back") if there else (words.away, "away")
            self._print(note_card(said, _width(), style))
        self._there = there

    async def _say(self, typed: str) -> None:
        self._asked = None
        failure = await self.chat.say(typed.strip())
        if failure is not None and is_away(failure):
            self.link(there=False)
            self._give_back(typed)

    def _give_back(self, typed: str) -> None:
        """Put what was not sent where it was typed."""
        buffer = self._session.default_buffer
        if self._session.app.is_running and not buffer.text:
            buffer.insert_text(typed)
        else:
            self._unsent = typed
            self.note(f"{self.chat.words.not_sent}: {typed}")

    @property
    def _is_busy(self) -> bool:
        return self._turn is not None and not self._turn.done()

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("c-c")
        @keys.add("<sigint>")
        def clear(event: KeyPressEvent) -> None:  # pyright: ignore[reportUnusedFunction]
            event.current_buffer.reset()

        @keys.add("enter", filter=Condition(lambda: self._is_busy or not self._there))
        def keep(event: KeyPressEvent) -> None:  # pyright: ignore[reportUnusedFunction]
            """Send nothing that was typed before the answer could be read."""

        return keys

    async def _refresh(self) -> None:
        """Keep the line below up to date; redraw only when it changed."""
        shown: Fragments = []
        while True:
            line = self._line_below()
            if line != shown:
                shown = line
                self._session.bottom_toolbar = FormattedText(line) if line else None
                self._session.app.invalidate()
            await asyncio.sleep(_REFRESH_S)

    async def _check(self) -> None:
        """Take back what is waited for once it was answered in another window."""
        while True:
            await asyncio.sleep(_CHECK_S)
            asked = self._asked
            if asked is None or asked.proposal is None or self._is_busy or not self._there:
                continue
            if await self.chat.is_settled(asked) and self._asked is asked and not self._is_busy:
                self._asked = None
                self.chat.forget()
                self.note(self.chat.words.settled)

    def _line_below(self) -> Fragments:
        words, asked = self.chat.words, self._asked
        if not self._there:
            return [("class:away", words.not_sent)] if self._typed else []
        if self._is_busy:
            slow = time.monotonic() - self._turn_began > _PATIENCE_S
            return [("", f"{words.thinking} …")] if slow else []
        if asked is None:
            return []
        now = datetime.now(UTC)
        if asked.proposal is not None and asked.proposal.expires_at <= now:
            self._asked = None
            self.note(words.expired)
            return []
        return [("class:waiting", waiting_line(asked, words, now))]

    @property
    def _typed(self) -> str:
        return self._session.default_buffer.text

    def _print(self, fragments: Fragments) -> None:
        """Print above the line being typed.

        prompt_toolkit's own way gives the terminal back meanwhile, and a key pressed just then
        (Ctrl-D, Ctrl-C) would mean something else or be lost.
        """
        app = self._session.app
        if app.is_running:
            app.renderer.erase()
        print_formatted_text(app.output, FormattedText(fragments), _STYLE)
        app.output.flush()
        if app.is_running:
            app.renderer.reset()
            app.renderer.request_absolute_cursor_position()
            app.invalidate()


def _width() -> int:
    return min(100, shutil.get_terminal_size().columns)

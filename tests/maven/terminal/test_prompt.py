"""`maven chat` on a pseudo-terminal, typed at as a person would."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import re
import stat
import struct
import sys
import termios
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import cast

import msgspec
import pytest

from maven.contract import Answer, Choice, Proposal, TakeTurn
from tests.maven.terminal.conftest import Maven
from tests.maven.terminal.scripted import Home, answer

_WHERE_IS_THE_CURSOR = b"\x1b[6n"
_AT_THE_TOP = b"\x1b[1;1R"
_SEQUENCE = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07]*\x07|[=>])")
_COLOUR = re.compile(r"\x1b\[[0-9;]*\b(?:3[0-7]|9[0-7]|38|48)(?:;[0-9;]*)?m")
ENTER, CTRL_C, CTRL_D, UP, TAB, RIGHT = "\r", "\x03", "\x04", "\x1b[A", "\t", "\x1b[C"


class Typed:
    """A chat on a terminal of 30 lines and 90 columns."""

    def __init__(self, process: asyncio.subprocess.Process, terminal: int) -> None:
        self.raw = ""
        self._process = process
        self._terminal = terminal
        self._grown = asyncio.Event()
        self._read_to = 0
        asyncio.get_running_loop().add_reader(terminal, self._read)

    def type(self, keys: str) -> None:
        os.write(self._terminal, keys.encode())

    async def until(self, text: str) -> None:
        """Wait until the text is shown, after what was waited for before."""
        async with asyncio.timeout(20):
            while (at := self.shown.find(text, self._read_to)) < 0:
                self._grown.clear()
                await self._grown.wait()
        self._read_to = at + len(text)

    @property
    def shown(self) -> str:
        """Everything written so far, without what moves and colours."""
        return _SEQUENCE.sub("", self.raw)

    async def status(self) -> int:
        async with asyncio.timeout(20):
            return await self._process.wait()

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._terminal)
        os.close(self._terminal)

    def _read(self) -> None:
        try:
            data = os.read(self._terminal, 65536)
        except OSError:  # the chat has left its terminal
            asyncio.get_running_loop().remove_reader(self._terminal)
            return
        for _ in range(data.count(_WHERE_IS_THE_CURSOR)):
            os.write(self._terminal, _AT_THE_TOP)
        self.raw += data.decode(errors="replace")
        self._grown.set()


Typing = Callable[..., AbstractAsyncContextManager[Typed]]


@pytest.fixture
def typing(environment: dict[str, str]) -> Typing:
    """Open a chat on a pseudo-terminal."""

    @asynccontextmanager
    async def chat(*words: str, **more: str) -> AsyncGenerator[Typed]:
        ours, its = pty.openpty()
        fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 90, 0, 0))
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", "from maven.cli import main; main(prog_name='maven')"),
            *("chat", *words),
            env=environment | {"TERM": "xterm-256color"} | more,
            stdin=its,
            stdout=its,
            stderr=its,
            start_new_session=True,
        )
        os.close(its)
        typed = Typed(process, ours)
        try:
            await typed.until("›")
            yield typed
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
            typed.close()

    return chat


def asks_to_confirm(turn: TakeTurn) -> Answer:
    proposal = Proposal(
        confirmation_id="cnf_0000000001",
        action="restart",
        target="Vecna",
        host="attic",
        risk="protected",
        expires_at=datetime.now(UTC) + timedelta(minutes=2),
        title="Restart\x1b[5m",
    )
    return msgspec.structs.replace(
        answer(turn, "Restart Vecna on attic?"),
        expects="confirmation",
        proposal=proposal,
        execution_ids=["exe_0000000001"],
    )


async def test_what_was_said_is_answered_and_ctrl_d_leaves(home: Home, typing: Typing) -> None:
    async with home.serving(), typing() as chat:
        chat.type(f"how is it?{ENTER}")
        await chat.until("You said: how is it?")
        chat.type(f"как дела?{ENTER}")
        await chat.until("You said: как дела?")
        chat.type(CTRL_D)
        status = await chat.status()

    assert status == 0
    assert "Ctrl-D leaves" in chat.shown


async def test_a_confirmation_is_shown_with_its_bounds_and_no_yes_is_filled_in(
    home: Home, typing: Typing
) -> None:
    home.maven.script["restart vecna"] = asks_to_confirm

    async with home.serving(), typing() as chat:
        chat.type(f"restart vecna{ENTER}")
        await chat.until("Restart Vecna on attic?")
        await chat.until("▌ Restart\\u001b[5m · Vecna · attic")
        await chat.until("▌ protected action · until")
        await chat.until("Waiting for your yes or no")
        chat.type(f"{ENTER}{TAB}{CTRL_C}{RIGHT}{ENTER}")
        chat.type(f"yes{ENTER}")
        await chat.until("You said: yes")

    assert [turn.text for turn in home.maven.turns] == ["restart vecna", "yes"]
    assert "\x1b[5m" not in chat.raw


@pytest.mark.parametrize(
    ("elsewhere", "is_over"), [("yes", True), ("restart nexus", True), ("how is vecna?", False)]
)
async def test_a_proposal_answered_in_another_window_is_waited_for_no_more(
    home: Home, maven: Maven, typing: Typing, elsewhere: str, is_over: bool
) -> None:
    home.maven.script["restart vecna"] = asks_to_confirm
    home.maven.script["restart nexus"] = lambda turn: msgspec.structs.replace(
        asks_to_confirm(turn),
        proposal=msgspec.structs.replace(
            cast("Proposal", asks_to_confirm(turn).proposal), confirmation_id="cnf_0000000002"
        ),
        execution_ids=["exe_0000000002"],
    )
    home.maven.script["yes"] = lambda turn: msgspec.structs.replace(
        answer(turn, "Done."), execution_ids=["exe_0000000001"]
    )

    async with home.serving(), typing() as chat:
        chat.type(f"restart vecna{ENTER}")
        await chat.until("Waiting for your yes or no")
        await maven("ask", elsewhere)
        if is_over:
            await chat.until("It has been answered elsewhere.")
        else:
            await home.maven.until_looked_at(home.maven.looks + 2)
        chat.type(CTRL_D)
        await chat.status()

    assert ("answered elsewhere" in chat.shown) == is_over


async def test_a_choice_is_shown_by_its_numbers(home: Home, typing: Typing) -> None:
    home.maven.script["перезапусти индексатор"] = lambda turn: msgspec.structs.replace(
        answer(turn, "Какой?"),
        expects="choice",
        choices=[Choice(number=2, label="Индексатор в подвале", entity_id="ent_0000000002")],
    )

    async with home.serving(), typing() as chat:
        chat.type(f"перезапусти индексатор{ENTER}")

        await chat.until("2  Индексатор в подвале")
        await chat.until("Жду вашего выбора")


async def test_news_comes_above_the_line_being_typed_and_leaves_it_whole(
    home: Home, typing: Typing
) -> None:
    async with home.serving(), typing() as chat:
        await home.maven.until_listened()
        chat.type("what happ")
        await chat.until("ened after the restart?")  # suggested, in grey
        home.maven.notify("Vecna is healthy\x1b]0;x\x07 again.")
        await chat.until("Vecna is healthy\\u001b]0;x\\u0007 again.")
        chat.type(f"ened?{ENTER}")
        await chat.until("You said: what happened?")

    assert [turn.text for turn in home.maven.turns] == ["what happened?"]


async def test_ctrl_c_clears_the_line(home: Home, typing: Typing) -> None:
    async with home.serving(), typing() as chat:
        chat.type(f"restart ever{CTRL_C}hello{ENTER}")
        await chat.until("You said: hello")

    assert [turn.text for turn in home.maven.turns] == ["hello"]


async def test_what_is_typed_before_the_answer_is_shown_is_not_sent(
    home: Home, typing: Typing
) -> None:
    home.maven.script["restart vecna"] = asks_to_confirm
    home.maven.held.clear()

    async with home.serving(), typing() as chat:
        chat.type(f"restart vecna{ENTER}")
        await home.maven.until_asked(1)
        chat.type(f"yes{ENTER}")
        await chat.until("Maven is thinking")
        home.maven.held.set()
        await chat.until("Waiting for your yes or no")
        sent_before_it_was_asked = len(home.maven.turns) - 1
        chat.type(ENTER)
        await chat.until("You said: yes")

    assert sent_before_it_was_asked == 0
    assert [turn.text for turn in home.maven.turns] == ["restart vecna", "yes"]


async def test_while_maven_is_away_a_line_is_kept_and_sent_once_on_a_later_enter(
    home: Home, typing: Typing
) -> None:
    async with typing() as chat:
        async with home.serving():
            await home.maven.until_listened()
        await chat.until("Maven is away.")
        chat.type(f"hello{ENTER}")
        await chat.until("Not sent, Maven is away")
        async with home.serving():
            await chat.until("Maven is back.")
            said_by_itself = len(home.maven.turns)
            chat.type(ENTER)
            await chat.until("You said: hello")

    assert said_by_itself == 0
    assert [turn.text for turn in home.maven.turns] == ["hello"]
    assert chat.shown.count("Maven is away. I connect") == 1


async def test_without_maven_the_way_out_is_said_and_it_is_waited_for(
    home: Home, typing: Typing
) -> None:
    async with typing() as chat:
        await chat.until("Maven is away.")
        async with home.serving():
            await chat.until("Maven is back.")
            chat.type(f"hello{ENTER}")
            await chat.until("You said: hello")

    assert "`make up` starts what does not run" in " ".join(chat.shown.split())


async def test_the_history_is_private_and_keeps_no_yes(home: Home, typing: Typing) -> None:
    async with home.serving():
        async with typing() as chat:
            for said in ("hello", "yes", "Да.", " secret"):
                chat.type(f"{said}{ENTER}")
                await chat.until(f"You said: {said.strip()}")
        async with typing() as chat:
            chat.type(f"{UP}{ENTER}")
            await chat.until("You said: hello")

    path = home.path / "maven" / "history"
    kept = path.read_text("utf-8")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "+hello\n" in kept
    assert not {"+yes", "+Да.", "+ secret"} & set(kept.splitlines())


async def test_colours_are_used_unless_they_are_not_wanted(home: Home, typing: Typing) -> None:
    async with home.serving():
        async with typing() as coloured:
            coloured.type(f"hello{ENTER}")
            await coloured.until("You said: hello")
        async with typing(NO_COLOR="1", LANG="ru_RU.UTF-8") as plain:
            plain.type(f"hello{ENTER}")
            await plain.until("You said: hello")

    assert _COLOUR.search(coloured.raw)
    assert not _COLOUR.search(plain.raw)
    assert "Мавен слушает." in plain.shown

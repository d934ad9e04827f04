"""`maven chat` without a terminal: lines in, answers out, news as they come."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import cast

import pytest

from tests.maven.terminal.conftest import Maven
from tests.maven.terminal.scripted import Home, answer

_RUN = (sys.executable, "-c", "from maven.cli import main; main(prog_name='maven')")


class Piped:
    """A chat whose input and output are pipes."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    def type(self, text: str) -> None:
        cast("asyncio.StreamWriter", self._process.stdin).write(f"{text}\n".encode())

    def end(self) -> None:
        cast("asyncio.StreamWriter", self._process.stdin).close()

    async def line(self) -> str:
        """The next line of its output."""
        return await _line(self._process.stdout)

    async def complaint(self) -> str:
        """The next line of what it says about itself."""
        return await _line(self._process.stderr)

    async def status(self) -> int:
        async with asyncio.timeout(20):
            return await self._process.wait()


async def _line(stream: asyncio.StreamReader | None) -> str:
    assert stream is not None
    async with asyncio.timeout(20):
        return (await stream.readline()).decode().rstrip("\n")


Chatting = Callable[..., AbstractAsyncContextManager[Piped]]


@pytest.fixture
def chatting(environment: dict[str, str]) -> Chatting:
    """Open a chat through pipes."""

    @asynccontextmanager
    async def chat(*words: str) -> AsyncGenerator[Piped]:
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *_RUN, "chat", *words, env=environment, stdin=pipe, stdout=pipe, stderr=pipe
        )
        try:
            yield Piped(process)
        finally:
            if process.returncode is None:
                process.kill()
            await process.communicate()

    return chat


async def test_lines_are_answered_in_order_and_the_end_of_input_ends_it(
    home: Home, maven: Maven
) -> None:
    async with home.serving():
        ran = await maven("chat", given="as is\n\nпривет\nno newline at the end")

    assert ran.status == 0
    assert ran.out == "You said: as is\nYou said: привет\nYou said: no newline at the end\n"
    assert ran.err == ""
    assert {turn.conversation_id for turn in home.maven.turns} == {f"terminal-{os.getsid(0)}"}


async def test_news_is_told_unasked_on_a_line_of_its_own(home: Home, chatting: Chatting) -> None:
    home.maven.notify("Old news.")

    async with home.serving(), chatting() as chat:
        chat.type("hello")
        assert await chat.line() == "You said: hello"
        home.maven.notify("Векна снова здорова.\x1b[2J")
        news = await chat.line()

    mark, _, told = news.split(" ", 2)
    assert (mark, told) == ("*", "Векна снова здорова.\\u001b[2J")


async def test_after_the_end_of_input_it_listens_as_long_as_it_was_told_to(
    home: Home, chatting: Chatting
) -> None:
    async with home.serving(), chatting("--wait-s", "2") as chat:
        chat.type("hello")
        chat.end()
        await chat.line()
        home.maven.notify("Recovered.")
        news = await chat.line()
        status = await chat.status()

    assert news.endswith("Recovered.")
    assert status == 0


async def test_a_restart_of_maven_loses_and_repeats_no_news(home: Home, chatting: Chatting) -> None:
    async with chatting() as chat:
        async with home.serving():
            await home.maven.until_listened()
            home.maven.notify("First.")
            told = [await chat.line()]
        told.append(await chat.complaint())
        home.maven.notify("Second.")
        async with home.serving():
            told.append(await chat.complaint())
            home.maven.notify("Third.")
            told += [await chat.line(), await chat.line()]

    assert [line.split(" ", 2)[-1] for line in told if line.startswith("*")] == [
        "First.",
        "Second.",
        "Third.",
    ]
    assert [line for line in told if not line.startswith("*")] == [
        "Maven is away. I connect again by myself; what you type stays here.",
        "Maven is back.",
    ]


async def test_a_line_typed_while_maven_is_away_is_said_once_it_is_back(
    home: Home, chatting: Chatting
) -> None:
    async with chatting() as chat:
        async with home.serving():
            await home.maven.until_listened()
        await chat.complaint()
        chat.type("what needs attention?")
        async with home.serving():
            answered = await chat.line()

    assert answered == "You said: what needs attention?"
    assert len(home.maven.turns) == 1


async def test_a_lost_answer_is_looked_up_and_the_turn_is_not_sent_again(
    home: Home, chatting: Chatting
) -> None:
    home.maven.script["restart maven"] = lambda turn: answer(turn, "Restarting.")

    async with chatting() as chat:
        async with home.dying(with_record=True) as died:
            chat.type("restart maven")
            await asyncio.wait_for(died.wait(), 20)
        async with home.serving():
            complaints = [await chat.complaint()]
            while complaints[-1] != "It had arrived. The answer was:":
                complaints.append(await chat.complaint())
            answered = await chat.line()
            chat.end()
            status = await chat.status()

    assert answered == "Restarting."
    assert any(line.startswith("No answer came, so whether it was done") for line in complaints)
    assert status == 0
    assert len(home.maven.turns) == 1


async def test_a_lost_turn_that_never_arrived_is_said_to_have_no_record(
    home: Home, chatting: Chatting
) -> None:
    async with chatting() as chat:
        async with home.dying(with_record=False) as died:
            chat.type("перезапусти векну")
            await asyncio.wait_for(died.wait(), 20)
        async with home.serving():
            complaints = [await chat.complaint()]
            while "нет записи" not in complaints[-1]:
                complaints.append(await chat.complaint())
            chat.end()
            status = await chat.status()

    assert complaints[-1].startswith("У Мавена об этом нет записи.")
    assert home.maven.turns[0].turn_id in complaints[-1]
    assert status == 76
    assert len(home.maven.turns) == 1


async def test_chat_without_maven_says_the_way_out(maven: Maven) -> None:
    ran = await maven("chat", given="hello\n")

    assert ran.status == 69
    assert "`make up`" in ran.err

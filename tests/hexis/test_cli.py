"""The command `hexis`, as a person at a terminal and a script in a pipe use it."""

import asyncio
import os
import pty
from collections.abc import AsyncGenerator

import pytest

from tests.hexis.process import HEXIS, environment, serving
from tests.hexis.supervised import Supervised
from tests.hexis.world import LOGS, RESTART, STATUS, World


@pytest.fixture
async def served(world: World) -> AsyncGenerator[World]:
    """Hexis as a process of its own, by the machine's clock."""
    await world.stop("hexis")
    async with serving(world):
        yield world


async def run(world: World, *arguments: str, **more: str) -> tuple[int | None, str]:
    """A command in a pipe: its exit status and all it wrote."""
    process = await asyncio.create_subprocess_exec(
        HEXIS,
        *arguments,
        env=environment(world, **more),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    async with asyncio.timeout(30):
        written, _ = await process.communicate()
    return process.returncode, written.decode()


async def converse(world: World, answer: str, *arguments: str, **more: str) -> tuple[int, str]:
    """A command on a terminal, answered once when it asks."""
    ours, theirs = pty.openpty()
    process = await asyncio.create_subprocess_exec(
        HEXIS,
        *arguments,
        env=environment(world, **more),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    written = b""
    async with asyncio.timeout(30):
        while b"]" not in written:
            written += await asyncio.to_thread(os.read, ours, 4096)
        os.write(ours, f"{answer}\n".encode())
        while piece := await asyncio.to_thread(_read, ours):
            written += piece
        status = await process.wait()
    os.close(ours)
    return status, written.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # the other side has closed
        return b""


async def test_what_can_be_done_and_what_was_done_is_listed(served: World) -> None:
    status, said = await run(served, "run", STATUS, served.ids["alpha"])
    _, capabilities = await run(served, "caps", served.ids["alpha"])
    _, runs = await run(served, "runs", "--json")

    assert status == 0
    assert "state: running" in said
    assert RESTART in capabilities
    assert STATUS in runs


async def test_arguments_are_given_by_name(served: World) -> None:
    good, _ = await run(served, "run", LOGS, served.ids["alpha"], "--arg", "lines=3")
    bad, said = await run(served, "run", LOGS, served.ids["alpha"], "--arg", "lines=many")
    unnamed, _ = await run(served, "run", LOGS, served.ids["alpha"], "--arg", "3")

    assert (good, bad, unnamed) == (0, 2, 2)
    assert "arguments.lines" in said


async def test_without_a_terminal_the_challenge_is_printed_and_nothing_is_run(
    served: World, supervised: Supervised
) -> None:
    before = supervised.info("alpha")["pid"]

    status, said = await run(served, "run", RESTART, served.ids["alpha"])

    assert status == 6
    assert "cnf_" in said
    assert "Логово" in said
    assert supervised.info("alpha")["pid"] == before


@pytest.mark.parametrize(
    ("locale", "answer", "expected"),
    [
        ("en_GB.UTF-8", "yes", ["Restart: “Alpha”", "On host: “Den”", "Do it? [yes/no]"]),
        ("ru_RU.UTF-8", "да", ["Перезапустить: «alpha-служба»", "На хосте: «Логово»", "[да/нет]"]),
    ],
)
async def test_on_a_terminal_a_person_is_asked_and_a_yes_restarts(
    served: World, supervised: Supervised, locale: str, answer: str, expected: list[str]
) -> None:
    before = supervised.info("alpha")["pid"]

    status, said = await converse(served, answer, "run", RESTART, served.ids["alpha"], LANG=locale)

    assert status == 0, said
    assert [line for line in expected if line not in said] == []
    assert supervised.info("alpha")["pid"] != before


@pytest.mark.parametrize("answer", ["no", "", "нет", "yess", "not yes"])
async def test_on_a_terminal_anything_but_a_clear_yes_is_a_no(
    served: World, supervised: Supervised, answer: str
) -> None:
    before = supervised.info("alpha")["pid"]

    status, said = await converse(served, answer, "run", RESTART, served.ids["alpha"])

    assert status == 1
    assert "confirmation_refused" in said
    assert supervised.info("alpha")["pid"] == before


async def test_the_plain_confirm_command_is_no_yes(served: World, supervised: Supervised) -> None:
    before = supervised.info("alpha")["pid"]
    _, said = await run(served, "run", RESTART, served.ids["alpha"], "--json")
    confirmation_id = said.partition('"confirmation_id": "')[2].partition('"')[0]

    status, refusal = await run(served, "confirm", confirmation_id)

    assert (status, refusal.partition(":")[0]) == (77, "permission_denied")
    assert supervised.info("alpha")["pid"] == before

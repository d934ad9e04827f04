"""The how-to pages, run as they stand: with their files, their commands show what they say."""

from __future__ import annotations

import asyncio
import re
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path

import pytest

from tests.nexus.conftest import COMMAND, Run
from tests.requirements import requirement

PAGES = Path(__file__).parents[2] / "docs" / "how-to"
_FILE = re.compile(r"`([\w-]+\.(?:toml|yaml|csv))`:\n\n```\w+\n(.*?)```", re.DOTALL)
_BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
_NOISE = ((re.compile(r"\bent_[0-9a-z]{20,}"), "ID"), (re.compile(r"\d+%"), "N%"))


def steps(page: str) -> list[tuple[str, str]]:
    """The commands of Nexus with what is shown below each; those that need an id are left out."""
    found: list[tuple[str, str]] = []
    for block in _BLOCK.findall(page):
        pieces = re.split(r"^\$ (.+)$", block.replace("\\\n", " "), flags=re.MULTILINE)
        found += zip(pieces[1::2], pieces[2::2], strict=True)
    return [
        (command, shown.strip())
        for command, shown in found
        if "…" not in command and "/praxis" not in command and "discover" not in command
    ]


def quiet(text: str) -> str:
    """The text without what differs from one run to the next."""
    for pattern, word in _NOISE:
        text = pattern.sub(word, text)
    return text.strip()


@requirement("nexus.surface.first-steps")
@pytest.mark.parametrize("name", ["register-your-own-things", "import-from-backstage-or-csv"])
async def test_a_page_shows_what_one_sees(
    shell: Run, prepared: dict[str, str], tmp_path: Path, name: str
) -> None:
    page = (PAGES / f"{name}.md").read_text("utf-8")
    for file, text in _FILE.findall(page):
        (tmp_path / file).write_text(text, "utf-8")

    async def perform(command: str) -> str:
        process = await asyncio.create_subprocess_shell(
            command.replace(".venv/bin/nexus", str(COMMAND)),
            env=prepared,
            cwd=tmp_path,
            stdout=PIPE,
            stderr=STDOUT,
        )
        output, _ = await process.communicate()
        return output.decode()

    seen = [(command, quiet(await perform(command))) for command, _ in steps(page)]

    expected = [(command, quiet(shown)) for command, shown in steps(page)]
    assert len(expected) > 3
    assert [each for each, (_, shown) in zip(seen, expected, strict=True) if shown] == [
        each for each in expected if each[1]
    ]


async def test_each_example_of_discovery_is_refused_by_nothing_but_the_host(
    shell: Run, prepared: dict[str, str], tmp_path: Path
) -> None:
    prepared["HOME"] = str(tmp_path)
    page = (PAGES / "discover-this-host.md").read_text("utf-8")
    words = re.findall(r"^\$ \.venv/bin/nexus (discover.*)$", page, re.MULTILINE)

    done = [await shell(*line.replace("~/src", str(tmp_path)).split()) for line in words]

    assert len(done) == 3
    assert {each.status for each in done} <= {0, 69}, done

"""A catalog in a file is read whole or refused with the place that is wrong, and can be applied."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path

import pytest

from kit.errors import InvalidArgument
from kit.testing import Program, grants, hosting
from nexus import catalog_file
from nexus.app import open_part
from nexus.settings import Settings

EXAMPLE = Path(__file__).parents[2] / "config" / "entities.example.toml"
COMMAND = Path(sys.executable).with_name("nexus")
CLI = Program("cli", ["nexus.read", "nexus.write"], ["user:*"])


def test_a_file_is_read_as_the_catalog_it_declares(tmp_path: Path) -> None:
    path = tmp_path / "home.toml"
    path.write_text(
        'catalog = "home"\n'
        "[[entries]]\n"
        'key = "nas"\ntype = "device.host"\nnames = { ru = "Нас" }\n',
        encoding="utf-8",
    )

    catalog = catalog_file.read(path)

    assert catalog.catalog == "home"
    assert [entry.names for entry in catalog.entries] == [{"ru": "Нас"}]


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("catalog = ", "file"),
        ('catalog = "home"', "entries"),
        ('catalog = "home"\nentries = [{ key = "a", type = "A", names = {} }]', "entries[0].type"),
        ('catalog = "home"\nentries = []\ncolour = "red"', "colour"),
    ],
    ids=["not TOML", "no entries", "a wrong type", "an unknown field"],
)
def test_a_file_that_is_no_catalog_is_refused_with_its_place(
    tmp_path: Path, text: str, field: str
) -> None:
    path = tmp_path / "home.toml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(InvalidArgument) as refused:
        catalog_file.read(path)

    assert refused.value.field == field


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match=r"gone\.toml cannot be read"):
        catalog_file.read(tmp_path / "gone.toml")


async def test_the_command_applies_the_example_and_then_changes_nothing(folder: Path) -> None:
    known = grants(folder / "grants.json", "nexus", CLI)
    CLI.secret.save(folder / "credentials" / "cli")
    (folder / "run").mkdir(mode=0o700)
    environment = {"ECOSYSTEM_HOME": str(folder), "ECOSYSTEM_REQUESTER": "user:anna"}

    async def run(*words: str) -> tuple[int | None, str]:
        process = await asyncio.create_subprocess_exec(
            COMMAND, *words, env=environment, stdout=PIPE, stderr=STDOUT
        )
        output, _ = await process.communicate()
        return process.returncode, output.decode()

    async with hosting(open_part(Settings(), folder, known), folder / "run" / "nexus.sock"):
        first = await run("apply", str(EXAMPLE))
        second = await run("apply", str(EXAMPLE))
        asked = await run("resolve", "индексатор")
        found = await run("resolve", "индексатором музыки")

    assert (first[0], second[0], asked[0], found[0]) == (0, 0, 3, 0), (first, second, asked, found)
    assert "created: 6" in first[1]
    assert "unchanged: 6" in second[1]
    assert "Индексатор музыки" in asked[1]

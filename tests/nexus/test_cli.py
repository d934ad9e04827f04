"""The command `nexus` answers people and scripts; its exit status says how a name resolved."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path

import msgspec
import pytest

from kit.address import Address
from kit.testing import Program, grants, hosting
from nexus.app import open_part
from nexus.client import NexusClient
from nexus.contract import CreateEntity
from nexus.settings import Settings

COMMAND = Path(sys.executable).with_name("nexus")
CLI = Program("cli", ["nexus.read", "nexus.write"], ["user:*"])


async def run(folder: Path, *words: str) -> tuple[int | None, str]:
    """The exit status and what was printed."""
    environment = {"ECOSYSTEM_HOME": str(folder), "ECOSYSTEM_REQUESTER": "user:anna"}
    process = await asyncio.create_subprocess_exec(
        COMMAND, *words, env=environment, stdout=PIPE, stderr=STDOUT
    )
    output, _ = await process.communicate()
    return process.returncode, output.decode()


@pytest.mark.parametrize(
    ("words", "status", "shown"),
    [
        (["resolve", "коррекс"], 0, "Correx"),
        (["resolve", "indexer"], 3, "distinguished_by"),
        (["resolve", "никто"], 4, "not_found"),
        (["resolve", "muzick", "--purpose", "mutate"], 4, "suggestions"),
        (["show", "ent_00000000000000000000000000"], 4, "not_found (entity_id)"),
        (["resolve", ""], 2, "invalid_argument (text)"),
    ],
    ids=["resolved", "ambiguous", "not_found", "suggested", "no such entity", "no text"],
)
async def test_the_exit_status_says_how_it_went(
    folder: Path, words: list[str], status: int, shown: str
) -> None:
    known = grants(folder / "grants.json", "nexus", CLI)
    CLI.secret.save(folder / "credentials" / "cli")
    socket = folder / "run" / "nexus.sock"
    socket.parent.mkdir(mode=0o700)
    async with hosting(open_part(Settings(), folder, known), socket):
        async with NexusClient(Address(path=str(socket)), CLI.secret, requester="user:a") as nexus:
            for name in ("Correx", "Muzick indexer", "Manga indexer"):
                await nexus.create_entity(CreateEntity(type="project", names={"en": name}))

        plain = await run(folder, *words)
        as_json = await run(folder, *words, "--json")

    assert plain[0] == as_json[0] == status, (plain, as_json)
    assert shown in plain[1]
    if words[0] == "resolve" and words[1]:
        assert msgspec.json.decode(as_json[1])["status"] in {"resolved", "ambiguous", "not_found"}

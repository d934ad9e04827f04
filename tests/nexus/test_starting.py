"""A start makes no keys, because they are in the database; other rules make them anew."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from kit.address import Address
from kit.testing import grants, hosting
from nexus.app import open_part
from nexus.client import NexusClient
from nexus.contract import CreateEntity, NotFound, Resolution, Resolve, Resolved
from nexus.settings import Settings
from tests.nexus.conftest import KEEPER
from tests.requirements import requirement


async def asked_anew(folder: Path, made: CreateEntity | None = None) -> Resolution:
    """What a Nexus just started says of Vecna."""
    known = grants(folder / "grants.json", "nexus", KEEPER)
    async with hosting(open_part(Settings(), folder, known), folder / "s"):
        address = Address(path=str(folder / "s"))
        async with NexusClient(address, KEEPER.secret, requester="user:anna") as nexus:
            if made is not None:
                await nexus.create_entity(made)
            return await nexus.resolve(Resolve(text="vecna", purpose="mutate"))


@requirement("nexus.measured.start")
@pytest.mark.parametrize("rules_changed", [False, True])
async def test_keys_are_made_anew_by_other_rules_and_by_no_other_start(
    folder: Path, rules_changed: bool
) -> None:
    written = await asked_anew(folder, CreateEntity(type="service", names={"en": "Vecna"}))
    with closing(sqlite3.connect(folder / "nexus.db", isolation_level=None)) as connection:
        connection.execute("DELETE FROM name_key")
        connection.execute("DELETE FROM lexeme_key")
        if rules_changed:
            connection.execute("UPDATE name_rules SET version = 0")

    found = await asked_anew(folder)

    assert isinstance(written, Resolved)
    assert isinstance(found, Resolved if rules_changed else NotFound)

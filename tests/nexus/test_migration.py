"""A database made by the first migration is taken over with everything in it."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from kit.address import Address
from kit.migrate import migrate
from kit.testing import FrozenClock, grants, hosting
from nexus import store
from nexus.app import open_part
from nexus.client import NexusClient
from nexus.contract import (
    AddAlias,
    Alias,
    ApplyCatalog,
    CatalogEntry,
    Entity,
    ExternalReference,
    GetEntity,
    ListHistory,
    MergeEntities,
    RelatedEntity,
)
from nexus.settings import Settings
from tests.nexus.conftest import KEEPER

AT = "2026-01-01T00:00:00.000000Z"
FIRST = "0001_entities.sql"


@pytest.fixture
def first_database(folder: Path, clock: FrozenClock) -> None:
    """What the first version of the tables held."""
    path = folder / "nexus.db"
    only = path.parent / "first"
    only.mkdir()
    made = Path(store.__file__).parent / "migrations" / FIRST
    (only / FIRST).write_text(made.read_text("utf-8"), "utf-8")
    connection = sqlite3.connect(path, isolation_level=None)
    migrate(connection, only, clock)
    after = json.dumps(
        {
            "status": "active",
            "revision": 1,
            "aliases": [{"text": "мозг", "language": "ru", "origin": "confirmed"}],
        }
    )
    for sql, rows in {
        "INSERT INTO entity VALUES (?, ?, ?, ?, ?)": [
            ("ent_host", "device.host", "active", "{}", 1),
            ("ent_vecna", "service", "active", '{"en":"Memory."}', 3),
            ("ent_old", "service", "archived", "{}", 2),
        ],
        "INSERT INTO entity_name VALUES (?, ?, ?)": [
            ("ent_host", "en", "Shelf"),
            ("ent_vecna", "en", "Vecna"),
            ("ent_vecna", "ru", "Векна"),
            ("ent_old", "en", "Old"),
        ],
        "INSERT INTO alias VALUES (?, ?, ?, ?, ?)": [
            ("ent_vecna", "мозг", "ru", "confirmed", None),
            ("ent_vecna", "the brain", "und", "imported", "home"),
        ],
        "INSERT INTO external_reference VALUES (?, ?, ?, ?)": [
            ("catalog", "home:host", "ent_host", "home"),
            ("catalog", "home:vecna", "ent_vecna", "home"),
            ("hostname", "shelf", "ent_host", None),
        ],
        "INSERT INTO relation VALUES (?, ?, ?, ?)": [
            ("ent_vecna", "runs_on", "ent_host", "home"),
            ("ent_old", "runs_on", "ent_host", None),
        ],
        "INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)": [
            (1, AT, "ent_vecna", "add_alias", "user:anna", "cli", "cor_1", None, after),
        ],
    }.items():
        connection.executemany(sql, rows)
    connection.close()


@pytest.mark.usefixtures("first_database")
async def test_an_older_database_is_taken_over_with_its_data(
    folder: Path, clock: FrozenClock
) -> None:
    known = grants(folder / "grants.json", "nexus", KEEPER)
    async with (
        hosting(open_part(Settings(), folder, known, clock), folder / "s"),
        NexusClient(Address(path=str(folder / "s")), KEEPER.secret, requester="user:anna") as nexus,
    ):
        vecna = await nexus.get_entity(GetEntity("ent_vecna"))
        old = await nexus.get_entity(GetEntity("ent_old"))
        history = await nexus.list_history(ListHistory())
        applied = await nexus.apply_catalog(
            ApplyCatalog(
                "home",
                [
                    CatalogEntry("host", "device.host", {"en": "Shelf"}),
                    CatalogEntry(
                        "vecna",
                        "service",
                        {"en": "Vecna", "ru": "Векна"},
                        ["the brain"],
                        {"en": "Memory."},
                        relations={"runs_on": "host"},
                    ),
                ],
            )
        )
        await nexus.add_alias(AddAlias("ent_vecna", "мозг", "ru", "confirmed"))
        merged = await nexus.merge_entities(MergeEntities("ent_vecna", "ent_host"))

    assert vecna == Entity(
        entity_id="ent_vecna",
        type="service",
        names={"en": "Vecna", "ru": "Векна"},
        status="active",
        description={"en": "Memory."},
        aliases=[
            Alias(text="the brain", language="und", origin="imported"),
            Alias(text="мозг", language="ru", origin="confirmed"),
        ],
        external=[ExternalReference(system="catalog", external_id="home:vecna", origin="imported")],
        relations=[RelatedEntity("runs_on", "ent_host", "device.host", {"en": "Shelf"})],
        revision=3,
    )
    assert (old.status, [each.predicate for each in old.relations]) == ("archived", ["runs_on"])
    assert [(each.operation, each.why) for each in history.changes] == [("add_alias", "")]
    assert (applied.unchanged, applied.entity_ids["vecna"]) == (2, "ent_vecna")
    assert merged.merged == ["ent_vecna"]
    connection = sqlite3.connect(folder / "nexus.db")
    vouched = connection.execute("SELECT text, requester, at FROM alias ORDER BY text").fetchall()
    connection.close()
    assert vouched == [("the brain", "", ""), ("мозг", "user:anna", AT)]

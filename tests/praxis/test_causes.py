"""Items of one cause are one line; an item's entity may be learnt later; what could be done."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest_asyncio

from hexis.client.catalog import Catalog
from kit.address import Address
from kit.clock import SystemClock
from kit.testing import Program, grants, hosting
from nexus.app import open_part as open_nexus
from nexus.client import NexusClient
from nexus.contract import CreateEntity, MapExternal
from nexus.settings import Settings as NexusSettings
from praxis.app import open_part
from praxis.contract import ListAttention, ListItemCapabilities, ListItems, Observe
from praxis.settings import Settings
from tests.praxis.conftest import KEEPER, OWN, World
from tests.requirements import requirement

PRAXIS = Program("praxis", ["nexus.read"], ["service:praxis", "user:*"])
OWNER = Program("owner", ["nexus.read", "nexus.write"], ["user:*"])


def report(key: str, **given: str) -> Observe:
    return Observe(
        source="alerts",
        kind="alert",
        state="problem",
        summary=f"{key} is down",
        key=key,
        **given,  # pyright: ignore[reportArgumentType]
    )


@requirement("praxis.model.order")
async def test_items_of_one_cause_are_one_line_and_recover_one_by_one(world: World) -> None:
    for key in ("a", "b", "c"):
        await world.praxis.observe(report(key, group="power"))
    await world.praxis.observe(report("d"))

    listed = await world.praxis.list_attention(ListAttention(together=True))
    apart = await world.praxis.list_attention(ListAttention())

    assert [(each.item.key, each.alike) for each in listed.items] == [("a", 3), ("d", 1)]
    assert (listed.total, len(apart.items)) == (4, 4)

    await world.praxis.observe(Observe("alerts", "alert", "ok", "up", key="a"))

    (first, _) = (await world.praxis.list_attention(ListAttention(together=True))).items
    assert (first.item.key, first.alike) == ("b", 2)


async def test_what_could_be_done_is_not_known_while_hexis_is_away(world: World) -> None:
    observed = await world.praxis.observe(report("a", entity_id="ent_alpha"))

    applicable = await world.praxis.list_item_capabilities(
        ListItemCapabilities(observed.item_id or "")
    )

    assert (applicable.capabilities, applicable.known) == ([], False)


@pytest_asyncio.fixture
async def beside_nexus(folder: Path) -> AsyncGenerator[tuple[World, NexusClient]]:
    """Praxis, which may ask Nexus and finds no Hexis."""
    (folder / "nexus").mkdir()
    known = grants(folder / "nexus" / "grants.json", "nexus", PRAXIS, OWNER)
    nexus_at, nowhere = Address(path=str(folder / "n")), Address(path=str(folder / "h"))
    async with hosting(open_nexus(NexusSettings(), folder / "nexus", known), folder / "n"):
        world = World(folder, SystemClock())
        owner = NexusClient(nexus_at, OWNER.secret, requester="user:anna")
        part = open_part(
            Settings(),
            folder,
            grants(folder / "grants.json", "praxis", KEEPER, OWN),
            OWN.secret,
            nexus=NexusClient(nexus_at, PRAXIS.secret, requester="service:praxis"),
            catalog=Catalog(nowhere, PRAXIS.secret),
        )
        async with hosting(part, folder / "s") as running:
            world.running = running
            yield world, owner
        owner.close()
        world.praxis.close()


@requirement("praxis.model.identity")
async def test_an_item_learns_its_entity_from_its_subject_and_stays_the_same_item(
    beside_nexus: tuple[World, NexusClient],
) -> None:
    world, nexus = beside_nexus
    nas = await nexus.create_entity(CreateEntity(type="host", names={"en": "nas"}))
    box = await nexus.create_entity(CreateEntity(type="host", names={"en": "Box in the cellar"}))
    await nexus.map_external(MapExternal(box.entity_id, "prometheus", "10.0.0.7:9100"))
    await world.praxis.observe(report("by-name", subject="instance=nas:9100"))
    await world.praxis.observe(report("by-id", subject="instance=10.0.0.7:9100"))
    await world.praxis.observe(report("unknown", subject="instance=nosuch:9100"))
    before = {item.key: item for item in (await world.praxis.list_items(ListItems())).items}

    async with asyncio.timeout(20):
        first = await world.until("item_mapped")
        await world.until("item_mapped", after=first.cursor)

    after = {item.key: item for item in (await world.praxis.list_items(ListItems())).items}
    assert {key: item.item_id for key, item in after.items()} == {
        key: item.item_id for key, item in before.items()
    }
    assert after["by-name"].entity_id == nas.entity_id
    assert after["by-id"].entity_id == box.entity_id
    assert after["unknown"].entity_id is None


@requirement("praxis.surface.capabilities")
async def test_without_hexis_it_says_that_nothing_is_known(
    beside_nexus: tuple[World, NexusClient],
) -> None:
    world, _ = beside_nexus
    observed = await world.praxis.observe(report("a", entity_id="ent_alpha"))

    applicable = await world.praxis.list_item_capabilities(
        ListItemCapabilities(observed.item_id or "")
    )

    assert (applicable.capabilities, applicable.known) == ([], False)

"""A declared catalog is made so, all or nothing, and says nothing new the second time."""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

import msgspec
import pytest

from kit.errors import Conflict, FailedPrecondition, InvalidArgument, ServiceError
from nexus.client import NexusClient
from nexus.contract import (
    AddAlias,
    ApplyCatalog,
    ArchiveEntity,
    CatalogApplied,
    CatalogEntry,
    CreateEntity,
    GetEntity,
    ListEntities,
    ListHistory,
    Resolve,
    Resolved,
)
from tests.nexus.conftest import Connect

T = TypeVar("T", CatalogEntry, CatalogApplied)
HOST = CatalogEntry(key="host", type="device.host", names={"en": "Shelf"})
VECNA = CatalogEntry(
    key="vecna",
    type="service.supervised",
    names={"en": "Vecna", "ru": "Векна"},
    aliases=["the brain"],
    external={"supervisor": "vecna"},
    relations={"runs_on": "host"},
)


async def apply(nexus: NexusClient, *entries: CatalogEntry, name: str = "home") -> CatalogApplied:
    return await nexus.apply_catalog(ApplyCatalog(catalog=name, entries=list(entries)))


def but(entry: T, **changes: Any) -> T:
    return msgspec.structs.replace(entry, **changes)


async def test_entries_may_name_each_other_in_any_order(nexus: NexusClient) -> None:
    applied = await apply(nexus, VECNA, HOST)

    vecna = await nexus.get_entity(GetEntity(entity_id=applied.entity_ids["vecna"]))
    assert (applied.created, applied.updated, applied.unchanged) == (2, 0, 0)
    assert [(each.predicate, each.entity_id) for each in vecna.relations] == [
        ("runs_on", applied.entity_ids["host"])
    ]
    assert vecna.revision == 1
    assert [(each.system, each.external_id) for each in vecna.external] == [
        ("catalog", "home:vecna"),
        ("supervisor", "vecna"),
    ]


async def test_applying_again_changes_nothing(nexus: NexusClient) -> None:
    first = await apply(nexus, HOST, VECNA)
    history = await nexus.list_history(ListHistory())

    second = await apply(nexus, HOST, VECNA)

    assert second == but_counts(first, unchanged=2)
    assert await nexus.list_history(ListHistory()) == history


async def test_a_renamed_entry_stays_the_same_entity(nexus: NexusClient) -> None:
    first = await apply(nexus, HOST, VECNA)

    second = await apply(nexus, HOST, but(VECNA, names={"en": "Venka"}, aliases=[], external={}))
    found = await nexus.resolve(Resolve(text="venka", purpose="mutate"))
    entity = await nexus.get_entity(GetEntity(entity_id=first.entity_ids["vecna"]))

    assert but(second, changes=[]) == but_counts(first, updated=1, unchanged=1)
    assert isinstance(found, Resolved)
    assert found.entity_id == entity.entity_id
    assert entity.aliases == []
    assert [each.system for each in entity.external] == ["catalog"]


async def test_what_others_said_of_an_entity_stays(nexus: NexusClient) -> None:
    ids = (await apply(nexus, HOST, VECNA)).entity_ids
    for text in ("мозг", "the brain"):
        await nexus.add_alias(AddAlias(entity_id=ids["vecna"], text=text, origin="confirmed"))

    await apply(nexus, HOST, but(VECNA, aliases=[]))
    entity = await nexus.get_entity(GetEntity(entity_id=ids["vecna"]))

    assert {(alias.text, alias.origin) for alias in entity.aliases} == {
        ("мозг", "confirmed"),
        ("the brain", "confirmed"),
    }


async def test_an_external_id_may_move_between_entries_in_one_go(nexus: NexusClient) -> None:
    praxis = CatalogEntry(
        key="praxis", type="service", names={"en": "Praxis"}, external={"supervisor": "praxis"}
    )
    await apply(nexus, HOST, VECNA, praxis)

    applied = await apply(
        nexus,
        HOST,
        but(VECNA, external={"supervisor": "praxis"}),
        but(praxis, external={"supervisor": "vecna"}),
    )
    found = await nexus.resolve(Resolve(text="supervisor:vecna", purpose="mutate"))

    assert applied.updated == 2
    assert isinstance(found, Resolved)
    assert found.entity_id == applied.entity_ids["praxis"]


async def test_what_a_person_archived_stays_archived(nexus: NexusClient) -> None:
    ids = (await apply(nexus, HOST, VECNA)).entity_ids
    await nexus.archive_entity(ArchiveEntity(entity_id=ids["vecna"]))

    again = await apply(nexus, HOST, VECNA)
    entity = await nexus.get_entity(GetEntity(entity_id=ids["vecna"]))

    assert again.unchanged == 2
    assert entity.status == "archived"


@pytest.mark.parametrize(
    ("entries", "failure", "field"),
    [
        ([HOST, but(VECNA, names={"en": "…"})], InvalidArgument, "entries[1].names.en"),
        ([HOST, but(VECNA, relations={"runs_on": "x"})], InvalidArgument,
         "entries[1].relations.runs_on"),
        ([HOST, HOST], InvalidArgument, "entries[1].key"),
        ([HOST, but(VECNA, external={"supervisor": "taken"})], Conflict,
         "entries[1].external.supervisor"),
        ([but(HOST, external={"a": "b"}), but(VECNA, external={"a": "b"})], Conflict,
         "entries[1].external.a"),
        ([but(HOST, relations={"part_of": "vecna"}), but(VECNA, relations={"part_of": "host"})],
         FailedPrecondition, "entries[1].relations.part_of"),
        ([but(HOST, relations={"located_in": "host"})], FailedPrecondition,
         "entries[0].relations.located_in"),
    ],
)  # fmt: skip
async def test_one_wrong_entry_keeps_all_of_them_out(
    nexus: NexusClient, entries: list[CatalogEntry], failure: type[ServiceError], field: str
) -> None:
    await nexus.create_entity(
        CreateEntity(type="service", names={"en": "Owner"}, external={"supervisor": "taken"})
    )
    before = await nexus.list_entities(ListEntities())

    with pytest.raises(failure) as refused:
        await apply(nexus, *entries)

    assert refused.value.field == field
    assert await nexus.list_entities(ListEntities()) == before


async def test_a_cycle_that_is_no_hierarchy_is_allowed(nexus: NexusClient) -> None:
    applied = await apply(
        nexus,
        but(HOST, relations={"depends_on": "vecna"}),
        but(VECNA, relations={"depends_on": "host"}),
    )

    assert applied.created == 2


async def test_catalogs_do_not_share_keys(nexus: NexusClient) -> None:
    one = await apply(nexus, HOST, name="one")
    other = await apply(nexus, HOST, name="other")

    assert one.entity_ids != other.entity_ids


async def test_catalogs_applied_at_the_same_time_make_each_entity_once(connect: Connect) -> None:
    applied = await asyncio.gather(*(apply(connect(), HOST, VECNA) for _ in range(6)))

    assert sum(each.created for each in applied) == 2
    assert len({tuple(each.entity_ids.items()) for each in applied}) == 1


def but_counts(
    applied: CatalogApplied, *, created: int = 0, updated: int = 0, unchanged: int = 0
) -> CatalogApplied:
    """The same entities, with no change told but these counts."""
    return CatalogApplied(applied.entity_ids, created, updated, unchanged)

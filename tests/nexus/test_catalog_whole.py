"""A catalog can be planned, pruned, exported and large; by hand means by hand all the while."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from kit.address import Address
from kit.contract import LARGEST_BODY
from kit.errors import FailedPrecondition, InvalidArgument, PermissionDenied
from kit.testing import FrozenClock, grants, hosting
from nexus.app import open_part
from nexus.client import NexusClient
from nexus.contract import (
    AddAlias,
    ApplyCatalog,
    ArchiveEntity,
    CatalogApplied,
    CatalogEntry,
    CreateEntity,
    Entity,
    ExportCatalog,
    ExportedEntry,
    GetEntity,
    ListEntities,
    ListHistory,
    MergeEntities,
    Outgoing,
    RetractAlias,
    SplitEntity,
)
from nexus.settings import Settings
from tests.nexus.conftest import KEEPER, READER, Connect
from tests.requirements import requirement

HOST = CatalogEntry(key="host", type="device.host", names={"en": "Shelf"})
DISK = CatalogEntry(key="disk", type="device.disk", names={"en": "Disk"})
VECNA = CatalogEntry(
    key="vecna",
    type="service.supervised",
    names={"en": "Vecna", "ru": "Векна"},
    aliases=["the brain"],
    attributes={"port": 7},
    external={"supervisor": "vecna"},
    relations={"runs_on": "host", "uses": ["disk", "host"]},
)


async def apply(nexus: NexusClient, *entries: CatalogEntry, **more: Any) -> CatalogApplied:
    return await nexus.apply_catalog(ApplyCatalog(catalog="home", entries=list(entries), **more))


def but(entry: CatalogEntry, **changes: Any) -> CatalogEntry:
    return msgspec.structs.replace(entry, **changes)


async def show(nexus: NexusClient, entity_id: str) -> Entity:
    return await nexus.get_entity(GetEntity(entity_id=entity_id))


async def test_an_entry_may_relate_to_several(nexus: NexusClient) -> None:
    ids = (await apply(nexus, HOST, DISK, VECNA)).entity_ids

    vecna = await show(nexus, ids["vecna"])

    assert vecna.attributes == {"port": 7}
    assert {(each.predicate, each.entity_id) for each in vecna.relations} == {
        ("runs_on", ids["host"]),
        ("uses", ids["disk"]),
        ("uses", ids["host"]),
    }


@requirement("nexus.surface.catalog")
async def test_a_plan_says_what_would_be_and_writes_nothing(nexus: NexusClient) -> None:
    ids = (await apply(nexus, HOST, DISK, VECNA)).entity_ids
    before = await nexus.list_history(ListHistory())
    changed = but(
        VECNA,
        names={"en": "Venka"},
        attributes={"port": 8},
        aliases=[],
        relations={"runs_on": "host", "uses": "host"},
    )
    new = CatalogEntry(key="new", type="service", names={"en": "New"})

    plan = await apply(nexus, HOST, changed, new, plan=True, prune=True)
    history = await nexus.list_history(ListHistory())
    applied = await apply(nexus, HOST, changed, new, prune=True)

    assert history == before
    assert (plan.created, plan.updated, plan.unchanged, plan.archived) == (1, 1, 1, 1)
    assert (plan.applied, applied.applied) == (False, True)
    assert plan.entity_ids == {"host": ids["host"], "vecna": ids["vecna"]}
    assert next(each.differences for each in plan.changes if each.key == "vecna") == [
        'name en: "Vecna" → "Venka"',
        "name ru: removed",
        "attribute port: 7 → 8",
        'alias "the brain": removed',
        f"relation uses {ids['disk']}: removed",
    ]
    assert {(each.key, each.action, each.entity_id) for each in plan.changes} == {
        ("vecna", "update", ids["vecna"]),
        ("new", "create", None),
        ("disk", "archive", ids["disk"]),
    }
    assert {each.key for each in applied.changes} == {"vecna", "new", "disk"}


async def test_a_plan_that_cannot_be_applied_is_refused_as_well(nexus: NexusClient) -> None:
    with pytest.raises(FailedPrecondition) as refused:
        await apply(nexus, but(HOST, relations={"part_of": "host"}), plan=True)

    assert refused.value.reason == "relation_cycle"


async def test_what_is_pruned_comes_back_when_it_is_declared_again(nexus: NexusClient) -> None:
    ids = (await apply(nexus, HOST, DISK, VECNA)).entity_ids
    kept = await apply(nexus, HOST)
    pruned = await apply(nexus, HOST, prune=True)
    again = await apply(nexus, HOST, prune=True)
    archived = await show(nexus, ids["vecna"])

    back = await apply(nexus, HOST, DISK, VECNA)

    assert (kept.archived, pruned.archived, again.archived) == (0, 2, 0)
    assert archived.status == "archived"
    assert (back.updated, back.created, back.entity_ids) == (2, 0, ids)
    assert (await show(nexus, ids["vecna"])).status == "active"


async def test_what_a_person_archived_after_pruning_stays_archived(nexus: NexusClient) -> None:
    ids = (await apply(nexus, HOST, VECNA, DISK)).entity_ids
    await apply(nexus, HOST, DISK, prune=True)
    await nexus.archive_entity(ArchiveEntity(ids["vecna"]))

    applied = await apply(nexus, HOST, VECNA, DISK)

    assert applied.unchanged == 3
    assert (await show(nexus, ids["vecna"])).status == "archived"


async def test_pruning_leaves_other_catalogs_and_hands_alone(nexus: NexusClient) -> None:
    by_hand = await nexus.create_entity(CreateEntity("service", {"en": "By hand"}))
    other = await nexus.apply_catalog(ApplyCatalog("home-two", [HOST]))

    await apply(nexus, prune=True)

    active = await nexus.list_entities(ListEntities(status="active"))
    assert {each.entity_id for each in active.entities} == {
        by_hand.entity_id,
        other.entity_ids["host"],
    }


@requirement("nexus.model.alias")
async def test_a_name_a_person_rejected_stays_rejected(nexus: NexusClient) -> None:
    ids = (await apply(nexus, HOST, DISK, VECNA)).entity_ids
    await nexus.retract_alias(RetractAlias(ids["vecna"], "the brain"))

    applied = await apply(nexus, HOST, DISK, VECNA)

    assert applied.unchanged == 3
    assert (await show(nexus, ids["vecna"])).aliases == []


async def test_an_entry_that_was_merged_stays_merged_and_keeps_its_own(
    nexus: NexusClient,
) -> None:
    ids = (await apply(nexus, HOST, DISK, VECNA)).entity_ids
    await nexus.merge_entities(MergeEntities(ids["disk"], ids["host"]))

    again = await apply(nexus, HOST, DISK, VECNA, prune=True)
    renamed = await apply(nexus, HOST, but(DISK, names={"en": "Drive"}), VECNA, prune=True)
    host = await show(nexus, ids["host"])
    disk = await nexus.split_entity(SplitEntity(ids["host"], ids["disk"]))

    assert again.unchanged == 3
    assert again.entity_ids == {**ids, "disk": ids["host"]}
    assert {(each.key, each.entity_id) for each in renamed.changes} == {
        ("host", ids["host"]),
        ("disk", ids["host"]),
    }
    assert [alias.text for alias in host.aliases] == ["Drive"]
    assert disk.names == {"en": "Drive"}


async def test_what_was_exported_makes_the_same_entities_elsewhere(
    nexus: NexusClient, folder: Path, clock: FrozenClock
) -> None:
    ids = (await apply(nexus, HOST, DISK, VECNA)).entity_ids
    by_hand = await nexus.create_entity(
        CreateEntity(
            "person",
            {"ru": "Анна"},
            description={"ru": "Хозяйка."},
            relations=[Outgoing("uses", ids["vecna"]), Outgoing("uses", ids["disk"])],
        )
    )
    await nexus.apply_catalog(ApplyCatalog("two", [but(HOST, names={"en": "Other shelf"})]))
    await nexus.add_alias(AddAlias(by_hand.entity_id, "Аня", "ru", "suggested"))
    await nexus.archive_entity(ArchiveEntity(ids["disk"]))
    entries: list[ExportedEntry] = []
    after: str | None = None
    while page := await nexus.export_catalog(ExportCatalog(after=after, limit=2)):
        entries += page.entries
        after = page.next_after
        if after is None:
            break
    catalog = msgspec.convert(
        {"catalog": "copy", "entries": msgspec.to_builtins(entries)}, ApplyCatalog
    )
    empty = folder / "empty"
    known = grants(folder / "empty.json", "nexus", KEEPER)
    async with hosting(open_part(Settings(), empty, known, clock), folder / "e"):
        address = Address(path=str(folder / "e"))
        async with NexusClient(address, KEEPER.secret, requester="user:anna") as copy:
            applied = await copy.apply_catalog(catalog)
            copies = (await copy.list_entities(ListEntities())).entities
            again = await copy.export_catalog(ExportCatalog())

    originals = (await nexus.list_entities(ListEntities(status="active"))).entities
    assert applied.created == len(originals) == 4
    assert [said(each) for each in copies] == [said(each) for each in originals]
    assert sorted(each.key for each in again.entries) == sorted(each.key for each in entries)
    assert {"vecna", by_hand.entity_id.partition("_")[2]} < {each.key for each in entries}
    assert "Аня" not in {alias for each in entries for alias in each.aliases}


def said(entity: Entity) -> tuple[Any, ...]:
    """What is said of an active entity and its active neighbours, without ids."""
    return (
        entity.type,
        entity.names,
        entity.description,
        entity.attributes,
        {each.text for each in entity.aliases if each.origin != "suggested"},
        {(each.system, each.external_id) for each in entity.external if each.system != "catalog"},
        sorted(
            (each.predicate, *each.names.values())
            for each in entity.relations
            if each.type != "device.disk"
        ),
    )


async def test_an_export_of_one_type_relates_only_within_it(nexus: NexusClient) -> None:
    await apply(nexus, HOST, DISK, VECNA)

    page = await nexus.export_catalog(ExportCatalog(type="service"))

    assert [(each.key, each.relations) for each in page.entries] == [("vecna", {})]


async def test_ten_thousand_entries_are_one_change_and_a_large_body(connect: Connect) -> None:
    nexus = connect()
    entries = [
        CatalogEntry(
            key=f"thing-{number}",
            type="household.object",
            names={"en": f"Thing number {number}", "ru": f"Вещь номер {number}"},
            description={"en": "One of very many things that are kept in this house."},
            relations={"part_of": f"thing-{number + 1}"} if number < 9999 else {},
        )
        for number in range(10_000)
    ]
    sent = ApplyCatalog("home", entries)
    assert len(msgspec.json.encode(sent)) > LARGEST_BODY

    with pytest.raises(PermissionDenied):
        await connect(READER).apply_catalog(sent)
    closed = but(entries[-1], relations={"part_of": "thing-0"})
    with pytest.raises(FailedPrecondition) as ring:
        await nexus.apply_catalog(ApplyCatalog("home", [*entries[:-1], closed]))
    applied = await nexus.apply_catalog(sent)

    assert ring.value.field == "entries[9999].relations.part_of"
    assert (applied.created, len(applied.changes)) == (10_000, 1000)


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        (but(HOST, attributes={"\x07": 1}), "entries[0].attributes.\x07"),
        (but(HOST, description={"ru": "\x1b"}), "entries[0].description.ru"),
        (but(HOST, external={"catalog": "home:x"}), "entries[0].external.catalog"),
        (but(HOST, relations={"uses": ["host", "nothing"]}), "entries[0].relations.uses"),
    ],
)
async def test_what_an_entry_cannot_say_is_refused_by_its_field(
    nexus: NexusClient, entry: CatalogEntry, field: str
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        await apply(nexus, entry)

    assert caught.value.field == field

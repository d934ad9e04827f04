"""Entities are added, named, related and retired; a refusal changes nothing and names the field."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from kit.address import Address
from kit.contract import Operation
from kit.errors import (
    Conflict,
    FailedPrecondition,
    InvalidArgument,
    NotFound,
    PermissionDenied,
    ServiceError,
)
from kit.testing import FrozenClock, grants, hosting
from nexus import contract as table
from nexus.app import open_part
from nexus.client import NexusClient
from nexus.contract import (
    AddAlias,
    Alias,
    ArchiveEntity,
    CreateEntity,
    Entity,
    ExternalReference,
    GetEntity,
    ListEntities,
    ListHistory,
    ListRelations,
    Outgoing,
    RelatedEntity,
    Relation,
    Resolve,
    Resolved,
)
from nexus.settings import Settings
from tests.nexus.conftest import KEEPER, READER, Connect
from tests.requirements import requirement

NOBODY = "ent_00000000000000000000000000"


async def make(nexus: NexusClient, name: str = "Vecna", **more: Any) -> Entity:
    request = CreateEntity(type="service.supervised", names={"en": name}, **more)
    return await nexus.create_entity(request)


async def count(nexus: NexusClient) -> tuple[int, int]:
    """How many entities and how many changes there are."""
    entities = await nexus.list_entities(ListEntities(limit=500))
    history = await nexus.list_history(ListHistory(limit=500))
    return len(entities.entities), len(history.changes)


@requirement("nexus.model.entity", "phase.1.typed-nexus-client")
async def test_what_was_said_of_an_entity_is_shown(nexus: NexusClient) -> None:
    host = await nexus.create_entity(
        CreateEntity(type="device.host", names={"ru": "Полка", "en": "Shelf"})
    )

    made = await nexus.create_entity(
        CreateEntity(
            type="service.supervised",
            names={"en": " Vecna "},
            aliases=["the brain", "мозг"],
            description={"en": "What agents learned."},
            external={"supervisor": "vecna"},
            relations=[Outgoing(predicate="runs_on", object=host.entity_id)],
        )
    )
    shown = await nexus.get_entity(GetEntity(entity_id=made.entity_id))

    assert shown == made
    assert made == Entity(
        entity_id=made.entity_id,
        type="service.supervised",
        names={"en": "Vecna"},
        status="active",
        description={"en": "What agents learned."},
        aliases=[
            Alias(text="the brain", language="und", origin="declared"),
            Alias(text="мозг", language="und", origin="declared"),
        ],
        external=[ExternalReference(system="supervisor", external_id="vecna")],
        relations=[
            RelatedEntity(
                predicate="runs_on",
                entity_id=host.entity_id,
                type="device.host",
                names={"en": "Shelf", "ru": "Полка"},
            )
        ],
        revision=1,
    )


async def test_relations_are_read_from_both_ends(nexus: NexusClient) -> None:
    host = await make(nexus, "Shelf")
    service = await make(nexus, relations=[Outgoing(predicate="runs_on", object=host.entity_id)])
    arrow = Relation(
        subject=service.entity_id, predicate="runs_on", object=host.entity_id, inverse="runs"
    )

    for entity_id in (host.entity_id, service.entity_id):
        found = await nexus.list_relations(ListRelations(entity_id=entity_id))

        assert found.relations == [arrow]


@pytest.mark.parametrize(
    ("change", "failure", "field"),
    [
        ({"names": {"en": "!!!"}}, InvalidArgument, "names.en"),
        ({"names": {"en": "Vecna", "ru": "Век\u202eна"}}, InvalidArgument, "names.ru"),
        ({"aliases": ["fine", "\x07bell"]}, InvalidArgument, "aliases[1]"),
        ({"external": {"supervisor": " vecna"}}, InvalidArgument, "external.supervisor"),
        ({"external": {"catalog": "home:x"}}, InvalidArgument, "external.catalog"),
        ({"external": {"supervisor": "taken"}}, Conflict, "external.supervisor"),
        (
            {"relations": [Outgoing(predicate="runs_on", object=NOBODY)]},
            NotFound,
            "relations[0].object",
        ),
    ],
)
async def test_a_refused_entity_names_the_field_and_leaves_nothing_behind(
    nexus: NexusClient, change: dict[str, Any], failure: type[ServiceError], field: str
) -> None:
    await make(nexus, "Owner", external={"supervisor": "taken"})
    before = await count(nexus)
    request: dict[str, Any] = {"type": "service", "names": {"en": "New"}, **change}

    with pytest.raises(failure) as refused:
        await nexus.create_entity(CreateEntity(**request))

    assert refused.value.field == field
    assert await count(nexus) == before


async def test_a_conflict_names_the_owner(nexus: NexusClient) -> None:
    owner = await make(nexus, external={"supervisor": "vecna"})

    with pytest.raises(Conflict, match=owner.entity_id) as refused:
        await make(nexus, "Other", external={"supervisor": "vecna"})

    assert refused.value.reason == "external_taken"


async def test_writers_at_the_same_time_never_make_two_owners_of_an_external_id(
    connect: Connect,
) -> None:
    clients = [connect() for _ in range(8)]

    outcomes = await asyncio.gather(
        *(
            make(client, f"Vecna {number}", external={"supervisor": f"v{number % 3}"})
            for number, client in enumerate(clients * 3)
        ),
        return_exceptions=True,
    )

    made = [outcome for outcome in outcomes if isinstance(outcome, Entity)]
    refused = [outcome for outcome in outcomes if isinstance(outcome, Conflict)]
    assert (len(made), len(refused)) == (3, 21)
    assert {each.external[0].external_id for each in made} == {"v0", "v1", "v2"}


async def test_an_alias_given_twice_changes_nothing_and_gains_strength_never_loses_it(
    nexus: NexusClient,
) -> None:
    entity = await make(nexus)
    origins: list[str] = []
    revisions: list[int] = []
    for origin in ("suggested", "suggested", "confirmed", "suggested"):
        request = AddAlias(entity_id=entity.entity_id, text="мозг", origin=origin)

        changed = await nexus.add_alias(request)

        origins += [alias.origin for alias in changed.aliases]
        revisions.append(changed.revision)
    assert origins == ["suggested", "suggested", "confirmed", "confirmed"]
    assert revisions == [2, 2, 3, 3]


@pytest.mark.parametrize(
    ("requester", "origin", "is_allowed"),
    [
        ("user:anna", "confirmed", True),
        ("service:mavend", "confirmed", False),
        ("service:mavend", "declared", True),
        ("agent:codex", "confirmed", False),
        ("agent:codex", "declared", False),
        ("agent:codex", "suggested", True),
    ],
)
async def test_only_a_person_confirms_a_name_and_an_agent_only_suggests_one(
    connect: Connect, requester: str, origin: Any, is_allowed: bool
) -> None:
    client = connect(requester=requester)
    entity = await make(connect())
    request = AddAlias(entity_id=entity.entity_id, text="мозг", origin=origin)

    if is_allowed:
        assert (await client.add_alias(request)).aliases[0].origin == origin
    else:
        with pytest.raises(PermissionDenied) as refused:
            await client.add_alias(request)

        assert refused.value.field == "origin"
        assert (await client.get_entity(GetEntity(entity_id=entity.entity_id))).aliases == []


async def test_archiving_is_shown_happens_once_and_ends_further_changes(
    nexus: NexusClient,
) -> None:
    entity = await make(nexus)

    first = await nexus.archive_entity(ArchiveEntity(entity_id=entity.entity_id))
    second = await nexus.archive_entity(ArchiveEntity(entity_id=entity.entity_id))
    with pytest.raises(FailedPrecondition):
        await nexus.add_alias(AddAlias(entity_id=entity.entity_id, text="мозг"))
    with pytest.raises(FailedPrecondition):
        await make(nexus, "On", relations=[Outgoing(predicate="part_of", object=entity.entity_id)])

    assert first == second
    assert (first.status, first.revision) == ("archived", 2)


@pytest.mark.parametrize(
    ("operation", "request_"),
    [
        (table.GET_ENTITY, GetEntity(entity_id=NOBODY)),
        (table.LIST_RELATIONS, ListRelations(entity_id=NOBODY)),
        (table.ARCHIVE_ENTITY, ArchiveEntity(entity_id=NOBODY)),
        (table.ADD_ALIAS, AddAlias(entity_id=NOBODY, text="мозг")),
    ],
)
async def test_an_unknown_entity_is_not_found_and_not_created(
    nexus: NexusClient, operation: Operation[Any, Any], request_: Any
) -> None:
    with pytest.raises(NotFound) as refused:
        await nexus.call(operation, request_)

    assert refused.value.field == "entity_id"
    assert await count(nexus) == (0, 0)


@requirement("nexus.model.history", "arch.18")
async def test_history_says_who_changed_what_for_whom(connect: Connect, clock: FrozenClock) -> None:
    nexus = connect(requester="user:boris")
    entity = await make(nexus)
    await nexus.add_alias(AddAlias(entity_id=entity.entity_id, text="мозг"))
    await make(nexus, "Other")

    page = await nexus.list_history(ListHistory(entity_id=entity.entity_id, limit=1))
    rest = await nexus.list_history(ListHistory(entity_id=entity.entity_id, after=page.next_after))

    changes = [*page.changes, *rest.changes]
    assert [change.operation for change in changes] == ["create_entity", "add_alias"]
    assert {change.requester for change in changes} == {"user:boris"}
    assert all(change.correlation_id.startswith("cor_") for change in changes)
    assert {change.at for change in changes} == {clock.now()}
    assert changes[0].before is None
    assert changes[1].before is not None
    assert changes[1].after is not None
    assert changes[0].after == changes[1].before
    assert [alias["text"] for alias in changes[1].after["aliases"]] == ["мозг"]


async def test_lists_are_paged_and_types_match_by_prefix(nexus: NexusClient) -> None:
    made = [await make(nexus, f"Number {number}") for number in range(5)]
    await nexus.create_entity(CreateEntity(type="services", names={"en": "No service"}))

    first = await nexus.list_entities(ListEntities(type="service", limit=3))
    rest = await nexus.list_entities(ListEntities(type="service", limit=3, after=first.next_after))

    assert first.next_after is not None
    assert rest.next_after is None
    assert [*first.entities, *rest.entities] == made


async def test_who_may_only_read_changes_nothing(connect: Connect) -> None:
    reader = connect(READER)

    with pytest.raises(PermissionDenied):
        await make(reader)

    assert await count(reader) == (0, 0)


async def test_what_is_known_survives_a_restart_names_included(folder: Path) -> None:
    known = grants(folder / "grants.json", "nexus", KEEPER)
    found: list[Any] = []
    for _ in range(2):
        async with hosting(open_part(Settings(), folder, known), folder / "s") as running:
            assert running.hosted.contract.name == "nexus"
            address = Address(path=str(folder / "s"))
            async with NexusClient(address, KEEPER.secret, requester="user:a") as nexus:
                if not found:
                    request = CreateEntity(type="service", names={"ru": "Векна"})
                    await nexus.create_entity(request)
                found.append(await nexus.resolve(Resolve(text="векну", purpose="mutate")))

    assert isinstance(found[0], Resolved)
    assert found[0] == found[1]

"""A person decides what is; an agent suggests, and what is archived stays out of the way."""

from __future__ import annotations

import pytest

from kit.errors import PermissionDenied
from nexus.client import NexusClient
from nexus.contract import (
    ApplyCatalog,
    ArchiveEntity,
    CreateEntity,
    ListHistory,
    NotFound,
    Resolve,
    UpdateEntity,
)
from tests.nexus.conftest import Connect
from tests.requirements import requirement


@requirement("nexus.resolution.read-only", "invariant.5")
async def test_an_agent_suggests_and_decides_nothing(connect: Connect, nexus: NexusClient) -> None:
    lamp = await nexus.create_entity(CreateEntity(type="device", names={"en": "Lamp"}))
    agent = connect(requester="agent:max")
    before = await nexus.list_history(ListHistory(limit=500))

    for refused in (
        agent.create_entity(CreateEntity(type="device", names={"en": "Ghost gadget"})),
        agent.update_entity(UpdateEntity(entity_id=lamp.entity_id, names={"en": "Ghost"})),
        agent.archive_entity(ArchiveEntity(entity_id=lamp.entity_id)),
        agent.apply_catalog(ApplyCatalog(catalog="home", entries=[])),
    ):
        with pytest.raises(PermissionDenied) as caught:
            await refused
        assert caught.value.reason == "decision_foreign"

    assert await nexus.list_history(ListHistory(limit=500)) == before


async def test_the_name_of_what_is_archived_leads_to_nothing_like_it(nexus: NexusClient) -> None:
    retired = await nexus.create_entity(CreateEntity(type="device", names={"en": "Sphinx"}))
    near = CreateEntity(type="device", names={"en": "Sphynx"}, aliases=["sphinx docs"])
    await nexus.create_entity(near)
    await nexus.archive_entity(ArchiveEntity(entity_id=retired.entity_id))

    for text in ("Sphinx", "sphinx", "the SPHINX device"):
        found = await nexus.resolve(Resolve(text=text, purpose="read"))
        assert isinstance(found, NotFound), (text, found)

"""What was discovered waits for a person, is proposed once, and is nothing until it is accepted."""

from __future__ import annotations

from typing import Any

import pytest

from kit.errors import (
    Conflict,
    FailedPrecondition,
    InvalidArgument,
    NotFound,
    ResourceExhausted,
)
from kit.testing import FrozenClock
from nexus.client import NexusClient
from nexus.contract import (
    AcceptProposal,
    CreateEntity,
    Discovery,
    ListEntities,
    ListHistory,
    ListProposals,
    MapExternal,
    Proposal,
    Proposed,
    ProposeEntities,
    RejectProposal,
    UnmapExternal,
)
from nexus.store import proposals
from tests.nexus.conftest import Connect
from tests.requirements import requirement

VECNA = Discovery(
    system="systemd",
    external_id="vecna.service",
    type="service.systemd",
    names={"en": "vecna"},
    aliases=["memory"],
    description={"en": "Shared memory."},
    evidence="systemctl list-units",
)


async def propose(nexus: NexusClient, *discoveries: Discovery) -> Proposed:
    return await nexus.propose_entities(ProposeEntities(list(discoveries)))


async def pending(nexus: NexusClient, **more: Any) -> list[Proposal]:
    return (await nexus.list_proposals(ListProposals(**more))).proposals


def numbered(number: int, system: str = "git") -> Discovery:
    return Discovery(system, f"x{number}", "repository.git", {"en": f"Number {number}"})


@requirement("nexus.surface.discovery")
async def test_a_discovery_is_nothing_until_it_is_accepted(
    connect: Connect, clock: FrozenClock
) -> None:
    agent, nexus = connect(requester="agent:scout"), connect()
    namesake = await nexus.create_entity(CreateEntity("service", {"en": "vecna"}))

    assert await propose(agent, VECNA, VECNA) == Proposed(1, 0, 1, 0)
    assert len((await nexus.list_entities(ListEntities())).entities) == 1
    (proposal,) = await pending(nexus)
    entity = await nexus.accept_proposal(
        AcceptProposal(proposal.proposal_id, names={"en": "Vecna"}, why="found")
    )

    assert proposal == Proposal(
        proposal_id=proposal.proposal_id,
        system="systemd",
        external_id="vecna.service",
        type="service.systemd",
        names={"en": "vecna"},
        state="pending",
        proposed_at=clock.now(),
        proposed_by="agent:scout",
        aliases=["memory"],
        description={"en": "Shared memory."},
        evidence="systemctl list-units",
        resembles=[namesake.entity_id],
    )
    assert entity.names == {"en": "Vecna"}
    assert {(each.text, each.origin) for each in entity.aliases} == {
        ("memory", "imported"),
        ("vecna", "imported"),
    }
    assert [(each.external_id, each.origin) for each in entity.external] == [
        ("vecna.service", "imported")
    ]
    history = await nexus.list_history(ListHistory(entity.entity_id))
    assert [(each.operation, each.why) for each in history.changes] == [
        ("accept_proposal", "found")
    ]
    (accepted,) = await pending(nexus, state="accepted")
    assert (accepted.entity_id, accepted.resembles) == (entity.entity_id, [])
    assert await propose(agent, VECNA) == Proposed(0, 1, 0, 0)


async def test_a_proposal_may_be_part_of_what_exists(nexus: NexusClient) -> None:
    known = await nexus.create_entity(CreateEntity("service", {"en": "Vecna"}))
    await propose(nexus, VECNA)
    (proposal,) = await pending(nexus)

    entity = await nexus.accept_proposal(AcceptProposal(proposal.proposal_id, into=known.entity_id))

    assert (entity.entity_id, entity.type, entity.names) == (
        known.entity_id,
        "service",
        {"en": "Vecna"},
    )
    assert [alias.text for alias in entity.aliases] == ["memory", "vecna"]
    assert [each.external_id for each in entity.external] == ["vecna.service"]


async def test_what_was_rejected_is_not_proposed_again(nexus: NexusClient) -> None:
    await propose(nexus, VECNA)
    (proposal,) = await pending(nexus)

    rejected = await nexus.reject_proposal(RejectProposal(proposal.proposal_id, why="a test"))
    again = await nexus.reject_proposal(RejectProposal(proposal.proposal_id))

    assert rejected.state == "rejected"
    assert again == rejected
    assert await propose(nexus, VECNA) == Proposed(0, 0, 0, 1)
    assert await pending(nexus) == []
    with pytest.raises(FailedPrecondition) as decided:
        await nexus.accept_proposal(AcceptProposal(proposal.proposal_id))
    assert decided.value.reason == "proposal_decided"


async def test_a_decision_is_made_once(nexus: NexusClient) -> None:
    await propose(nexus, VECNA)
    (proposal,) = await pending(nexus)
    entity = await nexus.accept_proposal(AcceptProposal(proposal.proposal_id))

    for call in (
        nexus.accept_proposal(AcceptProposal(proposal.proposal_id)),
        nexus.reject_proposal(RejectProposal(proposal.proposal_id)),
    ):
        with pytest.raises(FailedPrecondition, match=entity.entity_id):
            await call
    with pytest.raises(NotFound) as unknown:
        await nexus.reject_proposal(RejectProposal("prp_0"))
    assert unknown.value.field == "proposal_id"


async def test_what_somebody_mapped_meanwhile_is_not_made_twice(nexus: NexusClient) -> None:
    other = await nexus.create_entity(CreateEntity("service", {"en": "Other"}))
    await propose(nexus, VECNA)
    (proposal,) = await pending(nexus)
    await nexus.map_external(MapExternal(other.entity_id, "systemd", "vecna.service"))

    with pytest.raises(Conflict, match=other.entity_id):
        await nexus.accept_proposal(AcceptProposal(proposal.proposal_id))

    assert await propose(nexus, VECNA) == Proposed(0, 1, 0, 0)
    await nexus.unmap_external(UnmapExternal(other.entity_id, "systemd", "vecna.service"))
    assert await propose(nexus, VECNA) == Proposed(0, 0, 1, 0)


async def test_proposals_are_paged_and_told_apart_by_system(nexus: NexusClient) -> None:
    await propose(nexus, *(numbered(number) for number in range(5)), numbered(9, "container"))

    first = await nexus.list_proposals(ListProposals(system="git", limit=3))
    rest = await nexus.list_proposals(ListProposals(system="git", after=first.next_after))

    seen = [each.external_id for each in (*first.proposals, *rest.proposals)]
    assert seen == [f"x{number}" for number in range(5)]
    assert rest.next_after is None
    assert len(await pending(nexus)) == 6


async def test_no_more_wait_than_a_person_could_ever_answer(
    nexus: NexusClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proposals, "MOST_PENDING", 3)
    await propose(nexus, numbered(1), numbered(2))

    with pytest.raises(ResourceExhausted) as full:
        await propose(nexus, numbered(3), numbered(4))
    told = await propose(nexus, numbered(1), numbered(3))

    assert (full.value.reason, full.value.field) == ("proposals_full", "discoveries")
    assert told == Proposed(1, 0, 1, 0)


@pytest.mark.parametrize(
    ("discovery", "field"),
    [
        (Discovery("catalog", "home:x", "service", {"en": "X"}), "discoveries[1].system"),
        (Discovery("git", " x", "service", {"en": "X"}), "discoveries[1].external_id"),
        (Discovery("git", "x", "service", {"en": "…"}), "discoveries[1].names.en"),
        (Discovery("git", "x", "service", {"en": "X"}, ["\x07"]), "discoveries[1].aliases[0]"),
        (
            Discovery("git", "x", "service", {"en": "X"}, evidence="\x1b[2J"),
            "discoveries[1].evidence",
        ),
    ],
)
async def test_a_discovery_that_cannot_be_keeps_all_of_them_out(
    nexus: NexusClient, discovery: Discovery, field: str
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        await propose(nexus, VECNA, discovery)

    assert caught.value.field == field
    assert await pending(nexus) == []

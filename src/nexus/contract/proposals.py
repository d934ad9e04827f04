"""Things that were discovered and that a person takes or leaves; until then they are nothing."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from kit.contract import Id, PageLimit, Reply, Request, Short, Text, Time
from nexus.contract.keeping import Aliases
from nexus.contract.things import Descriptions, EntityType, Names, System, Why


class Discovery(Request):
    """One thing that was seen."""

    system: System
    external_id: Short
    """What the system calls it; a thing is proposed once."""
    type: EntityType
    names: Annotated[Names, Meta(min_length=1)]
    aliases: Aliases = []
    description: Descriptions = {}
    evidence: Text = ""
    """Where it was seen."""


class ProposeEntities(Request):
    """Put discovered things before a person; what is known or was rejected is passed over."""

    discoveries: Annotated[list[Discovery], Meta(min_length=1, max_length=2000)]


class Proposed(Reply):
    """What became of the discoveries."""

    proposed: int
    known: int
    """They are mapped to an entity already."""
    pending: int
    """They wait for an answer already."""
    rejected: int
    """A person did not want them."""


class Proposal(Reply):
    """A discovered thing and what was decided about it."""

    proposal_id: Id
    system: System
    external_id: Short
    type: EntityType
    names: dict[str, str]
    state: Literal["pending", "accepted", "rejected"]
    proposed_at: Time
    proposed_by: str
    aliases: list[str] = []
    description: dict[str, str] = {}
    evidence: str = ""
    entity_id: Id | None = None
    """The entity it became."""
    resembles: list[Id] = []
    """Entities that bear such a name already; it may be one of them."""


class ListProposals(Request):
    """Show what waits for a person's answer."""

    state: Literal["pending", "accepted", "rejected"] = "pending"
    system: System | None = None
    after: Id | None = None
    limit: PageLimit = 100


class ProposalList(Reply):
    """A page of proposals."""

    proposals: list[Proposal]
    next_after: Id | None = None


class AcceptProposal(Request):
    """Make a proposal an entity, or part of one that exists."""

    proposal_id: Id
    into: Id | None = None
    """The entity it is; left out, a new one is created."""
    names: Names | None = None
    """Better names than those proposed."""
    type: EntityType | None = None
    why: Why = ""


class RejectProposal(Request):
    """Say that a proposal is not wanted; it is not proposed again."""

    proposal_id: Id
    why: Why = ""

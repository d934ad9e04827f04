"""What was discovered, and what a person says to it."""

from __future__ import annotations

import msgspec

from kit.trace import Call
from nexus.contract import (
    AcceptProposal,
    Entity,
    ListProposals,
    Proposal,
    ProposalList,
    Proposed,
    ProposeEntities,
    RejectProposal,
)
from nexus.resolver.find import find
from nexus.service.authored import Authored
from nexus.service.checking import checked_discoveries, checked_names, checked_text

_MOST_RESEMBLING = 10


class Proposals(Authored):
    """Puts discovered things before a person."""

    async def propose_entities(self, request: ProposeEntities, call: Call) -> Proposed:
        """Keep what is new for a person to decide.

        Raises:
            InvalidArgument: A name or an id cannot be one; the field says which.
            ResourceExhausted: Too many wait already.
        """
        discoveries = checked_discoveries(request.discoveries)
        author = self._author("propose_entities", call)
        return await self._entities.propose(discoveries, lambda: self._ids.new("prp"), author)

    async def list_proposals(self, request: ListProposals, call: Call) -> ProposalList:
        """A page of proposals, the oldest first."""
        found = self._entities.proposals(request, request.limit + 1)
        page = found[: request.limit]
        return ProposalList(
            proposals=[self._compared(proposal) for proposal in page],
            next_after=page[-1].proposal_id if len(found) > len(page) else None,
        )

    async def accept_proposal(self, request: AcceptProposal, call: Call) -> Entity:
        """Make a proposal an entity, or part of one.

        Raises:
            InvalidArgument: A name cannot be one.
            NotFound: There is no such proposal or entity.
            FailedPrecondition: It is decided already, or the entity is archived.
            Conflict: The external id belongs to another entity, or the entity is merged.
        """
        names = None if request.names is None else checked_names(request.names, "")
        author = self._author("accept_proposal", call, checked_text(request.why, "why"))
        entity = await self._entities.accept(
            self._ids.new("ent"), msgspec.structs.replace(request, names=names), author
        )
        return self._settled(entity)

    async def reject_proposal(self, request: RejectProposal, call: Call) -> Proposal:
        """Say that a proposal is not wanted; it is not proposed again.

        Raises:
            NotFound: There is no such proposal.
            FailedPrecondition: It was accepted.
        """
        author = self._author("reject_proposal", call, checked_text(request.why, "why"))
        return await self._entities.reject(request, author)

    def _compared(self, proposal: Proposal) -> Proposal:
        if proposal.state != "pending":
            return proposal
        bearers = {
            match.entity_id: None
            for name in (*proposal.names.values(), *proposal.aliases)
            for match in find(self._names, name)
            if match.is_firm
        }
        return msgspec.structs.replace(proposal, resembles=list(bearers)[:_MOST_RESEMBLING])

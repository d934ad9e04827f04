"""What people decide about items."""

from __future__ import annotations

from kit import redact
from kit.errors import InvalidArgument
from kit.trace import Call
from praxis.contract import Ignore, Item, ItemList, MarkSurfaced, Transition
from praxis.domain.standing import Verb
from praxis.service.composed import Composed
from praxis.store.deciding import Decided

_NOTE = 400
"""Characters of a note that are kept."""


class Deciding(Composed):
    """The transitions; each refuses with `Conflict` when the item moved on since it was seen."""

    async def mark_surfaced(self, request: MarkSurfaced, call: Call) -> ItemList:
        """Items were shown to a person.

        Raises:
            NotFound: One of them does not exist.
        """
        return await self._ledger.surface(request, call.requester)

    async def acknowledge(self, request: Transition, call: Call) -> Item:
        """A person has taken note."""
        return await self._decide("acknowledge", request, call)

    async def unacknowledge(self, request: Transition, call: Call) -> Item:
        """A person takes that back."""
        return await self._decide("unacknowledge", request, call)

    async def resolve(self, request: Transition, call: Call) -> Item:
        """A person says it is dealt with, even if its source says otherwise."""
        return await self._decide("resolve", request, call)

    async def reopen(self, request: Transition, call: Call) -> Item:
        """A person takes that back."""
        return await self._decide("reopen", request, call)

    async def pin(self, request: Transition, call: Call) -> Item:
        """A person wants it on top."""
        return await self._decide("pin", request, call)

    async def unpin(self, request: Transition, call: Call) -> Item:
        """A person no longer wants it on top."""
        return await self._decide("unpin", request, call)

    async def unignore(self, request: Transition, call: Call) -> Item:
        """A person wants to hear of it again."""
        return await self._decide("unignore", request, call)

    async def ignore(self, request: Ignore, call: Call) -> Item:
        """A person does not want to hear of it for now.

        Raises:
            InvalidArgument: `until` is missing, or has passed.
        """
        if request.ends == "time" and request.until is None:
            raise InvalidArgument(
                "An ignoring that ends with `time` needs `until`; nothing is ignored for ever.",
                field="until",
            )
        now = self._clock.now()
        if request.until is not None and request.until <= now:
            raise InvalidArgument(f"`until` has passed; it is {now.isoformat()}.", field="until")
        decided = Decided(
            "ignore",
            call.requester,
            redact.text(request.note, _NOTE),
            ends=request.ends,
            until=request.until,
        )
        return await self._ledger.transit(request.item_id, decided, request.if_version)

    async def _decide(self, verb: Verb, request: Transition, call: Call) -> Item:
        decided = Decided(verb, call.requester, redact.text(request.note, _NOTE))
        return await self._ledger.transit(request.item_id, decided, request.if_version)

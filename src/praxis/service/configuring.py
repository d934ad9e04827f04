"""How Praxis is told what to look at and whom to hear."""

from __future__ import annotations

from dataclasses import replace

from kit.address import Address
from kit.errors import InvalidArgument
from kit.trace import Call
from praxis.contract import PutSource, SourceState
from praxis.domain.freshness import KnownSource
from praxis.service.composed import Composed
from praxis.service.telling import RESERVED


class Configuring(Composed):
    """The operations of the owner."""

    async def put_source(self, request: PutSource, call: Call) -> SourceState:
        """Register a source or change it; one that is pulled is looked at from now on.

        Raises:
            InvalidArgument: The name is reserved, the address none, or the interval shorter than
                that of the check.
        """
        _check_source(request)
        known = self._book.get(request.source)
        configured = KnownSource(
            source=request.source,
            kind=request.kind,
            entity_id=request.entity_id,
            expected_every_s=request.expected_every_s,
            health_check=request.health_check,
            registered_at=self._clock.now(),
        )
        if known is not None:
            configured = replace(
                known,
                registered_at=(known if known.is_registered else configured).registered_at,
                kind=request.kind,
                entity_id=request.entity_id,
                expected_every_s=request.expected_every_s,
                health_check=request.health_check,
            )
        if configured != known:
            self._book.put(configured)
            await self._ledger.put_source(configured)
            self._book.written(configured)
            await self._polling.follow(configured)
        return self._state(self._book.get(request.source) or configured)


def _check_source(request: PutSource) -> None:
    if request.source in RESERVED:
        raise InvalidArgument(
            f"`{request.source}` is a name Praxis uses itself.", reason="reserved", field="source"
        )
    check = request.health_check
    if check is None:
        return
    try:
        Address.parse(check.address)
    except InvalidArgument as error:
        raise InvalidArgument(error.message, field="health_check.address") from error
    if request.expected_every_s < check.every_s:
        raise InvalidArgument(
            "`expected_every_s` is shorter than the check's own `every_s`.",
            field="expected_every_s",
        )

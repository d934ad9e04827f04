"""How Praxis is told what to look at and whom to hear."""

from __future__ import annotations

import asyncio

from msgspec import structs
from msgspec.structs import replace

from kit.address import Address
from kit.errors import InvalidArgument
from kit.trace import Call
from kit.zones import zone_of
from praxis.contract import OpenDoor, PutSource, SourceState
from praxis.dialects.registry import DIALECTS
from praxis.dialects.signatures import SIGNED
from praxis.domain.freshness import KnownSource
from praxis.service.composed import Composed
from praxis.service.telling import RESERVED
from praxis.store.deliveries import Door, new_token


class Configuring(Composed):
    """The operations of the owner."""

    async def put_source(self, request: PutSource, call: Call) -> SourceState:
        """Register a source or change it; one that is pulled is looked at from now on.

        Raises:
            InvalidArgument: The name is reserved, the address none, or the interval shorter than
                that of the check.
        """
        _check_source(request)
        if request.door is not None:
            try:
                await asyncio.to_thread(zone_of, request.door.zone)
            except LookupError as error:
                raise InvalidArgument(str(error.args[0]), field="door.zone") from error
        known = self._book.get(request.source)
        configured = KnownSource(
            source=request.source,
            kind=request.kind,
            entity_id=request.entity_id,
            expected_every_s=request.expected_every_s,
            health_check=request.health_check,
            look=request.look,
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
                look=request.look,
            )
        self._polling.try_out(configured)
        if configured != known:
            self._book.put(configured)
            await self._ledger.put_source(configured)
            self._book.written(configured)
            await self._polling.follow(configured)
        door = await self._open_door(request.source, request.door)
        state = self._state(self._book.get(request.source) or configured)
        return (
            state if door is None else structs.replace(state, dialect=door.dialect, door=door.path)
        )

    async def _open_door(self, source: str, asked: OpenDoor | None) -> Door | None:
        if asked is None:
            return None
        known = self._doors.of(source)
        door = Door(
            source=source,
            dialect=asked.dialect,
            token=new_token() if known is None or asked.renew else known.token,
            secret=asked.secret,
            zone=asked.zone,
        )
        if door != known:
            await self._ledger.put_door(door)
            self._doors.put(door)
        return door


def _check_source(request: PutSource) -> None:
    if request.source in RESERVED:
        raise InvalidArgument(
            f"`{request.source}` is a name Praxis uses itself.", reason="reserved", field="source"
        )
    _check_door(request.door)
    if request.health_check is not None and request.look is not None:
        raise InvalidArgument(
            "A source is looked at in one way: `health_check` or `look`.", field="look"
        )
    if request.health_check is not None:
        try:
            Address.parse(request.health_check.address)
        except InvalidArgument as error:
            raise InvalidArgument(error.message, field="health_check.address") from error
    pulled = request.health_check or request.look
    if pulled is None:
        return
    if request.expected_every_s is None or request.expected_every_s < pulled.every_s:
        raise InvalidArgument(
            "`expected_every_s` is missing, or shorter than the look's own `every_s`.",
            field="expected_every_s",
        )


def _check_door(door: OpenDoor | None) -> None:
    if door is None:
        return
    if door.dialect not in DIALECTS:
        raise InvalidArgument(
            f"There is no dialect `{door.dialect}`; there are {', '.join(sorted(DIALECTS))}.",
            field="door.dialect",
        )
    if door.secret is not None and door.dialect not in SIGNED:
        raise InvalidArgument(
            f"`{door.dialect}` signs nothing; these do: {', '.join(sorted(SIGNED))}.",
            field="door.secret",
        )

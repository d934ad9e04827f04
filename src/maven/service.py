"""Maven: one method per operation."""

from __future__ import annotations

import asyncio
import time
from datetime import tzinfo
from weakref import WeakValueDictionary

from msgspec.structs import replace

from kit import redact
from kit.errors import Conflict, NotFound, ServiceError, Unavailable
from kit.pulse import Pulse
from kit.trace import Call
from maven.contract import (
    Answer,
    GetTurn,
    ListNotifications,
    ListTurns,
    Notification,
    NotificationList,
    TakeTurn,
    TurnList,
    TurnRecord,
)
from maven.domain.phrase import unkept
from maven.domain.turn import Turn, made
from maven.ports import Ports
from maven.store import digest_of
from maven.turn import take
from praxis.contract import MarkSurfaced

_TEXT_KEPT = 2000


class Maven:
    """Conversation: understands, coordinates, phrases, and tells what became of things."""

    def __init__(self, ports: Ports, zone: tzinfo, news: Pulse) -> None:
        self._ports = ports
        self._zone = zone
        self._news = news
        self._speaking: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    async def take_turn(self, request: TakeTurn, call: Call) -> Answer:
        """Hear what was said and answer; the same turn sent again gets the same answer.

        Raises:
            Conflict: This turn id was used for something else.
        """
        speaker = (call.requester, request.conversation_id)
        lock = self._speaking.setdefault(speaker, asyncio.Lock())
        async with lock:
            digest = digest_of(request.text, request.conversation_id)
            before = self._ports.conversations.answered(request.turn_id)
            if before is not None:
                requester, said, answer = before
                if requester != call.requester or said != digest:
                    raise Conflict(
                        "This turn id was used for something else; mint a new one per utterance.",
                        reason="turn_id_reused",
                        field="turn_id",
                    )
                return answer
            return await self._take(request, call, digest)

    async def _take(self, request: TakeTurn, call: Call, digest: bytes) -> Answer:
        at, before = self._ports.clock.now(), time.perf_counter()
        turn = Turn(
            turn_id=request.turn_id,
            conversation_id=request.conversation_id,
            requester=call.requester,
            channel=request.channel,
            has_assertion=call.channel_assertion is not None,
            at=at,
            zone=self._zone,
            text=request.text,
            answering=request.answering,
            asked_language=request.language,
            default_language=self._ports.settings.language,
        )
        turn, trace = await take(turn, call, self._ports)
        record = TurnRecord(
            turn_id=turn.turn_id,
            conversation_id=turn.conversation_id,
            requester=turn.requester,
            channel=turn.channel,
            at=at,
            duration_ms=round((time.perf_counter() - before) * 1000, 3),
            text=redact.text(turn.text, _TEXT_KEPT),
            answer=made(turn.answer),
            trace=trace,
        )
        learnt = self._ports.known.unsaved()
        try:
            return await self._ports.conversations.keep(record, digest, turn.dialogue, learnt)
        except Unavailable as error:
            if error.reason != "store_failed" or not turn.only_told:
                raise
            return replace(record.answer, text=f"{record.answer.text} {unkept(turn.language)}")

    async def get_turn(self, request: GetTurn, call: Call) -> TurnRecord:
        """A turn of this requester with its whole trace.

        Raises:
            NotFound: There is none.
        """
        record = self._ports.conversations.turn(call.requester, request.turn_id)
        if record is None:
            what = f"turn {request.turn_id}" if request.turn_id else "turn yet"
            raise NotFound(f"You have had no {what}.", field="turn_id")
        return record

    async def list_turns(self, request: ListTurns, call: Call) -> TurnList:
        """Turns of this requester, newest first."""
        turns = self._ports.conversations.turns(
            call.requester, request.conversation_id, request.limit
        )
        return TurnList(turns=turns)

    async def list_notifications(self, request: ListNotifications, call: Call) -> NotificationList:
        """What this requester has to hear after a cursor, waiting for it when asked to."""
        after = self._ports.watches.newest() if request.after is None else request.after
        until = time.monotonic() + request.wait_s
        while not (found := self._heard(request, call, after)):
            left = until - time.monotonic()
            if left <= 0 or self._news.is_closed:
                break
            await self._news.wait(left)
        await self._surface(found, call)
        next_after = found[-1].cursor if found else after
        return NotificationList(notifications=found, next_after=next_after)

    def _heard(self, request: ListNotifications, call: Call, after: int) -> list[Notification]:
        return self._ports.watches.notifications(
            call.requester, request.conversation_id, after, request.limit
        )

    async def _surface(self, found: list[Notification], call: Call) -> None:
        """Items told by a notification count as surfaced once a channel has fetched it."""
        waiting = self._ports.watches.unsurfaced(found) if found else []
        if not waiting:
            return
        items = list(dict.fromkeys(item for each in waiting for item in each.item_ids))
        asked = MarkSurfaced(item_ids=items[:100], channel=call.principal or "unknown")
        try:
            await self._ports.praxis.mark_surfaced(asked)
        except ServiceError:
            return
        await self._ports.watches.surfaced(waiting, self._ports.clock.now())

"""The made-up part itself; what a test wants to see or hold back is public."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator

from kit.contract import Nothing
from kit.errors import FailedPrecondition, Internal, ServiceError, Unavailable
from kit.pulse import Pulse
from kit.store import Store
from kit.trace import Call
from tests.kit.sample import contract as table

FAILURES: dict[str, type[ServiceError]] = {
    "failed_precondition": FailedPrecondition,
    "unavailable": Unavailable,
    "internal": Internal,
}


class Sample:
    """Keeps notes."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.news = Pulse()
        self.may_go_on = asyncio.Event()
        self.begun = asyncio.Event()
        self.given_up = asyncio.Event()
        self.counted = 0

    async def echo(self, request: table.Echo, call: Call) -> table.Echoed:
        """Say it back."""
        return table.Echoed(
            text=request.text,
            requester=call.requester,
            correlation_id=call.correlation_id,
            causation_id=call.causation_id,
            trace_id=call.trace_id,
            principal=call.principal,
            remaining_ms=int((call.remaining_s() or 0) * 1000),
        )

    async def linger(self, request: table.Linger, call: Call) -> table.Notes:
        """Answer never, or fail in a named way."""
        if request.fail == "timeout":
            raise TimeoutError
        if request.fail == "defect":
            raise RuntimeError("the secret is eco1.sample.abcdefgh")
        if request.fail:
            raise FAILURES[request.fail]("as was asked", reason="asked", field="fail")
        self.begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.given_up.set()
        return table.Notes(texts=[])

    async def await_news(self, request: table.AwaitNews, call: Call) -> table.News:
        """Answer when there is news."""
        self.begun.set()
        try:
            await self.news.wait(request.wait_s)
        except asyncio.CancelledError:
            self.given_up.set()
            raise
        return table.News(count=self._count())

    async def keep(self, request: table.Keep, call: Call) -> table.Kept:
        """Keep a note."""
        self.begun.set()
        if request.how == "slowly":
            await self.may_go_on.wait()
        if request.how == "elsewhere":
            return table.Kept(sequence=0, remark=f"said {self._count()}")

        def job(connection: sqlite3.Connection) -> table.Kept:
            row = connection.execute(
                "INSERT INTO note (text, requester) VALUES (?, ?) RETURNING sequence",
                (request.text, call.requester),
            ).fetchone()
            if request.how == "badly":
                raise FailedPrecondition("as was asked")
            return table.Kept(sequence=row[0])

        kept = await self.store.write(job)
        if request.how == "twice":
            second = await self.store.write(job)
            kept = table.Kept(sequence=second.sequence, remark=f"after {kept.sequence}")
        if request.how == "breaking":
            raise Unavailable("as was asked")
        self.news.beat()
        return kept

    async def list_notes(self, request: Nothing, call: Call) -> table.Notes:
        """All notes."""
        rows = self.store.read("SELECT text FROM note ORDER BY sequence")
        return table.Notes(texts=[row["text"] for row in rows])

    async def measure(self, request: table.Measure, call: Call) -> table.Measured:
        """Say how long a long text is."""
        return table.Measured(letters=len(request.text))

    async def approve(self, request: table.Approve, call: Call) -> table.Approved:
        """Who says yes."""
        turn_id = call.assertion.turn_id if call.assertion else ""
        return table.Approved(requester=call.requester, turn_id=turn_id)

    async def count(self, request: table.Count, call: Call) -> AsyncGenerator[table.Counted]:
        """Count on from a number."""
        self.begun.set()
        try:
            for number in range(request.after + 1, request.to + 1):
                self.counted = number
                yield table.Counted(number, call.deadline is not None, "x" * request.letters)
            if request.then == "wait":
                while not self.news.is_closed:
                    await self.news.wait(60)
            elif request.then == "defect":
                raise RuntimeError("the secret is eco1.sample.abcdefgh")
            elif request.then:
                raise FAILURES[request.then]("as was asked", reason="asked", field="then")
        finally:
            self.given_up.set()

    def _count(self) -> int:
        return int(self.store.read("SELECT count(*) FROM note")[0][0])

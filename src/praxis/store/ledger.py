"""Everything Praxis changes, one transaction each; whoever waits for news is woken after it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

from msgspec.structs import replace

from kit.clock import Clock
from kit.ids import Ids
from kit.pulse import Pulse
from kit.store import Store
from praxis.contract import (
    Deliver,
    ExecutionReported,
    Item,
    ItemList,
    MarkSurfaced,
    Observed,
    ReportExecution,
    What,
)
from praxis.domain.changes import Step
from praxis.domain.flapping import DAMPED, Damping
from praxis.domain.freshness import KnownSource
from praxis.domain.observation import HEALTH, Observation
from praxis.domain.routine import Routine
from praxis.store import (
    changes,
    deciding,
    deliveries,
    items,
    observations,
    routines,
    sources,
)
from praxis.store.deliveries import Door
from praxis.store.intake import OWN, RECOVERY, Intake, about_source
from praxis.store.reading import view

T = TypeVar("T")


class Ledger:
    """Writes; reading is done beside it."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        ids: Ids,
        pulse: Pulse,
        horizon: Callable[[], datetime],
        damping: Damping = DAMPED,
    ) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids
        self._pulse = pulse
        self._horizon = horizon
        self._damping = damping
        self._swept = ("", "")

    async def observe(
        self, observation: Observation, source: KnownSource | None = None
    ) -> Observed:
        """Take one observation, and how its source stands after it."""
        observed = await self.observe_all([observation], [] if source is None else [source])
        return observed[0]

    async def observe_all(
        self, told: Sequence[Observation], stand: Sequence[KnownSource]
    ) -> list[Observed]:
        """Take observations in their order, all or none, and how their sources stand after them."""

        def job(intake: Intake) -> list[Observed]:
            for source in stand:
                sources.save(intake.connection, source)
            taken = [intake.take(observation) for observation in told]
            return [
                Observed(observation_id, duplicate, kept.item_id if kept.facts.episodes else None)
                for observation_id, kept, duplicate in taken
            ]

        return await self._write(job)

    async def tell_of_instance(self, source: KnownSource, previous: datetime | None) -> None:
        """What a source looks at has been started anew."""
        started_at = source.instance_started_at
        details = {
            "started_at": started_at.isoformat() if started_at else "",
            "instance_id": source.instance_id or "",
        }
        if previous is not None:
            details["previous_started_at"] = previous.isoformat()

        def job(intake: Intake) -> None:
            sources.save(intake.connection, source)
            intake.say(_of_source("instance_changed", source, details))

        await self._write(job)

    async def put_source(self, source: KnownSource) -> None:
        """Write how a source is configured now; its items follow it to its entity."""

        def job(intake: Intake) -> None:
            previous = sources.entity_of(intake.connection, source.source)
            sources.save(intake.connection, source)
            if source.entity_id != previous:
                intake.follow(source.source, previous)

        await self._write(job)

    async def forget_sources(self, names: Sequence[str]) -> None:
        """These are known no longer; what they told stays."""

        def job(connection: sqlite3.Connection) -> None:
            for name in names:
                sources.delete(connection, name)

        await self._store.write(job)

    async def save_sources(self, stand: Sequence[KnownSource]) -> None:
        """Write how sources stand."""

        def job(connection: sqlite3.Connection) -> None:
            for source in stand:
                sources.save(connection, source)

        await self._store.write(job)

    async def judge(self, source: KnownSource, trouble: str) -> None:
        """A source has gone quiet, or is heard again; silence recovers nothing."""

        def job(intake: Intake) -> None:
            sources.save(intake.connection, source)
            what: What = "source_stale" if source.is_stale else "source_fresh"
            last = source.last_observed_at
            said = {"last_observed_at": last.isoformat()} if last else {}
            if trouble:
                said["trouble"] = trouble
            intake.say(_of_source(what, source, said))
            intake.take(_about(source, said, intake))
            _mark_stale(intake, source)

        await self._write(job)

    async def report(
        self, report: ReportExecution, healthy: Sequence[Observation]
    ) -> ExecutionReported:
        """Take a report of Hexis, and first what showed the entity healthy after it."""

        def job(intake: Intake) -> ExecutionReported:
            for observation in healthy:
                intake.take(observation)
            item_ids, duplicate = intake.report(report)
            return ExecutionReported(item_ids=item_ids, duplicate=duplicate)

        return await self._write(job)

    async def pass_time(self, item_ids: Sequence[str]) -> None:
        """What only had to wait for the time has happened to these items."""

        def job(intake: Intake) -> None:
            for item_id in item_ids:
                intake.refold(item_id, intake.now)

        await self._write(job)

    async def map(self, item_id: str, entity_id: str | None) -> None:
        """Nexus was asked about the subject of an item; None: it knows no such thing."""

        def job(intake: Intake) -> None:
            intake.map(item_id, entity_id)

        await self._write(job)

    async def put_routine(self, routine: Routine) -> None:
        """Write what is expected."""
        await self._store.write(lambda connection: routines.save(connection, routine))

    async def judge_routine(self, routine: Routine, about: Observation) -> None:
        """A routine became late, or was completed after all."""

        def job(intake: Intake) -> None:
            routines.save(intake.connection, routine)
            intake.take(about)

        await self._write(job)

    async def put_door(self, door: Door) -> None:
        """Write where a source delivers."""
        await self._store.write(lambda connection: deliveries.save_door(connection, door))

    async def reject(self, delivery: Deliver, why: str, field: str, about: Observation) -> str:
        """Keep a delivery that did not fit, and tell of it; returns its id."""

        def job(intake: Intake) -> str:
            rejected_id = intake.new_id("rej")
            deliveries.keep_rejected(
                intake.connection, rejected_id, delivery, why, field, intake.now
            )
            intake.take(about)
            return rejected_id

        return await self._write(job)

    async def forget_rejected(self, rejected_id: str) -> None:
        """A rejected delivery was taken after all."""
        await self._store.write(
            lambda connection: deliveries.forget_rejected(connection, rejected_id)
        )

    async def sweep(self) -> None:
        """Let go of what is kept for so long and no longer."""
        now = self._clock.now()

        def job(connection: sqlite3.Connection) -> None:
            changes.sweep(connection)
            self._swept = observations.sweep(connection, now, self._swept)

        await self._store.write(job)

    async def surface(self, request: MarkSurfaced, requester: str) -> ItemList:
        """Items were shown to a person; what they have decided already stays.

        Raises:
            NotFound: One of them does not exist; none is marked then.
        """

        def job(intake: Intake) -> ItemList:
            shown: list[Item] = []
            for position, item_id in enumerate(dict.fromkeys(request.item_ids)):
                kept = deciding.load(intake, item_id, f"item_ids.{position}")
                if kept.attention == "new":
                    decided = deciding.Decided("surface", requester, channel=request.channel)
                    kept = deciding.settle(intake, kept, decided)
                shown.append(view(intake.connection, kept))
            return ItemList(items=shown, total=len(shown))

        return await self._write(job)

    async def transit(
        self, item_id: str, decided: deciding.Decided, if_version: int | None
    ) -> Item:
        """A person decides about an item; deciding the same again changes nothing.

        Raises:
            NotFound: There is no such item.
            Conflict: The item is not what the person saw any more.
            FailedPrecondition: No way leads to this state from the present one.
        """

        def job(intake: Intake) -> Item:
            kept = deciding.load(intake, item_id, "item_id")
            if deciding.changes(kept, decided):
                deciding.check(kept, decided, if_version)
                kept = deciding.settle(intake, kept, decided)
            return view(intake.connection, kept)

        return await self._write(job)

    async def _write(self, job: Callable[[Intake], T]) -> T:
        now, horizon = self._clock.now(), self._horizon()

        def whole(connection: sqlite3.Connection) -> T:
            intake = Intake(connection, self._ids.new, now, horizon, self._damping)
            done = job(intake)
            intake.flush()
            return done

        try:
            return await self._store.write(whole)
        finally:
            self._pulse.beat()


def _of_source(what: What, source: KnownSource, details: dict[str, str]) -> Step:
    return Step(
        what=what,
        actor=source.source,
        entity_id=source.entity_id,
        source=source.source,
        details={"kind": source.kind, **details},
    )


def _about(source: KnownSource, said: dict[str, str], intake: Intake) -> Observation:
    """The observation that makes a silent source itself an item, or recovers that item."""
    silent = source.is_stale
    since = said.get("last_observed_at", "it was registered")
    summary = f"{source.source} has said nothing since {since}" if silent else "heard again"
    return Observation(
        source=OWN,
        event_id="",
        key=about_source(source.source),
        kind="source",
        state="problem" if silent else "ok",
        severity="warning",
        summary=summary,
        observed_at=intake.now,
        received_at=intake.now,
        details={"source": source.source, **said},
    )


def _mark_stale(intake: Intake, source: KnownSource) -> None:
    """Mark what depends on the source, or unmark it: its items, and waits for its entity."""
    watched = source.entity_id if source.kind == HEALTH else None
    rows = intake.connection.execute(
        "SELECT item_id FROM item WHERE (operational = 'active' OR stale = 1)"
        " AND (source = ? OR (kind = ? AND entity_id = ?))",
        (source.source, RECOVERY, watched),
    ).fetchall()
    for row in rows:
        kept = items.load(intake.connection, row["item_id"])
        items.save(intake.connection, replace(kept, is_stale=source.is_stale))

"""Take a report into its item within one transaction, with every change that follows from it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from msgspec.structs import replace

from kit.clock import to_text
from praxis.contract import ReportExecution
from praxis.domain.changes import Step, between
from praxis.domain.flapping import DAMPED, Damping
from praxis.domain.item import is_more_of_the_same
from praxis.domain.observation import Observation, Remedy
from praxis.domain.reconcile import Base, advance, belated, fold, settle
from praxis.domain.standing import ended, is_told_again
from praxis.store import changes, executions, items, observations, sources
from praxis.store.items import Kept

_KEPT = 96
"""Observations and remedies an item may stand on before the older half is settled."""
RECOVERY = "recovery"
OWN = "praxis"
"""The source of items about sources."""
HEXIS = "hexis"
"""The source of items that only wait for the effect of an execution."""


@dataclass(frozen=True, slots=True)
class Intake:
    """One transaction of Praxis."""

    connection: sqlite3.Connection
    new_id: Callable[[str], str]
    now: datetime
    horizon: datetime
    """Up to when Praxis could have seen a recovery; a wait that ends later has not ended yet."""
    damping: Damping = DAMPED
    entities: dict[str, str | None] = field(default_factory=dict[str, "str | None"])
    """Of sources already looked up in this transaction."""

    steps: list[Step] = field(default_factory=list[Step])
    seen: list[tuple[str, Observation]] = field(default_factory=list["tuple[str, Observation]"])
    """Observations that are taken and not written yet, with their items."""

    def say(self, step: Step) -> None:
        """Put a step into the feed, at the end of this transaction at the latest."""
        self.steps.append(step)

    def flush(self) -> None:
        """Write what was put off to be written at once."""
        if self.seen:
            observations.add(self.connection, self.seen)
            self.seen.clear()
        if self.steps:
            changes.append(self.connection, self.steps, self.now)
            self.steps.clear()

    def take(self, observation: Observation) -> tuple[str, Kept, bool]:
        """Take one observation; a second one with its event id changes nothing.

        Returns:
            The observation's id, its item, and whether it was a duplicate.
        """
        is_named = bool(observation.event_id)
        if is_named:
            known = observations.known(self.connection, observation.source, observation.event_id)
            if known is not None:
                observation_id, item_id = known
                return observation_id, items.load(self.connection, item_id), True
        observation_id = self.new_id("obs")
        observation = replace(
            observation,
            observation_id=observation_id,
            event_id=observation.event_id or observation_id,
        )
        found = items.find(self.connection, observation.source, observation.key)
        kept = found or Kept(
            item_id=self.new_id("itm"), source=observation.source, key=observation.key
        )
        of_source = self._source_entity(kept)
        about = observation.entity_id or kept.facts.entity_id or of_source
        if self._is_next(kept, observation, {about, kept.entity_id, of_source}):
            kept = self._advance(kept, observation, about)
        else:
            kept = self._insert(kept, observation, is_new=found is None)
        if is_named:
            observations.receive(self.connection, kept.item_id, observation)
        return observation_id, kept, False

    def _is_next(self, kept: Kept, observation: Observation, about: set[str | None]) -> bool:
        """Whether it only adds to what its item came to: newer than all, and nothing waits."""
        facts, through = kept.facts, kept.facts.through
        return (
            (through is None or observation.observed_at > through)
            and (kept.base.cut is None or observation.observed_at > kept.base.cut)
            and facts.awaiting is None
            and kept.observations < _KEPT
            and (facts.recovered_at is None or facts.recovered_at < observation.observed_at)
            and not executions.bear_on(self.connection, about, observation.observed_at)
        )

    def _advance(self, kept: Kept, observation: Observation, about: str | None) -> Kept:
        facts = advance(kept.facts, observation, self.damping)
        return self._tell(
            kept,
            replace(
                kept,
                facts=facts,
                entity_id=about or kept.mapped_id,
                observations=kept.observations + 1,
            ),
            observation.observed_at,
            observation=observation,
        )

    def _insert(self, kept: Kept, observation: Observation, *, is_new: bool) -> Kept:
        """Take one that is late, or that a wait may depend on: all is folded anew."""
        if is_new:
            items.save(self.connection, kept)
        cut = kept.base.cut
        if cut is not None and observation.observed_at <= cut:
            items.save(self.connection, replace(kept, base=belated(kept.base, observation)))
        else:
            self.seen.append((kept.item_id, observation))
        after = self.refold(kept.item_id, observation.observed_at)
        about = observation.entity_id or self._source_entity(kept)
        if observation.shows_health:
            self._see_healthy(about, observation.observed_at)
        self._attend(kept.entity_id, after.entity_id, about)
        return items.load(self.connection, kept.item_id)

    def follow(self, source: str, previous: str | None) -> None:
        """A source has another entity than before: so have its items that name none."""
        rows = self.connection.execute(
            "SELECT item_id FROM item WHERE source = ? OR (source = ? AND key = ?)",
            (source, OWN, about_source(source)),
        ).fetchall()
        entity_id = self.entities[source] = sources.entity_of(self.connection, source)
        self.flush()
        for row in rows:
            kept = self.refold(row["item_id"], self.now)
            for each in observations.of_item(self.connection, kept.item_id, kept.source, kept.key):
                if each.shows_health and each.entity_id is None:
                    self._see_healthy(entity_id, each.observed_at)
        self._attend(previous, entity_id)

    def map(self, item_id: str, entity_id: str | None) -> None:
        """Nexus knows the subject of an item as this entity; None: it was asked in vain."""
        kept = items.load(self.connection, item_id)
        kept = replace(kept, mapped_id=entity_id, mapped_at=to_text(self.now))
        items.save(self.connection, kept)
        if entity_id is None or kept.entity_id is not None:
            return
        self.refold(item_id, self.now)
        self.say(
            Step(
                what="item_mapped",
                actor=kept.source,
                item_id=item_id,
                entity_id=entity_id,
                source=kept.source,
                details={"subject": kept.facts.subject},
            )
        )
        self._attend(entity_id)

    def report(self, report: ReportExecution) -> tuple[list[str], bool]:
        """Take one state of an execution; the same once more changes nothing.

        Returns:
            The items it was about, and whether it was a duplicate.
        """
        self.flush()
        if not executions.add(self.connection, report):
            return executions.linked(self.connection, report.execution_id), True
        active = [
            row["item_id"]
            for row in self.connection.execute(
                "SELECT item_id FROM item WHERE entity_id = ? AND operational = 'active'"
                " ORDER BY item_id",
                (report.entity_id,),
            )
        ]
        executions.link(self.connection, active, report.execution_id)
        self.say(
            Step(
                what="execution_reported",
                actor=report.requester,
                item_id=active[0] if len(active) == 1 else None,
                entity_id=report.entity_id,
                source=HEXIS,
                execution_id=report.execution_id,
                details={
                    "state": report.state,
                    "action": report.action,
                    "capability_id": report.capability_id,
                    "requester": report.requester,
                    "at": report.at.isoformat(),
                },
            )
        )
        if report.state == "succeeded" and report.expects_recovery:
            for row in self.connection.execute(
                "SELECT item_id FROM item WHERE entity_id = ?"
                " AND (operational = 'active' OR recovered_at > ?) ORDER BY item_id",
                (report.entity_id, to_text(report.at)),
            ).fetchall():
                self.refold(row["item_id"], report.at)
            self._attend(report.entity_id)
        return executions.linked(self.connection, report.execution_id), False

    def refold(self, item_id: str, observed_at: datetime) -> Kept:
        """Bring an item up to date with all that is known, and tell what changed."""
        self.flush()
        before = items.load(self.connection, item_id)
        seen = observations.of_item(self.connection, item_id, before.source, before.key)
        named = [each.entity_id for each in seen if each.entity_id is not None]
        named_id = named[-1] if named else before.base.facts.entity_id
        entity_id = named_id or self._source_entity(before) or before.mapped_id
        remedies = executions.remedies(self.connection, entity_id, before.base)
        base, dropped = self._settle(before, seen, remedies)
        # What was once said to have ended, in vain or well, stays so right after a restart too.
        said = [before.facts.lapsed_at, before.facts.recovered_at]
        horizon = max([self.horizon, *(each for each in said if each is not None)])
        folded = fold(base, seen, remedies, horizon, self.damping)
        newly = executions.await_them(self.connection, item_id, folded.awaited, base.cut)
        kept = replace(
            before,
            base=base,
            facts=folded.facts,
            entity_id=entity_id,
            observations=len(seen) - dropped,
        )
        return self._tell(before, kept, observed_at, newly)

    def _tell(
        self,
        before: Kept,
        kept: Kept,
        observed_at: datetime,
        newly: frozenset[str] = frozenset(),
        *,
        observation: Observation | None = None,
    ) -> Kept:
        """Write an item, and put what became of it into the feed."""
        is_again = before.attention == "resolved" and is_told_again(
            kept.facts, before.standing.decision
        )
        steps = between(before.facts, kept.facts, newly, observed_at, told_again=is_again)
        ignored = kept.standing.ignored
        over = None if ignored is None else ended(ignored, kept.facts, self.now)
        if over is not None:
            kept = replace(kept, standing=replace(kept.standing, ignored=None))
            steps.append(("item_unignored", None, {"reason": over, "kind": kept.facts.kind}))
        kept = replace(kept, version=before.version + bool(steps))
        is_same = kept.base is before.base and kept.entity_id == before.entity_id
        if is_same and not steps and is_more_of_the_same(before.facts, kept.facts):
            items.save_more(self.connection, kept)
        else:
            items.save(self.connection, kept)
        if observation is not None:
            self.seen.append((kept.item_id, observation))
        for what, execution_id, details in steps:
            self.say(
                Step(
                    what=what,
                    actor=kept.source,
                    item_id=kept.item_id,
                    entity_id=kept.entity_id,
                    source=kept.source,
                    execution_id=execution_id,
                    details=details,
                )
            )
        return kept

    def _settle(
        self, kept: Kept, seen: list[Observation], remedies: list[Remedy]
    ) -> tuple[Base, int]:
        """What the older half comes to, once there are many, and how many were let go."""
        if len(seen) + len(remedies) <= _KEPT:
            return kept.base, 0
        times = sorted([*(each.observed_at for each in seen), *(each.at for each in remedies)])
        cut = times[len(times) // 2]
        base = settle(kept.base, seen, remedies, self.horizon, cut, self.damping)
        return base, observations.drop(self.connection, kept.item_id, cut)

    def _source_entity(self, kept: Kept) -> str | None:
        """The entity of the source an item comes from, or is about."""
        own = kept.source == OWN
        name = kept.key.removeprefix(about_source("")) if own else kept.source
        if name not in self.entities:
            self.entities[name] = sources.entity_of(self.connection, name)
        return self.entities[name]

    def _see_healthy(self, entity_id: str | None, at: datetime) -> None:
        if entity_id is not None:
            for item_id in executions.see_healthy(self.connection, entity_id, at):
                self.refold(item_id, at)

    def _attend(self, *entity_ids: str | None) -> None:
        """Let an item wait for each execution that none waits for: success alone is no recovery."""
        for entity_id in sorted({each for each in entity_ids if each is not None}):
            self._attend_to(entity_id)

    def _attend_to(self, entity_id: str) -> None:
        for execution in executions.unattended(self.connection, entity_id):
            event_id = f"{execution.execution_id}:{RECOVERY}"
            if observations.known(self.connection, HEXIS, event_id) is None:
                self.take(
                    Observation(
                        source=HEXIS,
                        event_id=event_id,
                        key=f"{RECOVERY}:{entity_id}",
                        kind=RECOVERY,
                        state="problem",
                        severity="info",
                        summary=f"{execution.action} succeeded; not seen healthy since",
                        observed_at=execution.at,
                        received_at=self.now,
                        entity_id=entity_id,
                        details={
                            "execution_id": execution.execution_id,
                            "action": execution.action,
                        },
                    )
                )


def about_source(name: str) -> str:
    """The key of the item that tells of a source itself."""
    return f"source:{name}"

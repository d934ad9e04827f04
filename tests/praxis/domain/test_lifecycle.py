"""Any order of arrival, with repeats and delays, gives the items that the order of events gives."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import cast

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from kit.clock import to_text
from praxis.contract import IgnoreEnd, ObservedState, ReportExecution, Severity
from praxis.domain.attention import is_listed, rank
from praxis.domain.flapping import DAMPED
from praxis.domain.observation import Observation, gravity
from praxis.domain.standing import LEADS_TO, LEGAL, Decision, Ignored, Verb
from praxis.store import changes, deciding, items
from praxis.store.deciding import Decided
from praxis.store.items import Kept
from tests.praxis.domain.ledger import ENTITY, LOOKED, START, TRACKS, Ledger, at
from tests.requirements import requirement

MOMENTS = st.integers(0, 30) | st.sampled_from([100, 140, 149, 150, 151, 200, 330, 460])
"""Close together, and so far apart that what flaps has time to calm down."""
SEVERITIES: list[Severity] = ["warning", "error", "critical"]


class Lifecycle(RuleBasedStateMachine):
    """Events happen at any time, are heard of in any order and more than once; people decide."""

    @initialize()
    def begin(self) -> None:
        self.ledger = Ledger.create()
        self.observations: list[Observation] = []
        self.executions: list[ReportExecution] = []
        self.decided: dict[str, Decision] = {}
        self.ignored: dict[str, Ignored] = {}
        self.pinned: set[str] = set()
        self.registered: list[str] = []

    @rule(
        second=MOMENTS,
        source=st.sampled_from(sorted(TRACKS)),
        state=st.sampled_from(["problem", "problem", "ok", "ok", "waiting", "progress", "info"]),
        severity=st.sampled_from(SEVERITIES),
        entity_id=st.sampled_from([ENTITY, None]),
    )
    def observe(
        self,
        second: int,
        source: str,
        state: ObservedState,
        severity: Severity,
        entity_id: str | None,
    ) -> None:
        self.take(at(second), source, state, severity, entity_id)

    @rule(source=st.sampled_from(sorted(TRACKS)), severity=st.sampled_from(SEVERITIES))
    def go_on(self, source: str, severity: Severity) -> None:
        told = [each.observed_at for each in self.observations]
        self.take(max(told, default=START) + timedelta(seconds=1), source, "problem", severity)

    def take(
        self,
        moment: datetime,
        source: str,
        state: ObservedState,
        severity: Severity,
        entity_id: str | None = None,
    ) -> None:
        observation = Observation(
            source=source,
            event_id=f"event-{len(self.observations):03}",
            key="key",
            kind=TRACKS[source],
            state=state,
            severity=severity,
            summary=state,
            observed_at=moment,
            received_at=START,
            entity_id=entity_id,
            is_look=source == LOOKED,
        )
        before, end = self.ledger.item(source), self.ledger.end()
        self.observations.append(observation)

        self.ledger.take(observation)

        after = self.ledger.item(source)
        was_resolved = before is not None and before.attention == "resolved"
        is_back = after is not None and after.attention == "new" and is_active(after)
        if source != LOOKED and was_resolved and is_back:
            assert "item_reopened" in self.ledger.told_since(end)

    @rule(source=st.sampled_from(sorted(TRACKS)))
    def register(self, source: str) -> None:
        self.registered.append(source)
        self.ledger.register(source)

    @precondition(lambda self: bool(cast("Lifecycle", self).observations))
    @rule(data=st.data())
    def hear_again(self, data: st.DataObject) -> None:
        observation = data.draw(st.sampled_from(self.observations))
        before = self.ledger.item(observation.source)

        _, after, duplicate = self.ledger.take(observation)

        assert duplicate
        assert after == before

    @rule(second=MOMENTS, within=st.integers(1, 10))
    def succeed(self, second: int, within: int) -> None:
        report = ReportExecution(
            execution_id=f"exe_{len(self.executions):03}",
            state="succeeded",
            capability_id="cap_restart",
            action="restart",
            entity_id=ENTITY,
            requester="user:anna",
            at=at(second),
            expects_recovery=True,
            recover_within_s=within,
        )
        self.executions.append(report)
        before = {source: self.ledger.item(source) for source in TRACKS}

        self.ledger.report(report)

        for source, kept in before.items():
            after = self.ledger.item(source)
            recovered = kept is not None and kept.facts.is_active and not is_active(after)
            assert not recovered or self.was_healthy_after(report.at), "success is not recovery"

    @rule(source=st.sampled_from(sorted(TRACKS)), verb=st.sampled_from(sorted(LEGAL)))
    def decide(self, source: str, verb: Verb) -> None:
        kept = self.ledger.item(source)
        if kept is None or not kept.facts.episodes or kept.attention not in LEGAL[verb]:
            return

        decided = self.settle(kept, Decided(verb, "user:anna"))

        assert decided.attention == LEADS_TO[verb]
        assert decided.standing.decision is not None
        self.decided[source] = decided.standing.decision

    @rule(source=st.sampled_from(sorted(TRACKS)), ends=st.sampled_from(["worse", "change"]))
    def ignore(self, source: str, ends: IgnoreEnd) -> None:
        kept = self.ledger.item(source)
        if kept is not None and kept.facts.is_active:
            decided = self.settle(kept, Decided("ignore", "user:anna", ends=ends))
            assert decided.standing.ignored is not None
            self.ignored[source] = decided.standing.ignored

    @rule(source=st.sampled_from(sorted(TRACKS)))
    def pin(self, source: str) -> None:
        kept = self.ledger.item(source)
        if kept is not None and kept.facts.episodes:
            self.settle(kept, Decided("pin", "user:anna"))
            self.pinned.add(source)

    def settle(self, kept: Kept, decided: Decided) -> Kept:
        latest = max(each.observed_at for each in self.observations)
        intake = replace(self.ledger.intake, now=max(latest, at(0)))
        deciding.settle(intake, kept, decided)
        intake.flush()
        after = self.ledger.item(kept.source)
        assert after is not None
        assert after.facts == kept.facts, "a decision changes no fact"
        return after

    def was_healthy_after(self, moment: datetime) -> bool:
        return any(each.observed_at > moment and each.shows_health for each in self.observations)

    @invariant()
    def attention_is_what_was_decided_or_new(self) -> None:
        for source in TRACKS:
            kept = self.ledger.item(source)
            if kept is not None:
                decision = self.decided.get(source)
                assert kept.attention in {"new", decision.attention if decision else "new"}

    @invariant()
    def what_a_person_resolved_is_new_once_its_source_reports_it_again(self) -> None:
        for source, decision in self.decided.items():
            kept = self.ledger.item(source)
            if decision.attention == "resolved" and source != LOOKED and kept is not None:
                assert not self.trouble_after(source, decision.basis) or kept.attention == "new"

    @invariant()
    def more_of_the_same_undoes_nothing_else(self) -> None:
        for source, decision in self.decided.items():
            kept = self.ledger.item(source)
            if kept is None or (decision.attention == "resolved" and source != LOOKED):
                continue
            is_same = kept.facts.episode_at is None or kept.facts.episode_at <= decision.basis
            is_graver = any(
                gravity(each.severity) > gravity(decision.severity)
                for each in self.trouble_after(source, decision.basis)
            )
            if is_same and not is_graver and kept.facts.lapsed_at is None:
                assert kept.attention == decision.attention

    @invariant()
    def what_is_indexed_follows_from_the_facts(self) -> None:
        for row in self.ledger.connection.execute("SELECT * FROM item"):
            kept = items.kept_of(row)
            is_ignored = kept.standing.ignored is not None
            is_pinned = kept.standing.is_pinned
            assert row["attention"] == kept.attention
            assert row["aside"] == kept.is_aside
            assert row["listed"] == is_listed(kept.facts, kept.attention, ignored=is_ignored)
            assert row["rank"] == rank(
                kept.facts, kept.attention, stale=kept.is_stale, pinned=is_pinned
            )
            seen = kept.facts.last_seen
            assert row["last_seen"] == (None if seen is None else to_text(seen))

    @invariant()
    def what_is_pinned_stays_so(self) -> None:
        for source in self.pinned:
            kept = self.ledger.item(source)
            assert kept is not None
            assert kept.standing.is_pinned

    @invariant()
    def what_is_ignored_is_heard_of_again_once_it_is_worse_and_not_before(self) -> None:
        for source, ignored in self.ignored.items():
            kept = self.ledger.item(source)
            assert kept is not None
            is_ignored = kept.standing.ignored == ignored
            graver = [
                each
                for each in self.trouble_after(source, ignored.basis)
                if gravity(each.severity) > gravity(ignored.severity)
            ]
            if not graver and kept.facts.lapsed_at is None and ignored.ends == "worse":
                assert is_ignored
            if kept.standing.ignored is not None:
                assert not kept.facts.is_active or kept.is_aside
                assert all(each.severity not in kept.facts.severities for each in graver)

    def trouble_after(self, source: str, moment: datetime) -> list[Observation]:
        return [
            each
            for each in self.observations
            if each.source == source
            and each.state in {"problem", "waiting"}
            and each.observed_at > moment
        ]

    @invariant()
    def an_item_is_of_its_source_s_entity(self) -> None:
        for source in self.registered:
            kept = self.ledger.item(source)
            assert kept is None or kept.entity_id == ENTITY

    @invariant()
    def each_report_counts_once(self) -> None:
        for source in TRACKS:
            kept = self.ledger.item(source)
            told = [
                each
                for each in self.observations
                if each.source == source and each.state in {"problem", "waiting"}
            ]
            if kept is not None:
                assert kept.facts.count == len(told)

    @invariant()
    def nothing_recovers_without_being_seen_well(self) -> None:
        for source in TRACKS:
            kept = self.ledger.item(source)
            if kept is not None and kept.facts.recovered_at is not None:
                since = {kept.facts.recovered_at, kept.facts.recovered_at - DAMPED.quiet}
                assert any(
                    each.observed_at in since and each.state in {"ok", "progress"}
                    for each in self.observations
                )

    @invariant()
    def every_success_is_waited_on(self) -> None:
        awaited = {
            row["execution_id"]
            for row in self.ledger.connection.execute(
                "SELECT execution_id FROM item_execution WHERE awaited = 1"
            )
        }
        assert awaited == {each.execution_id for each in self.executions}

    @invariant()
    def the_feed_has_no_gap(self) -> None:
        cursors = [
            row[0]
            for row in self.ledger.connection.execute("SELECT cursor FROM change ORDER BY cursor")
        ]
        assert cursors == list(range(1, len(cursors) + 1))

    @invariant()
    def severity_is_within_what_was_reported(self) -> None:
        for source in TRACKS:
            kept = self.ledger.item(source)
            if kept is not None and kept.facts.is_active:
                gravest = max(gravity(severity) for severity in kept.facts.severities)
                assert gravity(kept.facts.severity) <= gravest

    def teardown(self) -> None:
        """Everything again, each once and in the order it happened: the same items."""
        if not hasattr(self, "ledger"):
            return
        in_order = Ledger.create()
        for source in self.registered:
            in_order.register(source)
        events = [(each.observed_at, 0, each.event_id, each) for each in self.observations]
        acts = [(each.at, 1, each.execution_id, each) for each in self.executions]
        for *_, event in sorted([*events, *acts], key=lambda entry: entry[:3]):
            if isinstance(event, Observation):
                in_order.take(event)
            else:
                in_order.report(event)

        for horizon in (at(-1), at(15), at(60), at(1000)):
            assert self.ledger.settle(horizon) == in_order.settle(horizon)
        self.ledger.connection.close()
        in_order.connection.close()


def is_active(kept: Kept | None) -> bool:
    return kept is not None and kept.facts.is_active


Lifecycle.TestCase.settings = settings(max_examples=150, stateful_step_count=30, deadline=None)


@requirement(
    "praxis.model.observation",
    "praxis.model.recovery",
    "praxis.model.lifecycle",
    "arch.8",
    "arch.9",
    "invariant.7",
)
class TestLifecycle(Lifecycle.TestCase):
    """Success is not recovery, a decision is not a fact, and order of arrival means nothing."""


def test_the_feed_lets_go_of_its_oldest_changes_only() -> None:
    ledger = Ledger.create()
    ledger.connection.execute(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
        " INSERT INTO change (at, what, actor, details) SELECT '', 'source_fresh', '', '{}' FROM n",
        (changes.KEPT + 10,),
    )

    swept = changes.sweep(ledger.connection)

    first, last = ledger.connection.execute(
        "SELECT min(cursor), max(cursor) FROM change"
    ).fetchone()
    ledger.connection.close()
    assert (swept, first, last) == (10, 11, changes.KEPT + 10)

"""Folding: what is settled stays settled, and late reports change no present state."""

from datetime import UTC, datetime, timedelta
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from praxis.contract import ObservedState
from praxis.domain.item import Facts
from praxis.domain.observation import Observation, Remedy
from praxis.domain.reconcile import Base, belated, fold, settle

START = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
END = START + timedelta(days=1)
NOTHING = Base(Facts())
STATES: list[ObservedState] = ["problem", "ok", "waiting", "progress", "info"]


def at(second: float) -> datetime:
    return START + timedelta(seconds=second)


def seen(second: float, state: ObservedState = "problem", number: int = 0) -> Observation:
    return Observation(
        source="log:alpha",
        event_id=f"event-{number:03}",
        key="errors",
        kind="log",
        state=state,
        severity="error",
        summary=f"{state} at {second}",
        observed_at=at(second),
        received_at=END,
    )


def remedy(second: float, *, healthy: float | None = None, within: float = 30) -> Remedy:
    return Remedy(
        execution_id="exe_1",
        at=at(second),
        recover_by=at(second + within),
        healthy_at=None if healthy is None else at(healthy),
    )


observations = st.lists(
    st.tuples(st.integers(0, 40), st.sampled_from(STATES)), min_size=1, max_size=20
).map(lambda drawn: [seen(second, state, n) for n, (second, state) in enumerate(drawn)])
remedies = st.lists(
    st.tuples(st.integers(0, 40), st.none() | st.integers(1, 20), st.integers(1, 20)), max_size=4
).map(
    lambda drawn: [
        Remedy(
            execution_id=f"exe_{n}",
            at=at(second),
            recover_by=at(second + within),
            healthy_at=None if later is None else at(second + later),
        )
        for n, (second, later, within) in enumerate(drawn)
    ]
)


@given(observations, remedies, st.randoms())
def test_the_order_of_arrival_means_nothing(
    told: list[Observation], done: list[Remedy], chance: Random
) -> None:
    shuffled = [*told]
    chance.shuffle(shuffled)

    assert fold(NOTHING, shuffled, done[::-1], END) == fold(NOTHING, told, done, END)


@given(observations, remedies, st.integers(0, 40))
def test_settling_what_is_old_changes_nothing(
    told: list[Observation], done: list[Remedy], second: int
) -> None:
    whole = fold(NOTHING, told, done, END).facts

    base = settle(NOTHING, told, done, END, at(second))
    left = [each for each in told if each.observed_at > at(second)]
    waiting = [
        each for each in done if each.at > at(second) or each.execution_id == base.facts.awaiting
    ]

    assert fold(base, left, waiting, END).facts == whole


@given(observations, st.integers(0, 40))
def test_a_report_older_than_what_is_settled_counts_and_nothing_else(
    told: list[Observation], second: int
) -> None:
    base = settle(NOTHING, told, [], END, at(40))

    facts = belated(base, seen(second, "problem", 99)).facts

    assert facts.count == base.facts.count + 1
    assert facts.operational == base.facts.operational
    assert facts.episodes == base.facts.episodes


def test_a_late_problem_does_not_reopen_and_a_late_ok_does_not_recover() -> None:
    recovered = [seen(10), seen(20, "ok")]
    active = [seen(10), seen(20)]

    late_problem = fold(NOTHING, [*recovered, seen(15, number=1)], [], END).facts
    late_ok = fold(NOTHING, [*active, seen(15, "ok", 1)], [], END).facts

    assert late_problem.operational == "recovered"
    assert late_problem.recovered_at == at(20)
    assert late_ok.operational == "active"


def test_success_alone_keeps_the_item_active_and_waiting() -> None:
    facts = fold(NOTHING, [seen(0)], [remedy(10)], at(20)).facts

    assert facts.operational == "active"
    assert facts.awaiting == "exe_1"
    assert facts.recover_by == at(40)


def test_health_seen_after_the_success_recovers_and_names_the_execution() -> None:
    facts = fold(NOTHING, [seen(0)], [remedy(10, healthy=12)], at(20)).facts

    assert facts.operational == "recovered"
    assert facts.recovered_at == at(12)
    assert facts.recovered_after == "exe_1"


def test_a_wait_in_vain_is_at_least_an_error_and_still_recovers_later() -> None:
    mild = replace(seen(0), severity="info")

    vain = fold(NOTHING, [mild], [remedy(10)], at(41)).facts
    late = fold(NOTHING, [mild], [remedy(10, healthy=50)], at(60)).facts

    assert vain.lapsed_at == at(40)
    assert vain.shown_severity == "error"
    assert late.operational == "recovered"
    assert late.lapsed_at is None


def test_working_again_ends_waiting_but_no_problem() -> None:
    waiting = fold(NOTHING, [seen(0, "waiting"), seen(5, "progress", 1)], [], END).facts
    problem = fold(NOTHING, [seen(0, "problem"), seen(5, "progress", 1)], [], END).facts

    assert waiting.operational == "recovered"
    assert problem.operational == "active"

"""States, policy and targets: small rules that hold for every input."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexis.contract.catalog import Risk
from hexis.contract.execution import FINAL, ExecutionState
from hexis.domain.execution import may_follow
from hexis.domain.policy import decide, may_confirm, may_see
from hexis.domain.target import check_present
from kit.errors import FailedPrecondition
from nexus.contract import Entity
from tests.requirements import requirement

STATES: list[ExecutionState] = list(get_args(ExecutionState))
RISKS: list[Risk] = list(get_args(Risk))
States = st.sampled_from(STATES)


@given(States, States, st.booleans())
def test_nothing_leaves_a_final_state(
    before: ExecutionState, after: ExecutionState, m: bool
) -> None:
    assert not (before in FINAL and may_follow(before, after, mutates=m))


@given(States)
def test_a_mutation_never_times_out(before: ExecutionState) -> None:
    assert not may_follow(before, "timed_out", mutates=True)


@given(st.lists(States, max_size=12))
def test_nothing_runs_that_was_not_queued_and_what_waits_is_queued_by_a_yes_alone(
    steps: list[ExecutionState],
) -> None:
    state: ExecutionState = "awaiting_confirmation"
    walked = [state]
    for step in steps:
        if may_follow(state, step, mutates=True):
            state = step
            walked.append(step)

    assert "running" not in walked or walked[:3] == ["awaiting_confirmation", "queued", "running"]


@requirement("arch.14")
@given(st.text(), st.sampled_from(RISKS))
def test_who_is_not_listed_may_nothing(requester: str, risk: Risk) -> None:
    kind = requester.partition(":")[0]

    if kind not in {"user", "agent"}:
        assert decide(requester, risk) == "deny"
    if decide(requester, risk) == "run":
        assert risk in {"read", "low"}


@pytest.mark.parametrize("risk", RISKS)
def test_an_agent_reads_and_no_more(risk: Risk) -> None:
    assert decide("agent:max", risk) == ("run" if risk == "read" else "deny")
    assert may_see("agent:max", risk) is (risk == "read")
    assert not may_confirm("agent:max")


@pytest.mark.parametrize("risk", ["protected", "critical"])
def test_nobody_runs_what_is_protected_without_a_yes(risk: Risk) -> None:
    assert decide("user:anna", risk) == "confirm"
    assert decide("service:mavend", risk) == "deny"


@requirement("invariant.5")
@pytest.mark.parametrize(
    ("status", "answered_id", "reason"),
    [
        ("merged", "ent_1", "entity_merged"),
        ("active", "ent_2", "entity_merged"),
        ("archived", "ent_1", "entity_archived"),
    ],
)
def test_what_is_no_longer_itself_is_not_acted_on(
    status: str, answered_id: str, reason: str
) -> None:
    entity = Entity(
        entity_id=answered_id,
        type="service.supervised",
        names={"en": "Alpha"},
        status=status,  # pyright: ignore[reportArgumentType] - one of the three, from above
    )

    with pytest.raises(FailedPrecondition) as refused:
        check_present(entity, "ent_1")

    assert refused.value.reason == reason

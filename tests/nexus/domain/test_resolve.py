"""The decision never resolves a tie, nor for a mutation anything but a verified whole name."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nexus.contract import Ambiguous, NotFound, Purpose, Resolved
from nexus.domain.distinguish import distinguish
from nexus.domain.likelihood import CERTAIN_OF_A_PART, probabilities
from nexus.domain.match import Known, Manner, Match, Tier, best
from nexus.domain.resolve import decide, rank
from tests.requirements import requirement

numbers = st.integers(0, 4)
KNOWN = {
    f"ent_{number}": Known(
        entity_id=f"ent_{number}",
        type="service",
        names={"en": f"Name {number}"},
        revision=1,
        active=number != 0,
    )
    for number in range(5)
}


@st.composite
def matches(draw: st.DrawFn) -> Match:
    number = draw(numbers)
    manner = Manner(*draw(st.tuples(*[st.booleans()] * 3)))
    is_near = draw(st.booleans())
    return Match(
        f"ent_{number}",
        "service",
        draw(st.sampled_from(["partial", "typo", "sound"])) if is_near else manner.grade,
        Tier.NEAR if is_near else manner.tier,
        "Name",
        is_confirmed=draw(st.booleans()),
        is_active=number != 0,
        likelihood=draw(st.floats(-9, 9)) if is_near else 0.0,
        is_clean=is_near and draw(st.booleans()),
    )


found = st.lists(matches(), max_size=8).map(best)
focuses = st.lists(numbers.map("ent_{}".format), max_size=3)
purposes: st.SearchStrategy[Purpose] = st.sampled_from(["read", "mutate"])


def decided(
    found: list[Match], purpose: Purpose, focus: list[str] | None = None
) -> Resolved | Ambiguous | NotFound:
    return decide(rank(found, KNOWN, "en", focus or []), purpose, "en")


@given(found, purposes, focuses)
def test_a_tie_on_the_best_tier_resolves_only_to_what_a_person_confirmed(
    found: list[Match], purpose: Purpose, focus: list[str]
) -> None:
    decision = decided(found, purpose, focus)

    if isinstance(decision, Resolved):
        nearest = min(match.tier for match in found)
        tied = [match for match in found if match.tier == nearest]
        if nearest < Tier.NEAR:
            chosen = [match for match in tied if match.is_confirmed] or tied
            assert [match.entity_id for match in chosen] == [decision.entity_id]


@requirement("nexus.resolution.mutate")
@given(found, focuses)
def test_only_a_verified_whole_name_resolves_for_a_mutation(
    found: list[Match], focus: list[str]
) -> None:
    decision = decided(found, "mutate", focus)

    if isinstance(decision, Resolved):
        assert decision.grade not in {"partial", "typo", "sound"}
        assert decision.entity_id != "ent_0"


@given(found)
def test_a_near_match_resolves_only_when_it_is_all_but_certain(found: list[Match]) -> None:
    decision = decided(found, "read")

    if isinstance(decision, Resolved) and decision.grade in {"partial", "typo", "sound"}:
        assert decision.confidence >= CERTAIN_OF_A_PART


@given(found, purposes, focuses)
def test_neither_focus_nor_the_order_of_discovery_changes_the_decision(
    found: list[Match], purpose: Purpose, focus: list[str]
) -> None:
    decision = decided(found, purpose, focus)
    again = decided(found[::-1], purpose)

    assert type(decision) is type(again)
    if isinstance(decision, Ambiguous) and isinstance(again, Ambiguous):
        assert {each.entity_id for each in decision.candidates} == {
            each.entity_id for each in again.candidates
        }


@given(st.lists(st.floats(-20, 20), max_size=6))
def test_probabilities_leave_room_for_something_unregistered(odds: list[float]) -> None:
    shares = probabilities(odds)

    assert all(0 <= share <= 1 for share in shares)
    assert sum(shares) < 1 + 1e-9
    assert sorted(range(len(odds)), key=odds.__getitem__) == sorted(
        range(len(odds)), key=lambda at: (shares[at], odds[at])
    )


def test_candidates_are_told_apart_by_the_first_thing_that_differs() -> None:
    assert distinguish(
        labels=["Muzick indexer", "Manga Indexer"],
        types=["a", "b"],
        places=["", ""],
        ids=["1", "2"],
    ) == ["Muzick", "Manga"]
    assert distinguish(
        labels=["Vecna", "vecna"], types=["a", "b"], places=["x", "y"], ids=["1", "2"]
    ) == ["a", "b"]
    assert distinguish(
        labels=["Vecna", "Vecna"], types=["a", "a"], places=["x", "y"], ids=["1", "2"]
    ) == ["x", "y"]
    assert distinguish(
        labels=["Vecna", "Vecna"], types=["a", "a"], places=["", ""], ids=["1", "2"]
    ) == ["1", "2"]
    assert distinguish(
        labels=["Muzick", "Muzick indexer"], types=["a", "a"], places=["", ""], ids=["1", "2"]
    ) == ["Muzick", "indexer"]


@given(
    st.lists(
        st.tuples(st.sampled_from(["A b", "a B", "A c", "b"]), st.sampled_from("tu"), st.just("")),
        min_size=2,
        max_size=5,
    )
)
def test_marks_are_never_empty_and_never_shared(rows: list[tuple[str, str, str]]) -> None:
    labels, types, places = (list(column) for column in zip(*rows, strict=True))
    ids = [f"ent_{number}" for number in range(len(rows))]

    marks = distinguish(labels, types, places, ids)

    assert all(marks)
    assert len(set(marks)) == len(marks)

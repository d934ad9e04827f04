"""The decision never resolves a tie, nor for a mutation anything but a verified whole name."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nexus.contract import Ambiguous, Purpose, Resolved
from nexus.domain.distinguish import distinguish
from nexus.domain.match import Known, Manner, Match, Tier
from nexus.domain.resolve import decide

numbers = st.integers(0, 4)


@st.composite
def matches(draw: st.DrawFn) -> Match:
    number = draw(numbers)
    entity = Known(
        entity_id=f"ent_{number}",
        type="service",
        names={"en": f"Name {number}"},
        revision=1,
        active=number != 0,
    )
    manner = Manner(*draw(st.tuples(*[st.booleans()] * 5)))
    tier = draw(st.sampled_from([manner.tier, Tier.LOOSE]))
    return Match(entity, manner.grade, tier, "Name")


focuses = st.lists(numbers.map("ent_{}".format), max_size=3)
purposes: st.SearchStrategy[Purpose] = st.sampled_from(["read", "mutate"])


@given(st.lists(matches(), max_size=8), purposes, focuses)
def test_a_tie_on_the_best_tier_never_resolves(
    found: list[Match], purpose: Purpose, focus: list[str]
) -> None:
    decision = decide(found, purpose, "en", focus)

    if isinstance(decision, Resolved):
        nearest = min(match.tier for match in found)
        assert {match.entity.entity_id for match in found if match.tier == nearest} == {
            decision.entity_id
        }


@given(st.lists(matches(), max_size=8), focuses)
def test_only_a_verified_whole_name_resolves_for_a_mutation(
    found: list[Match], focus: list[str]
) -> None:
    decision = decide(found, "mutate", "en", focus)

    if isinstance(decision, Resolved):
        assert decision.grade not in {"partial", "typo"}


@given(st.lists(matches(), max_size=8), purposes, focuses)
def test_neither_focus_nor_the_order_of_discovery_changes_the_decision(
    found: list[Match], purpose: Purpose, focus: list[str]
) -> None:
    decision = decide(found, purpose, "en", focus)
    again = decide(found[::-1], purpose, "en")

    assert type(decision) is type(again)
    if isinstance(decision, Ambiguous) and isinstance(again, Ambiguous):
        assert {each.entity_id for each in decision.candidates} == {
            each.entity_id for each in again.candidates
        }


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

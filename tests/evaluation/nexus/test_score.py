"""The scorer: what is acceptable, and what is a false resolve."""

from __future__ import annotations

from typing import Any

import pytest

from tests.evaluation.nexus.score import Line, Verdict, calibration_error, figures, judge, report

ONE: Line = {
    "qid": "q1",
    "text": "A",
    "category": "exact",
    "expect": "resolved",
    "gold": ["a"],
    "accept": [],
}
TWO: Line = {"qid": "q2", "category": "ambiguous", "expect": "ambiguous", "gold": ["a", "b"]}
NONE: Line = {"qid": "q3", "category": "not_found", "expect": "not_found", "gold": []}


def _resolved(entity: str, **more: Any) -> dict[str, Any]:
    return {"status": "resolved", "entity_id": entity, **more}


def _ambiguous(*candidates: str) -> dict[str, Any]:
    return {"status": "ambiguous", "candidates": list(candidates)}


@pytest.mark.parametrize(
    ("query", "answer", "verdict"),
    [
        (ONE, _resolved("a"), Verdict(True, False, True)),
        (ONE, _resolved("b"), Verdict(False, True, False)),
        (ONE, _ambiguous("a", "b"), Verdict(False, False, True)),
        (ONE | {"accept": ["ambiguous"]}, _ambiguous("b", "a"), Verdict(True, False, True)),
        (ONE | {"accept": ["ambiguous"]}, _ambiguous("b", "c"), Verdict(False, False, False)),
        (TWO, _ambiguous("a", "b", "c"), Verdict(True, False, True)),
        (TWO, _ambiguous("a", "c"), Verdict(False, False, True)),
        (TWO, _resolved("a"), Verdict(False, True, True)),
        (TWO | {"accept": ["resolved:a"]}, _resolved("a"), Verdict(True, False, True)),
        (NONE, _resolved("a"), Verdict(False, True, False)),
        (NONE, {"status": "not_found"}, Verdict(True, False, False)),
        (NONE | {"accept": ["ambiguous"]}, _ambiguous("a"), Verdict(True, False, False)),
    ],
)
def test_an_answer_is_judged_by_what_the_query_accepts(
    query: dict[str, Any], answer: dict[str, Any], verdict: Verdict
) -> None:
    assert judge(query, answer) == verdict


def test_candidates_beyond_the_tenth_do_not_count() -> None:
    others = [str(number) for number in range(10)]

    assert not judge(TWO, _ambiguous(*others, "a", "b")).has_gold


def test_every_false_resolve_is_listed_with_what_was_right() -> None:
    told = report([ONE], [{"qid": "q1", **_resolved("b")}])

    assert "false resolves: 1" in told
    assert "-> b" in told
    assert "gold ['a']" in told


def test_a_query_without_an_answer_is_refused() -> None:
    with pytest.raises(ValueError, match="1 queries are unanswered"):
        report([ONE], [])


def test_confidence_that_means_what_it_says_has_no_error() -> None:
    queries = [ONE | {"qid": str(number)} for number in range(4)]
    right = {
        query["qid"]: _resolved("a" if number < 3 else "b", confidence=0.75)
        for number, query in enumerate(queries)
    }

    assert calibration_error(queries, right) == 0
    assert figures(queries, right)["false_resolves"] == 1

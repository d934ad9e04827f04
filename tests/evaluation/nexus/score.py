"""Score answers: what was right, what was wrongly resolved, and whether confidence means it.

`python -m tests.evaluation.nexus.score QUERIES ANSWERS` scores a file of answers by itself.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.evaluation.nexus.registry import read_lines

Line = dict[str, Any]
_SHOWN = 10
"""Candidates that count."""


@dataclass(frozen=True)
class Verdict:
    """How one answer is judged."""

    is_ok: bool
    is_false_resolve: bool
    has_gold: bool
    """A right entity is among the first candidates."""


def shown(answer: Line) -> list[str]:
    """The ids an answer names, best first."""
    first = [answer["entity_id"]] if answer.get("entity_id") else []
    candidates: list[Any] = answer.get("candidates") or []
    rest = [each if isinstance(each, str) else each["entity_id"] for each in candidates]
    return (first + rest)[:_SHOWN]


def judge(query: Line, answer: Line) -> Verdict:
    """Whether an answer is acceptable, and whether it resolves to the wrong thing."""
    gold, expect = set(query["gold"]), query["expect"]
    accept: list[str] = query.get("accept") or []
    entity = answer.get("entity_id")
    found = gold & set(shown(answer))
    hit = bool(found)
    match answer["status"]:
        case "resolved":
            right = entity in gold if expect == "resolved" else f"resolved:{entity}" in accept
            return Verdict(right, not right, hit)
        case "ambiguous" if expect == "ambiguous":
            enough = max(2, 0.5 * min(len(gold), _SHOWN))
            return Verdict(len(found) >= enough if len(gold) > 1 else hit, False, hit)
        case "ambiguous":
            fair = "ambiguous" in accept and (hit or expect != "resolved")
            return Verdict(fair, False, hit)
        case _:
            return Verdict(expect == "not_found" or "not_found" in accept, False, hit)


def _percent(part: float, whole: float) -> float | None:
    return round(100 * part / whole, 2) if whole else None


def _is_strict(query: Line, answer: Line) -> bool:
    same = answer["status"] == query["expect"]
    return same and (query["expect"] != "resolved" or answer.get("entity_id") in query["gold"])


def figures(queries: list[Line], answers: dict[str, Line]) -> dict[str, Any]:
    """Every figure over all queries."""
    n: Counter[str] = Counter()
    recalled, times = 0.0, list[float]()
    for query in queries:
        answer = answers[query["qid"]]
        verdict, expect, status = judge(query, answer), query["expect"], answer["status"]
        gold = set(query["gold"])
        n["all"] += 1
        n["ok"] += verdict.is_ok
        n["false"] += verdict.is_false_resolve
        n["expect " + expect] += 1
        n["status " + status] += 1
        n["false on " + expect] += verdict.is_false_resolve
        n["hit on " + expect] += verdict.has_gold
        n["right status " + expect] += status == expect
        n["right not_found"] += status == expect == "not_found"
        n["right resolved"] += status == "resolved" and not verdict.is_false_resolve
        n["accurate"] += (
            expect == "resolved" and status == "resolved" and answer.get("entity_id") in gold
        )
        if expect == "ambiguous":
            recalled += len(gold & set(shown(answer))) / min(_SHOWN, len(gold))
        if "ms" in answer:
            times.append(answer["ms"])
    found: dict[str, Any] = {
        "n": n["all"],
        "acceptable": _percent(n["ok"], n["all"]),
        "acc_at_resolved": _percent(n["accurate"], n["expect resolved"]),
        "resolve_precision": _percent(n["right resolved"], n["status resolved"]),
        "false_resolves": n["false"],
        "false_resolve_rate": _percent(n["false"], n["all"]),
        "fr_on_ambiguous": _percent(n["false on ambiguous"], n["expect ambiguous"]),
        "fr_on_not_found": _percent(n["false on not_found"], n["expect not_found"]),
        "ambiguous_recall": _percent(n["right status ambiguous"], n["expect ambiguous"]),
        "cand_recall10_on_ambiguous": _percent(recalled, n["expect ambiguous"]),
        "not_found_recall": _percent(n["right status not_found"], n["expect not_found"]),
        "not_found_precision": _percent(n["right not_found"], n["status not_found"]),
        "hit10_on_resolved": _percent(n["hit on resolved"], n["expect resolved"]),
        "calibration_error": calibration_error(queries, answers),
    }
    if times:
        times.sort()
        found["p50_ms"] = round(times[len(times) // 2], 3)
        found["p99_ms"] = round(times[int(len(times) * 0.99)], 3)
        found["max_ms"] = round(times[-1], 2)
    return found


def calibration_error(queries: list[Line], answers: dict[str, Line]) -> float | None:
    """How far confidence is from truth, over ten bins of what answers put first.

    What an answer puts first is right where it is a right entity; on a query that several
    entities fit, confidence in one of them is not judged.
    """
    bins: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for query in queries:
        answer = answers[query["qid"]]
        confidence, first = answer.get("confidence"), shown(answer)
        if confidence is None or not first or query["expect"] == "ambiguous":
            continue
        bins[min(9, int(confidence * 10))].append((confidence, first[0] in query["gold"]))
    total = sum(map(len, bins.values()))
    if not total:
        return None
    gaps = (
        abs(sum(confidence for confidence, _ in rows) - sum(right for _, right in rows))
        for rows in bins.values()
    )
    return round(sum(gaps) / total, 4)


def by_part(queries: list[Line], answers: dict[str, Line], part: str) -> list[str]:
    """One line for each category, or for each `sub`."""
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for query in queries:
        answer = answers[query["qid"]]
        verdict = judge(query, answer)
        name = query["category"]
        if part == "sub":
            name = f"{name}/{query.get('sub') or '-'}"
        row = rows[name]
        row["n"] += 1
        row["ok"] += verdict.is_ok
        row["false"] += verdict.is_false_resolve
        row["strict"] += _is_strict(query, answer)
    return [
        f"  {name:30s} n={row['n']:4d} strict={_percent(row['strict'], row['n']):6.2f}"
        f" acceptable={_percent(row['ok'], row['n']):6.2f}"
        f" false_resolve={_percent(row['false'], row['n']):5.2f}"
        for name, row in sorted(rows.items())
    ]


def false_resolves(queries: list[Line], answers: dict[str, Line]) -> list[str]:
    """Every answer that resolved to the wrong thing."""
    return [
        f"  {query['qid']} {query['category']}/{query.get('sub') or '-'} {query['text']!r}"
        f" -> {answers[query['qid']].get('entity_id')} ({answers[query['qid']].get('grade')},"
        f" {answers[query['qid']].get('confidence')}), gold {query['gold'][:4] or query['expect']}"
        for query in queries
        if judge(query, answers[query["qid"]]).is_false_resolve
    ]


def report(queries: list[Line], lines: list[Line], *, subs: bool = False) -> str:
    """The table, then every false resolve.

    Raises:
        ValueError: A query has no answer.
    """
    answers = {line["qid"]: line for line in lines}
    missing = [query["qid"] for query in queries if query["qid"] not in answers]
    if missing:
        raise ValueError(f"{len(missing)} queries are unanswered, such as {missing[:3]}.")
    rows = [f"{name:28s} {value}" for name, value in figures(queries, answers).items()]
    rows += by_part(queries, answers, "sub" if subs else "category")
    wrong = false_resolves(queries, answers)
    return "\n".join([*rows, f"false resolves: {len(wrong)}", *wrong])


def main() -> None:
    """Score a file of answers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("queries", type=Path)
    parser.add_argument("answers", type=Path)
    parser.add_argument("--subs", action="store_true", help="one line for each sub-category")
    given = parser.parse_args()
    print(report(read_lines(given.queries), read_lines(given.answers), subs=given.subs))


if __name__ == "__main__":
    main()

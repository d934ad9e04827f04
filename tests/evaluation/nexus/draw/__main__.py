"""Draw another registry with labelled queries: `… .draw --seed 7 --out DIR`."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from tests.evaluation.nexus.draw import meant, missing, spelled
from tests.evaluation.nexus.draw.labels import Question, Truth
from tests.evaluation.nexus.draw.registry import drawn
from tests.evaluation.nexus.draw.spelled import Asking

Source = Callable[..., Iterator[Question]]
PLAN: list[tuple[int, Source, str | None]] = [
    (114, spelled.plain, None),
    (36, spelled.by_external_id, None),
    *(
        (count, spelled.dressed, sub)
        for sub, count in {
            "camel": 13, "dash": 7, "fullwidth": 7, "lower": 9, "nbsp": 11, "punct": 18,
            "quotes": 18, "space": 13, "swap": 16, "trail": 18, "upper": 10,
        }.items()
    ),
    *(
        (count, spelled.other_script, sub)
        for sub, count in {
            "cyr2lat_real": 30, "lat2cyr_real": 63, "lat2cyr_rule": 34, "ru2lat_bgn": 12,
            "ru2lat_gost_b": 15, "ru2lat_icao": 12, "ru2lat_informal": 17, "ru2lat_iso9": 21,
        }.items()
    ),
    *(
        (count, spelled.in_case, sub)
        for sub, count in {
            "ablt": 40, "accs": 25, "datv": 38, "gent": 41, "loct": 31, "xscript_ablt": 16,
            "xscript_accs": 10, "xscript_datv": 13, "xscript_gent": 9, "xscript_loct": 19,
        }.items()
    ),
    *(
        (count, spelled.latin_stem, f"latin_stem_{ending}")
        for ending, count in {"а": 7, "е": 7, "у": 6, "ом": 13}.items()
    ),
    (103, spelled.mistyped, "edit1"),
    (13, spelled.mistyped, "edit1_short"),
    (70, spelled.mistyped, "edit2"),
    (16, spelled.mistyped, "edit2_short"),
    (39, spelled.wrong_layout, None),
    (74, spelled.heard, None),
    (34, spelled.composite, "infl+typo"),
    (28, spelled.composite, "infl+translit"),
    (56, meant.partial, "order"),
    (31, meant.partial, "prefix"),
    (28, meant.partial, "drop"),
    (34, meant.hinted, "param"),
    (31, meant.hinted, "param_redundant"),
    (26, meant.hinted, "mismatch"),
    (28, meant.worded, "text_ru"),
    (21, meant.worded, "text_en"),
    (8, meant.repository_of, None),
    *(
        (count, meant.namesake, f"namesake_{sub}")
        for sub, count in {"infl": 8, "lat": 18, "lower": 19, "same": 9, "upper": 17}.items()
    ),
    (24, meant.of_a_kind, "role"),
    (7, meant.of_a_kind, "role_ru"),
    (4, meant.of_a_kind, "role_ru_infl"),
    (8, meant.of_a_kind, "kind_en"),
    (10, meant.of_a_kind, "kind_ru"),
    (9, meant.of_a_kind, "kind_ru_infl"),
    (27, meant.of_a_name, "first_name"),
    (10, meant.of_a_name, "last_name"),
    (56, missing.far, None),
    (18, missing.near, "near_name"),
    (42, missing.near, "near_name_hard"),
    (34, missing.sibling, "sibling_person"),
    (32, missing.sibling, "sibling_device"),
    (19, missing.sibling, "sibling_service"),
    (11, missing.stray, "stray"),
    (11, missing.stray, "stray2"),
    (4, missing.stray, "garbage"),
]  # fmt: skip


def questions(seed: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The registry of a seed and its labelled queries, as lines."""
    things = drawn(seed)
    truth = Truth(things)
    asked: set[tuple[str, tuple[str, ...]]] = set()
    found: list[Question] = []
    for row, (count, source, sub) in enumerate(PLAN):
        ask = Asking(things, truth, Random(f"questions {seed} {row}"))
        left = round(count * ask.random.uniform(0.95, 1.06))
        for question in source(ask) if sub is None else source(ask, sub):
            if left == 0:
                break
            mark = (question.text, tuple(question.types or ()))
            fits = bool(question.gold) == (question.category not in {"not_found"}) or (
                question.sub == "mismatch"
            )
            if mark not in asked and fits:
                asked.add(mark)
                found.append(question)
                left -= 1
    Random(f"order {seed}").shuffle(found)
    lines = [question.line(number) for number, question in enumerate(found, 1)]
    return [thing.line() for thing in things], lines


def _write(path: Path, lines: list[dict[str, Any]]) -> None:
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_text(text, "utf-8")


def main() -> None:
    """Write both files and say how many of each category there are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    registry, queries = questions(given.seed)
    given.out.mkdir(parents=True, exist_ok=True)
    _write(given.out / "registry.jsonl", registry)
    _write(given.out / "queries.jsonl", queries)
    print(f"{len(registry)} entities, {len(queries)} queries")
    for (category, sub), count in sorted(
        Counter((line["category"], line["sub"] or "") for line in queries).items()
    ):
        print(f"  {category:16s} {sub:24s} {count:4d}")


if __name__ == "__main__":
    main()

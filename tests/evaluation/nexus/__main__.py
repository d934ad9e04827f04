"""Judge Nexus on labelled queries: `python -m tests.evaluation.nexus --registry F --queries F`."""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from pathlib import Path

from nexus.contract import Purpose
from tests.evaluation.nexus import scenarios
from tests.evaluation.nexus.asking import answers
from tests.evaluation.nexus.registry import load, read_lines
from tests.evaluation.nexus.score import Line, judge, report
from tests.evaluation.nexus.served import DATABASE, served


def _mutable(queries: list[Line], lines: list[Line]) -> str:
    by_qid = {line["qid"]: line for line in lines}
    resolvable = [query for query in queries if query["expect"] == "resolved"]
    right = sum(
        by_qid[query["qid"]]["status"] == "resolved" and judge(query, by_qid[query["qid"]]).is_ok
        for query in resolvable
    )
    wrong = sum(judge(query, by_qid[query["qid"]]).is_false_resolve for query in queries)
    share = 100 * right / max(1, len(resolvable))
    return f"for mutate: {share:.2f} % of resolvable queries resolved, {wrong} false resolves"


async def evaluate(given: argparse.Namespace, folder: Path) -> None:
    """Load the registry, ask every query, play the scripts, print what came of it."""
    queries = read_lines(given.queries)
    purpose: Purpose = given.purpose
    async with served(folder / "n") as running:
        loaded = await load(running.client, read_lines(given.registry))
        lines = await answers(running.client, queries, loaded, purpose)
        mutable = (
            lines
            if purpose == "mutate"
            else await answers(running.client, queries, loaded, "mutate")
        )
    if given.out:
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        given.out.write_text(text, "utf-8")
    print(report(queries, lines, subs=given.subs))
    print(_mutable(queries, mutable))
    if given.scenarios:
        tallies = await scenarios.play(
            given.scenarios, given.queries, folder / "n" / DATABASE, folder, loaded
        )
        print(scenarios.report(tallies))


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--registry", type=Path, required=True)
    parser.add_argument("--queries", type=Path, required=True)
    parser.add_argument("--out", type=Path, help="where to write the answers")
    parser.add_argument("--purpose", choices=("read", "mutate"), default="read")
    parser.add_argument("--scenarios", type=Path)
    parser.add_argument("--subs", action="store_true", help="one line for each sub-category")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="eco", dir="/tmp") as folder:
        asyncio.run(evaluate(given, Path(folder)))


if __name__ == "__main__":
    main()

"""How resolving a name grows with the registry, beside other ways to find one.

`python -m bench.names --sizes 2000,50000,1000000` measures these sizes in one run and draws
`docs/explanation/names-growth.svg`; `python -m bench names` measures the two smaller.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench.cluster import binaries
from bench.fillers import fillers
from bench.growth_chart import chart
from bench.table import Row, markdown
from tests.evaluation.nexus.draw.__main__ import questions
from tests.evaluation.nexus.draw.spelling import key
from tests.evaluation.nexus.registry import read_lines

ROOT = Path(__file__).parents[1]
CHART = ROOT / "docs/explanation/names-growth.svg"
SEED = 1
SIZES = (2_000, 50_000)
WAYS = {
    "nexus": "Nexus",
    "brute": "WRatio, every name",
    "trigrams": "FTS5 trigrams + WRatio",
    "postgres": "PostgreSQL pg_trgm",
}
ALLOWED_P99_MS = {2_000: 1.0, 50_000: 3.0, 1_000_000: 5.0}


def _asked(way: str, size: int) -> int:
    """How many queries a way is asked; comparing with a million names takes a second each."""
    return {"nexus": 1500, "brute": 300 if size < 500_000 else 40}.get(way, 500)


def _grown(folder: Path, registry: list[Any], queries: list[Any], size: int) -> Path:
    """The registry with fillers, as a file."""
    keys = {key(query["text"]) for query in queries}
    for line in registry:
        named = [*line["names"].values(), *(alias["text"] for alias in line["aliases"])]
        keys |= {key(name) for name in named}
    path = folder / f"registry-{size}.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for line in registry:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
        more = fillers(max(0, size - len(registry)), keys)
        for number, (type, name) in enumerate(more):
            lang = "ru" if any("а" <= letter <= "я" for letter in name.lower()) else "en"
            line = {"id": f"fill_{number}", "type": type, "names": {lang: name}}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    return path


def _measured(way: str, registry: Path, queries: Path, count: int, folder: Path) -> dict[str, Any]:
    """Figures of one way, from a process of its own."""
    said = subprocess.run(
        [sys.executable, "-m", "bench.ways", way, registry, queries, str(count), folder],
        check=True, stdout=subprocess.PIPE, cwd=ROOT,
    )  # fmt: skip
    return json.loads(said.stdout)


def run(
    folder: Path, sizes: tuple[int, ...], ways: list[str], given: tuple[Path, Path] | None = None
) -> list[dict[str, Any]]:
    """Measure each way at each size."""
    if given is None:
        registry, queries = questions(SEED)
    else:
        registry, queries = read_lines(given[0]), read_lines(given[1])
    asked = folder / "queries.jsonl"
    asked.write_text("".join(json.dumps(query) + "\n" for query in queries), "utf-8")
    found: list[dict[str, Any]] = []
    for size in sizes:
        grown = _grown(folder, registry, queries, size)
        for way in ways:
            own = folder / f"{way}-{size}"
            own.mkdir()
            figures = _measured(way, grown, asked, _asked(way, size), own)
            found.append({"way": way, "size": size, **figures})
            print(found[-1], file=sys.stderr)
            shutil.rmtree(own, ignore_errors=True)
        grown.unlink()
    return found


def rows_of(found: list[dict[str, Any]]) -> list[Row]:
    """Rows of the table."""
    rows: list[Row] = []
    for each in found:
        good = None
        if each["way"] == "nexus" and each["size"] in ALLOWED_P99_MS:
            good = each["p99_ms"] <= ALLOWED_P99_MS[each["size"]]
        how = (
            f"p99 {each['p99_ms']:.2f} ms, {each['memory_mib']:.0f} MiB and"
            f" {each['disk_mib']:.0f} MiB on disk, built in {each['build_s']:.1f} s"
            f", right {each['accuracy']} %, wrong {each['false_resolves']} of {each['asked']}"
        )
        what = f"{WAYS[each['way']]}, {each['size']:,} entities, p50"
        rows.append(Row(what, f"{each['p50_ms']:.3f} ms", how, good=good))
    return rows


def drawn(found: list[dict[str, Any]]) -> str:
    """The chart."""

    def series(figure: str) -> dict[str, list[tuple[float, float]]]:
        return {
            WAYS[way]: [(each["size"], each[figure]) for each in found if each["way"] == way]
            for way in dict.fromkeys(each["way"] for each in found)
        }

    return chart(
        series("p50_ms"),
        series("p99_ms"),
        title="Time to find what a name means",
        x="entities in the registry",
        y="milliseconds for one name",
    )


def available() -> list[str]:
    """The ways that this machine can measure."""
    return [way for way in WAYS if way != "postgres" or binaries()]


def measure(folder: Path) -> list[Row]:
    """Rows of the table, for the smaller sizes."""
    return rows_of(run(folder, SIZES, available()))


def main() -> None:
    """Read the command line, measure, print and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="2000,50000,1000000")
    parser.add_argument("--ways", default=",".join(available()))
    parser.add_argument("--registry", type=Path)
    parser.add_argument("--queries", type=Path)
    parser.add_argument("--chart", type=Path, default=CHART)
    given = parser.parse_args()
    sizes = tuple(int(size) for size in given.sizes.split(","))
    files = (given.registry, given.queries) if given.registry and given.queries else None
    with tempfile.TemporaryDirectory(prefix="bn") as folder:
        found = run(Path(folder), sizes, given.ways.split(","), files)
    if len(sizes) > 1:
        given.chart.write_text(drawn(found), "utf-8")
    print(markdown(rows_of(found)))


if __name__ == "__main__":
    main()

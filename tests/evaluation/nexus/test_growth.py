"""How resolving grows is measured; the times are read, not tested."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.names import ALLOWED_P99_MS, rows_of, run
from tests.requirements import requirement

DATA = Path(__file__).parent / "data" / "dev"


@requirement("nexus.measured.growth")
@pytest.mark.slow
@pytest.mark.timeout(180)
def test_time_memory_disk_and_building_are_measured(tmp_path: Path) -> None:
    given = DATA / "registry.jsonl", DATA / "queries.jsonl"

    found = run(tmp_path, (min(ALLOWED_P99_MS),), ["nexus"], given)
    (row,) = rows_of(found)

    assert sorted(ALLOWED_P99_MS) == [2_000, 50_000, 1_000_000]
    assert {"p50_ms", "p99_ms", "memory_mib", "disk_mib", "build_s"} <= found[0].keys()
    assert row.good is not None

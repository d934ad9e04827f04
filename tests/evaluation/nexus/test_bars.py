"""The bars on the development questions hold, and every script plays as written."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from nexus.contract import Purpose
from tests.evaluation.nexus import scenarios
from tests.evaluation.nexus.asking import answers
from tests.evaluation.nexus.registry import Loaded, load, read_lines
from tests.evaluation.nexus.score import calibration_error, figures
from tests.evaluation.nexus.served import DATABASE, Served, served
from tests.requirements import requirement

DATA = Path(__file__).parent / "data/dev"
QUERIES = DATA / "queries.jsonl"

pytestmark = pytest.mark.slow


@pytest_asyncio.fixture
async def loaded() -> AsyncGenerator[tuple[Served, Loaded]]:
    """Nexus with the registry the questions are about."""
    with tempfile.TemporaryDirectory(prefix="eco", dir="/tmp") as folder:
        async with served(Path(folder) / "n") as running:
            yield running, await load(running.client, read_lines(DATA / "registry.jsonl"))


async def judged(
    loaded: tuple[Served, Loaded], purpose: Purpose
) -> tuple[list[dict[str, Any]], dict[str, dict[str, Any]]]:
    """The questions, and the answers by their ids."""
    running, registry = loaded
    queries = read_lines(QUERIES)
    lines = await answers(running.client, queries, registry, purpose)
    return queries, {line["qid"]: line for line in lines}


@requirement("nexus.measured.bars")
async def test_reading_is_right_and_hardly_ever_wrong(loaded: tuple[Served, Loaded]) -> None:
    queries, given = await judged(loaded, "read")

    found = figures(queries, given)
    error = calibration_error(queries, given)
    assert found["false_resolve_rate"] <= 0.2
    assert found["acc_at_resolved"] >= 94
    assert found["hit10_on_resolved"] >= 98
    assert found["ambiguous_recall"] >= 97
    assert error is not None
    assert error <= 0.03


@requirement("nexus.measured.bars", "nexus.resolution.mutate")
async def test_a_mutation_is_never_wrong_and_still_answered(loaded: tuple[Served, Loaded]) -> None:
    queries, given = await judged(loaded, "mutate")

    found = figures(queries, given)
    assert found["false_resolve_rate"] == 0
    assert found["acc_at_resolved"] >= 58


@requirement("nexus.measured.bars")
async def test_every_script_plays_as_written(loaded: tuple[Served, Loaded]) -> None:
    running, registry = loaded

    tallies = await scenarios.play(
        DATA / "scenarios.jsonl",
        QUERIES,
        running.folder / DATABASE,
        running.folder.parent,
        registry,
    )

    assert sum(tally.passed for tally in tallies.values()) == 170
    assert not any(tally.failures for tally in tallies.values()), scenarios.report(tallies)


_ASK = """
import json, sys
from pathlib import Path
import msgspec
from kit.store import Store
from nexus.contract import Resolve
from nexus.service.resolving import Resolving
from nexus.store import EntityStore
from nexus.store.finding import NameReader

store = Store(Path(sys.argv[1]), "nexus.store")
nexus = Resolving(EntityStore(store), NameReader(store), None, None)
for line in open(sys.argv[2], encoding="utf-8").readlines()[::3]:
    answer = nexus._resolve(Resolve(text=json.loads(line)["text"]))
    print(msgspec.json.encode(answer).decode())
"""


@requirement("nexus.resolution.three-ways")
async def test_another_process_answers_the_same(loaded: tuple[Served, Loaded]) -> None:
    running, _ = loaded

    async def said(seed: str) -> bytes:
        asking = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", _ASK, running.folder / DATABASE, QUERIES),
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdout=asyncio.subprocess.PIPE,
        )
        output, _ = await asking.communicate()
        assert asking.returncode == 0
        return output

    one, other = [await said(seed) for seed in ("1", "2")]
    assert one.count(b"\n") > 500
    assert one == other

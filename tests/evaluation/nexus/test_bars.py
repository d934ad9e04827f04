"""The bars that answers about names clear on the development questions, over the socket."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import pytest_asyncio

from nexus.contract import Purpose
from tests.evaluation.nexus import scenarios
from tests.evaluation.nexus.asking import answers
from tests.evaluation.nexus.registry import Loaded, load, read_lines
from tests.evaluation.nexus.score import false_resolves, figures
from tests.evaluation.nexus.served import DATABASE, served
from tests.requirements import requirement

DATA = Path(__file__).parent / "data" / "dev"
QUERIES = read_lines(DATA / "queries.jsonl")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


class Judged(NamedTuple):
    """The registry in a Nexus that was asked everything."""

    folder: Path
    loaded: Loaded
    figures: dict[Purpose, dict[str, Any]]
    wrong: dict[Purpose, list[str]]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def judged() -> AsyncGenerator[Judged]:
    """Every question asked for both purposes, once for all tests."""
    with tempfile.TemporaryDirectory(prefix="eco", dir="/tmp") as name:
        folder = Path(name)
        figures_of: dict[Purpose, dict[str, Any]] = {}
        wrong: dict[Purpose, list[str]] = {}
        async with served(folder / "n") as running:
            loaded = await load(running.client, read_lines(DATA / "registry.jsonl"))
            for purpose in ("read", "mutate"):
                lines = await answers(running.client, QUERIES, loaded, purpose)
                by_qid = {line["qid"]: line for line in lines}
                figures_of[purpose] = figures(QUERIES, by_qid)
                wrong[purpose] = false_resolves(QUERIES, by_qid)
        yield Judged(folder, loaded, figures_of, wrong)


@requirement("nexus.measured.never-wrong-for-a-change", "nexus.resolution.mutate-is-verified")
def test_no_change_is_led_astray_and_most_names_are_enough_for_one(judged: Judged) -> None:
    assert judged.wrong["mutate"] == []
    assert judged.figures["mutate"]["acc_at_resolved"] >= 58


@requirement("nexus.measured.seldom-wrong-for-reading")
def test_reading_is_seldom_wrong(judged: Judged) -> None:
    assert judged.figures["read"]["false_resolve_rate"] <= 0.2, judged.wrong["read"]


@requirement("nexus.measured.accuracy")
def test_what_one_thing_is_meant_by_resolves_to_it(judged: Judged) -> None:
    assert judged.figures["read"]["acc_at_resolved"] >= 94
    assert judged.figures["read"]["hit10_on_resolved"] >= 98


@requirement("nexus.measured.ambiguity")
def test_what_several_things_are_meant_by_is_asked_about(judged: Judged) -> None:
    for found in judged.figures.values():
        assert found["ambiguous_recall"] >= 97


@requirement("nexus.measured.calibration")
def test_confidence_is_how_often_it_is_right(judged: Judged) -> None:
    for found in judged.figures.values():
        assert found["calibration_error"] <= 0.03


@requirement("nexus.measured.scenarios")
@pytest.mark.asyncio(loop_scope="module")
async def test_every_script_goes_as_written(judged: Judged) -> None:
    tallies = await scenarios.play(
        DATA / "scenarios.jsonl",
        DATA / "queries.jsonl",
        judged.folder / "n" / DATABASE,
        judged.folder,
        judged.loaded,
    )

    assert [failure for tally in tallies.values() for failure in tally.failures] == []
    assert sum(tally.passed for tally in tallies.values()) == 170

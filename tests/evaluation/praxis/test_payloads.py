"""Every recorded payload does what is expected of it: once, twice, and all of them in reverse."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest_asyncio

from tests.evaluation.praxis.delivering import deliver, items_by_id
from tests.evaluation.praxis.requests import index_of
from tests.evaluation.praxis.served import Served, served
from tests.requirements import requirement

FOLDER = Path(__file__).parents[2] / "praxis/data"
INDEX = [
    entry
    for entry in index_of(FOLDER / "payloads")
    if entry["file"] != "19_healthchecks_pings.http"  # pings carry no time and no id
]
EXPECTED = {
    "01_alertmanager_v4_firing_single.json": [("alert", "3707bba41e3cd671", "critical", "active")],
    "03_alertmanager_v4_resolved.json": [("alert", "3707bba41e3cd671", "critical", "recovered")],
    "04_alertmanager_v4_watchdog.json": [],
    "07_github_workflow_run_completed.json": [],
    "08_github_workflow_job_failure.json": [
        ("ci.job", "Codertocat/Hello-World:job:CodeQL:linters:main", "error", "active")
    ],
    "10_github_dependabot_alert_created.json": [
        ("security.alert", "wolfy1339/pika-pack:dependabot:20", "warning", "active")
    ],
    "14_github_deployment_status.json": [],
    "21_systemd_journal_unit_failed.json": [
        ("service", "user:muzick-indexer.service", "error", "active")
    ],
    "22_systemd_journal_crashloop.jsonl": [
        ("service", "user:muzick-indexer.service", "error", "active")
    ],
    "24_claude_notification_permission_prompt.json": [
        ("agent.waiting", "abc123", "warning", "active")
    ],
    "26_claude_permission_request.json": [("agent.waiting", "abc123", "warning", "active")],
    "27_claude_stop.json": [("agent.ready", "abc123", "info", "active")],
    "28_claude_stop_failure_rate_limit.json": [("agent.failed", "abc123", "error", "active")],
    "30_claude_session_end.json": [("agent.failed", "abc123", "error", "recovered")],
    "34_codex_notify_turn_complete.json": [
        ("agent.ready", "019f4774-6dbe-7f23-9dc4-698f58c2ebc2", "info", "active")
    ],
    "37_cloudevents_structured.json": [
        ("com.example.someevent", "/mycontext:C234-1234-1234", "info", "active")
    ],
    "39_cloudevents_binary.http": [],
}

Stand = tuple[str, str, str, str, int, int]


@pytest_asyncio.fixture
async def running() -> AsyncGenerator[Served]:
    with tempfile.TemporaryDirectory(prefix="eco", dir="/tmp") as folder:
        async with served(Path(folder)) as praxis:
            yield praxis


async def stands(running: Served) -> set[Stand]:
    """Every item, without what an observation's own time of arrival is in."""
    return {
        (item.source, item.kind, item.key, item.operational, item.episodes, item.count)
        for item in (await items_by_id(running)).values()
        if not item.kind.startswith("agent.")
    }


@requirement("praxis.measured.payloads", "praxis.sources.push")
async def test_each_payload_does_what_is_expected_of_it(running: Served) -> None:
    lines = await deliver(running, FOLDER / "payloads", INDEX)

    found = {
        line["file"]: [
            (item["kind"], item["key"], item["severity"], item["operational"])
            for item in line["items"]
        ]
        for line in lines
    }
    assert found == EXPECTED
    assert all(answer["status"] == 200 for line in lines for answer in line["answers"])
    assert all(answer["body"] == "" for line in lines for answer in line["answers"]), (
        "no answer steers who delivers"
    )


async def test_each_delivered_twice_gives_the_same_items(running: Served) -> None:
    twice: list[dict[str, Any]] = [entry for entry in INDEX for _ in range(2)]
    await deliver(running, FOLDER / "payloads", INDEX)
    once = await stands(running)

    await deliver(running, FOLDER / "payloads", twice)

    assert await stands(running) == once


async def test_all_of_them_in_reverse_order_give_the_same_items(running: Served) -> None:
    await deliver(running, FOLDER / "payloads", INDEX[::-1])
    backwards = await stands(running)

    await deliver(running, FOLDER / "payloads", INDEX)

    assert await stands(running) == backwards

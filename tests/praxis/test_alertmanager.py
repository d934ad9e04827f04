"""A real Alertmanager pointed at a door of Praxis: a real alert fires, and is resolved."""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
import subprocess
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import pytest_asyncio
import requests

from praxis.contract import ListItems, ListSources
from tests.praxis.test_doors import Doors
from tests.praxis.test_doors import doors as doors
from tests.requirements import requirement

JSON = {"content-type": "application/json"}
PROGRAM = shutil.which("prometheus-alertmanager")
SETTINGS = """
route:
  receiver: praxis
  group_by: [alertname]
  group_wait: 0s
  group_interval: 1s
  repeat_interval: 1h
receivers:
  - name: praxis
    webhook_configs:
      - url: {url}
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(PROGRAM is None, reason="needs the Debian package prometheus-alertmanager"),
]


@pytest_asyncio.fixture
async def alerts(doors: Doors, tmp_path: Path) -> AsyncGenerator[str]:
    """Where alerts are told to an Alertmanager that passes them on to Praxis."""
    url = await doors.open("alertmanager", "alertmanager")
    settings = tmp_path / "alertmanager.yml"
    settings.write_text(SETTINGS.format(url=url), "utf-8")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    process = await asyncio.create_subprocess_exec(
        *(str(PROGRAM), f"--config.file={settings}", f"--storage.path={tmp_path / 'data'}"),
        *(f"--web.listen-address=127.0.0.1:{port}", "--cluster.listen-address="),
        stderr=subprocess.DEVNULL,
    )
    at = f"http://127.0.0.1:{port}/api/v2/alerts"
    async with asyncio.timeout(30):
        while True:
            try:
                await asyncio.to_thread(requests.get, at, timeout=5)
                break
            except requests.ConnectionError:
                await asyncio.sleep(0.05)
    yield at
    process.terminate()
    await process.wait()


async def tell(at: str, *, ends_at: datetime | None = None) -> None:
    alert: dict[str, object] = {
        "labels": {"alertname": "DiskFull", "instance": "nas:9100", "severity": "critical"},
        "annotations": {"summary": "The disk of nas is full"},
    }
    if ends_at is not None:
        alert["endsAt"] = ends_at.isoformat()
    answer = await asyncio.to_thread(
        requests.post, at, data=json.dumps([alert]), headers=JSON, timeout=5
    )
    assert answer.status_code == 200


@requirement("praxis.sources.push", "praxis.measured.real")
async def test_a_real_alert_becomes_an_item_and_is_recovered_by_its_resolution(
    doors: Doors, alerts: str
) -> None:
    await tell(alerts)
    opened = await doors.world.until("item_opened")
    await tell(alerts, ends_at=datetime.now(UTC) + timedelta(seconds=0.5))
    await doors.world.until("item_recovered", after=opened.cursor)

    (item,) = (await doors.world.praxis.list_items(ListItems())).items
    (source,) = (await doors.world.praxis.list_sources(ListSources())).sources
    assert (item.severity, item.title) == ("critical", "The disk of nas is full")
    assert (item.subject, item.episodes) == ("instance=nas:9100", 1)
    assert source.freshness == "fresh"

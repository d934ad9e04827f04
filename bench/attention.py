"""Praxis beside Alertmanager in one run: taking alerts, listing them, telling of them, memory.

Both are asked over HTTP by the same plain client, on kept connections. Alertmanager holds alerts in
memory; Praxis answers once what it was told is on disk.
"""

from __future__ import annotations

import asyncio
import shutil
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import uvloop

from bench.table import Row
from kit import trace
from kit.address import Address, dial
from kit.connection import Connection
from praxis.contract import CONTRACT

PROGRAM = "prometheus-alertmanager"
SIZES = (1_000, 10_000, 100_000)
"""Active items at which both are measured; Alertmanager's list has no pages."""
ONE_BY_ONE, AT_ONCE, BATCH, BATCHES = 1500, 32, 64, 60
ALLOWED_LIST_MS = {1_000: 2.0, 10_000: 2.0, 100_000: 10.0}
ALLOWED_DELAY_MS = 50.0
_NAMES = ("InstanceDown", "DiskFull", "CertificateExpires", "BackupMissing")


@dataclass(frozen=True)
class Peer:
    """One of the two, and how it is told and asked."""

    name: str
    address: Address
    tell: Callable[[list[int]], bytes]
    """The request that tells of alerts, whole."""
    ask: bytes
    """The request that lists what is active."""
    changes: Callable[[dict[str, Any]], bytes] | None
    """The request for what changed, where it can be asked."""
    pid: int

    def rss_mib(self) -> float:
        """Resident memory."""
        for line in Path(f"/proc/{self.pid}/status").read_text("ascii").splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        return 0.0

    def cpu_s(self) -> float:
        """Processor time used so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100


def measure(folder: Path) -> list[Row]:
    """Rows of the table."""
    with _praxis(folder) as praxis, _alertmanager(folder) as alertmanager:
        return uvloop.run(_measure(praxis, alertmanager))


async def _measure(praxis: Peer, alertmanager: Peer) -> list[Row]:
    rows: list[Row] = []
    told = {praxis.name: 0, alertmanager.name: 0}
    for size in SIZES:
        for peer in (praxis, alertmanager):
            await _fill(peer, told[peer.name], size)
            told[peer.name] = size
        rows += await _ingest(praxis, alertmanager, told, size)
        rows += await _list(praxis, alertmanager, size)
        memory = f"Alertmanager {alertmanager.rss_mib():.0f} MiB"
        rows.append(Row(f"memory at {size:,}", f"{praxis.rss_mib():.0f} MiB", memory))
    rows.append(await _delay(praxis, told))
    return rows


async def _ingest(praxis: Peer, alertmanager: Peer, told: dict[str, int], size: int) -> list[Row]:
    """One at a time, many at a time, and in batches; the two in turn, the best of three."""
    rows: list[Row] = []
    for what, work, share in (
        ("one by one", _one_by_one, None),
        (f"one each on {AT_ONCE} connections", _at_once, 0.5),
        (f"in batches of {BATCH}", _in_batches, 1.0),
    ):
        rates = {praxis.name: 0.0, alertmanager.name: 0.0}
        cpu = {praxis.name: 0.0, alertmanager.name: 0.0}
        for _ in range(3):
            for peer in (alertmanager, praxis):
                before, began = peer.cpu_s(), time.perf_counter()
                count = await work(peer, told[peer.name])
                took = time.perf_counter() - began
                told[peer.name] += count
                if count / took > rates[peer.name]:
                    rates[peer.name] = count / took
                    cpu[peer.name] = (peer.cpu_s() - before) / count * 1e6
        ratio = rates[praxis.name] / rates[alertmanager.name]
        rows.append(
            Row(
                f"ingest at {size:,}, {what}",
                f"{rates[praxis.name]:,.0f}/s",
                f"{cpu[praxis.name]:.0f} µs CPU; Alertmanager {rates[alertmanager.name]:,.0f}/s,"
                f" {cpu[alertmanager.name]:.0f} µs",
                f"{ratio:.2f}",
                None if share is None else ratio >= share,
            )
        )
    return rows


async def _list(praxis: Peer, alertmanager: Peer, size: int) -> list[Row]:
    ours = await _times(praxis, 60)
    theirs = await _times(alertmanager, 3 if size > 50_000 else 15)
    p50, peer = statistics.median(ours), statistics.median(theirs)
    return [
        Row(
            f"list the top 50 of {size:,}, p50",
            f"{p50:.2f} ms",
            f"p95 {sorted(ours)[int(len(ours) * 0.95)]:.2f} ms; Alertmanager, all: {peer:.0f} ms",
            f"{p50 / peer:.3f}",
            p50 <= ALLOWED_LIST_MS[size],
        )
    ]


async def _delay(praxis: Peer, told: dict[str, int]) -> Row:
    """From telling at 100 a second to a subscriber who waits for news."""
    sent: dict[str, float] = {}
    delays: list[float] = []
    feed = await dial(Connection, praxis.address)
    assert praxis.changes is not None
    ask = praxis.changes
    begin = await _reply(feed, ask({}))
    after = begin["next_after"]

    async def follow() -> None:
        nonlocal after
        while len(delays) < 1000:
            page = await _reply(feed, ask({"after": after, "wait_s": 20, "limit": 500}))
            now = time.perf_counter()
            after = page["next_after"]
            for change in page["changes"]:
                name = change["details"].get("title")
                if name in sent:
                    delays.append((now - sent.pop(name)) * 1000)

    following = asyncio.ensure_future(follow())
    connection = await dial(Connection, praxis.address)
    for number in range(1000):
        began = time.perf_counter()
        at = told[praxis.name] + number
        sent[_summary(at)] = began
        await _reply(connection, praxis.tell([at]))
        await asyncio.sleep(max(0.0, 0.01 - (time.perf_counter() - began)))
    await following
    feed.close()
    connection.close()
    p99 = sorted(delays)[int(len(delays) * 0.99)]
    return Row(
        "from telling to a subscriber at 100/s, p99",
        f"{p99:.1f} ms",
        f"p50 {statistics.median(delays):.1f} ms",
        good=p99 <= ALLOWED_DELAY_MS,
    )


async def _fill(peer: Peer, told: int, size: int) -> None:
    connection = await dial(Connection, peer.address)
    for start in range(told, size, 500):
        await _reply(connection, peer.tell(list(range(start, min(start + 500, size)))))
    connection.close()


async def _one_by_one(peer: Peer, start: int) -> int:
    connection = await dial(Connection, peer.address)
    for number in range(ONE_BY_ONE // 3):
        await _reply(connection, peer.tell([start + number]))
    connection.close()
    return ONE_BY_ONE // 3


async def _at_once(peer: Peer, start: int) -> int:
    each = ONE_BY_ONE // AT_ONCE

    async def work(place: int) -> None:
        connection = await dial(Connection, peer.address)
        for number in range(each):
            await _reply(connection, peer.tell([start + place * each + number]))
        connection.close()

    await asyncio.gather(*(work(place) for place in range(AT_ONCE)))
    return each * AT_ONCE


async def _in_batches(peer: Peer, start: int) -> int:
    connection = await dial(Connection, peer.address)
    for number in range(BATCHES):
        first = start + number * BATCH
        await _reply(connection, peer.tell(list(range(first, first + BATCH))))
    connection.close()
    return BATCHES * BATCH


async def _times(peer: Peer, count: int) -> list[float]:
    connection = await dial(Connection, peer.address)
    times: list[float] = []
    for _ in range(count):
        began = time.perf_counter()
        await connection.exchange(peer.ask, 120.0)
        times.append((time.perf_counter() - began) * 1000)
    connection.close()
    return times


async def _reply(connection: Connection, request: bytes) -> Any:
    status, payload = await connection.exchange(request, 60.0)
    assert status == 200, payload
    return msgspec.json.decode(payload) if payload else None


def _summary(number: int) -> str:
    return f"{_NAMES[number % len(_NAMES)]} on host{number % 50} ({number})"


def _alert(number: int) -> dict[str, Any]:
    return {
        "labels": {
            "alertname": _NAMES[number % len(_NAMES)],
            "instance": f"host{number % 50}:9100",
            "severity": "warning",
            "number": str(number),
        },
        "annotations": {"summary": _summary(number)},
    }


def _observation(number: int) -> dict[str, Any]:
    return {
        "source": "alerts",
        "kind": "alert",
        "state": "problem",
        "severity": "warning",
        "key": str(number),
        "summary": _summary(number),
        "subject": f"host{number % 50}:9100",
        "details": {"alertname": _NAMES[number % len(_NAMES)]},
    }


class _Requests:
    """Requests to Praxis with one token."""

    def __init__(self, token: str) -> None:
        self._head = (
            f"host: praxis\r\nauthorization: Bearer {token}\r\n{trace.CONTRACT}: {CONTRACT}\r\n"
            f"{trace.REQUESTER}: user:bench\r\ncontent-type: application/json\r\n"
        )

    def of(self, operation: str, asked: dict[str, Any]) -> bytes:
        """One request, whole."""
        body = msgspec.json.encode(asked)
        line = f"POST /v1/{operation} HTTP/1.1\r\n"
        return f"{line}{self._head}content-length: {len(body)}\r\n\r\n".encode() + body

    def tell(self, numbers: list[int]) -> bytes:
        """Tell of these alerts."""
        told = [_observation(number) for number in numbers]
        if len(told) == 1:
            return self.of("observe", told[0])
        return self.of("observe_batch", {"observations": told})


def _tell_alertmanager(numbers: list[int]) -> bytes:
    body = msgspec.json.encode([_alert(number) for number in numbers])
    head = (
        "POST /api/v2/alerts HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
        f"content-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


@contextmanager
def _praxis(folder: Path) -> Generator[Peer]:
    served = folder / "p"
    served.mkdir()
    command = [sys.executable, "-m", "bench.attention_served", str(served)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            requests = _Requests(process.stdout.readline().decode().strip())
            yield Peer(
                "Praxis",
                Address(path=str(served / "s")),
                requests.tell,
                requests.of("list_attention", {"limit": 50}),
                lambda asked: requests.of("list_changes", asked),
                process.pid,
            )
        finally:
            process.terminate()


@contextmanager
def _alertmanager(folder: Path) -> Generator[Peer]:
    program = shutil.which(PROGRAM)
    assert program, f"{PROGRAM} is needed: apt-get install {PROGRAM}"
    settings = folder / "alertmanager.yml"
    settings.write_text("route: {receiver: none}\nreceivers: [{name: none}]\n", "utf-8")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = [
        *(program, f"--config.file={settings}", f"--storage.path={folder / 'am'}"),
        *(f"--web.listen-address=127.0.0.1:{port}", "--cluster.listen-address="),
        "--log.level=error",
    ]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            _wait_for(port)
            ask = b"GET /api/v2/alerts HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"
            address = Address(host="127.0.0.1", port=port)
            yield Peer("Alertmanager", address, _tell_alertmanager, ask, None, process.pid)
        finally:
            process.terminate()


def _wait_for(port: int) -> None:
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise TimeoutError(f"{PROGRAM} does not listen")

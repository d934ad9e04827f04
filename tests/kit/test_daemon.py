"""The daemon as a real process: one instance, orderly ends, the death of its supervisor, TCP."""

from __future__ import annotations

import asyncio
import re
import signal
import socket
import ssl
import stat
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from kit import address as addresses
from kit.address import Address
from kit.contract import Nothing
from kit.errors import OutcomeUnknown, ServiceError, Unauthenticated, Unavailable
from tests.kit.conftest import Process
from tests.kit.sample.contract import AwaitNews, Echo, Keep, Linger
from tests.kit.wire import connected, once
from tests.requirements import requirement

SUPERVISOR = """
import os, subprocess, sys
child = subprocess.Popen([sys.executable, "-m", "tests.kit.sample"])
print(child.pid, flush=True)
child.wait()
"""


async def ended(process: subprocess.Popen[str], within_s: float) -> int:
    async with asyncio.timeout(within_s):
        return await asyncio.to_thread(process.wait)


async def test_it_serves_alone_in_a_folder_of_its_own_and_leaves_no_socket(
    process: Process,
) -> None:
    running = process.start()
    async with await process.ready() as client:
        await client.keep(Keep(text="a"))
    run_folder = process.home / "run"
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (run_folder, run_folder / "sample.sock")]
    running.send_signal(signal.SIGTERM)

    assert await ended(running, 5) == 0
    assert modes == [0o700, 0o600]
    assert not (run_folder / "sample.sock").exists()


async def test_a_second_instance_is_refused_and_the_first_goes_on(process: Process) -> None:
    first = process.start()
    async with await process.ready() as client:
        second = process.start()
        status = await ended(second, 10)
        assert second.stderr is not None
        said = second.stderr.read()
        notes = await client.list_notes(Nothing())

    assert status == 69
    assert re.search(rf"unavailable: sample runs already \(pid {first.pid}\)", said)
    assert notes.texts == []


async def test_what_a_killed_instance_left_behind_is_replaced(process: Process) -> None:
    first = process.start()
    (await process.ready()).close()
    first.kill()
    await ended(first, 5)
    left = (process.home / "run" / "sample.sock").exists()
    process.start()
    async with await process.ready() as client:
        kept = await client.keep(Keep(text="after"))

    assert left
    assert kept.sequence == 1


async def test_sigterm_during_a_long_poll_ends_fast_and_answers_it(process: Process) -> None:
    running = process.start()
    async with await process.ready() as client:
        waiting = asyncio.ensure_future(client.await_news(AwaitNews(wait_s=60)))
        await asyncio.sleep(0)
        await client.echo(Echo())
        began = time.monotonic()
        running.send_signal(signal.SIGTERM)
        news = await waiting
        status = await ended(running, 5)

    assert (news.count, status) == (0, 0)
    assert time.monotonic() - began < 2


async def test_an_orderly_stop_finishes_the_writes_under_way(process: Process) -> None:
    running = process.start()
    async with await process.ready() as client:
        writes = [asyncio.ensure_future(client.keep(Keep(text=f"{n}"))) for n in range(300)]
        await asyncio.sleep(0.02)
        running.send_signal(signal.SIGTERM)
        outcomes = await asyncio.gather(*writes, return_exceptions=True)
        status = await ended(running, 10)
    process.start()
    async with await process.ready() as client:
        texts = (await client.list_notes(Nothing())).texts
    acknowledged = [
        f"{n}" for n, outcome in enumerate(outcomes) if not isinstance(outcome, Exception)
    ]
    refused = [f"{n}" for n, outcome in enumerate(outcomes) if isinstance(outcome, Unavailable)]

    assert status == 0
    assert set(acknowledged) <= set(texts)
    assert not set(refused) & set(texts)
    assert all(not isinstance(o, Exception) or isinstance(o, ServiceError) for o in outcomes)


async def test_it_ends_when_its_supervisor_is_killed(process: Process) -> None:
    supervisor = await asyncio.create_subprocess_exec(
        sys.executable, "-c", SUPERVISOR,
        env={**process.environment, "SUPERVISOR_ENABLED": "1"},
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert supervisor.stdout is not None
    part = psutil.Process(int(await supervisor.stdout.readline()))
    (await process.ready()).close()
    supervisor.kill()
    await supervisor.wait()
    gone, _ = await asyncio.to_thread(psutil.wait_procs, [part], 5)

    assert gone == [part]
    assert not (process.home / "run" / "sample.sock").exists()


async def test_it_does_not_stay_when_its_supervisor_died_before_it_was_up(
    process: Process,
) -> None:
    nobody = f"unix://{process.home}/supervisor.sock"
    running = process.start(SUPERVISOR_ENABLED="1", SUPERVISOR_SERVER_URL=nobody)

    assert await ended(running, 10) == 0


async def test_the_tcp_door_wants_a_token_with_every_request(
    process: Process, free_port: int
) -> None:
    process.start(SAMPLE_TCP=f"http://127.0.0.1:{free_port}")
    (await process.ready()).close()
    door = Address(host="127.0.0.1", port=free_port)
    token = process.tester.secret.token_for("sample")
    headers = f"host: x\r\nauthorization: Bearer {token}\r\nx-requester: user:ann\r\n"
    statuses = [
        (await once(door, path, sent, "{}", method=method)).status
        for path, method, sent in [
            ("echo", "POST", headers),
            ("echo", "POST", "host: x\r\n"),
            ("health", "GET", "host: x\r\n"),
            ("meta", "GET", "host: x\r\n"),
            ("openapi.json", "GET", "host: x\r\n"),
            ("echo", "POST", headers),
        ]
    ]
    async with process.client(door) as client:
        heard = await client.echo(Echo(text="over TCP"))

    assert statuses == [200, 401, 401, 401, 401, 200]
    assert heard.text == "over TCP"


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"SAMPLE_TCP": "http://0.0.0.0:{port}"}, "tcp"),
        ({"SAMPLE_TCP": "http://[::]:{port}"}, "tcp"),
        ({"SAMPLE_TCP": "https://127.0.0.1:{port}"}, "tls_cert"),
        ({"SAMPLE_TCP": "nonsense"}, "address"),
        ({"SAMPLE_TCP": "unix:///tmp/x"}, "tcp"),
        (
            {"SAMPLE_TCP": "https://127.0.0.1:{port}"}
            | dict.fromkeys(["SAMPLE_TLS_CERT", "SAMPLE_TLS_KEY"], "/no"),
            "tls_cert",
        ),
    ],
)  # fmt: skip
async def test_a_door_that_would_betray_tokens_or_makes_no_sense_is_not_opened(
    process: Process, free_port: int, settings: dict[str, str], field: str
) -> None:
    running = process.start(
        **{name: value.format(port=free_port) for name, value in settings.items()}
    )
    status = await ended(running, 10)
    assert running.stderr is not None
    said = running.stderr.read()

    assert status == 2
    assert f"invalid_argument ({field})" in said
    assert not (process.home / "run" / "sample.sock").exists()


async def test_an_unencrypted_door_to_other_machines_needs_a_loud_opt_out(
    process: Process, free_port: int
) -> None:
    running = process.start(SAMPLE_TCP=f"http://0.0.0.0:{free_port}", SAMPLE_TCP_WITHOUT_TLS="true")
    (await process.ready()).close()
    async with process.client(Address(host="127.0.0.1", port=free_port)) as client:
        heard = await client.echo(Echo(text="overheard"))
    running.terminate()
    await ended(running, 5)
    assert running.stderr is not None

    assert heard.text == "overheard"
    assert "tokens can be overheard" in running.stderr.read()


@pytest.fixture
def certificate(folder: Path) -> tuple[Path, Path]:
    key, cert = folder / "key.pem", folder / "cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-keyout", key, "-out", cert, "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
        check=True, capture_output=True,
    )  # fmt: skip
    return key, cert


async def test_a_door_with_tls_is_used_by_those_who_trust_its_certificate(
    process: Process,
    free_port: int,
    certificate: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    key, cert = certificate
    running = process.start(
        SAMPLE_TCP=f"https://127.0.0.1:{free_port}",
        SAMPLE_TLS_CERT=str(cert),
        SAMPLE_TLS_KEY=str(key),
    )
    (await process.ready()).close()
    door = Address(host="127.0.0.1", port=free_port, tls=True)
    trusting = ssl.create_default_context(cafile=cert)
    stranger = ssl.create_default_context()
    monkeypatch.setattr(addresses, "_trusted", lambda: trusting)
    async with process.client(door) as client:
        kept = [(await client.keep(Keep(text="over TLS"))).sequence for _ in range(3)]
    monkeypatch.setattr(addresses, "_trusted", lambda: stranger)
    async with process.client(door) as client:
        with pytest.raises(Unavailable):
            await client.echo(Echo())
    async with process.client(Address(host="127.0.0.1", port=free_port)) as client:
        with pytest.raises(OutcomeUnknown):
            await client.keep(Keep(text="in the clear"))
    for _ in range(20):
        async with connected(Address(host="127.0.0.1", port=free_port)) as wire:
            await wire.send("this is no handshake\r\n\r\n")
            await wire.until_closed()
    running.terminate()
    await ended(running, 10)
    assert running.stderr is not None
    logged = running.stderr.read().splitlines()

    assert kept == [1, 2, 3]
    assert len(logged) < 5


async def test_a_rotated_credential_counts_in_a_running_process(process: Process) -> None:
    process.start()
    async with await process.ready() as old:
        Process(process.home)  # makes every credential anew
        with pytest.raises(Unauthenticated):
            await old.echo(Echo())


async def test_a_process_told_to_notify_says_when_it_is_ready(process: Process) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(process.home / "notify"))
        systemd.settimeout(10)
        running = process.start(NOTIFY_SOCKET=str(process.home / "notify"))
        ready = await asyncio.to_thread(systemd.recv, 100)
        running.terminate()
        stopping = await asyncio.to_thread(systemd.recv, 100)

    assert (ready, stopping) == (b"READY=1", b"STOPPING=1")


@requirement("invariant.10")
async def test_no_token_is_ever_logged(process: Process) -> None:
    running = process.start()
    token = process.tester.secret.token_for("sample")
    async with await process.ready() as client:
        with pytest.raises(ServiceError):
            await client.linger(Linger(fail="defect"))
    await once(
        process.address,
        f"echo?token={token}",
        f"host: {token}\r\nauthorization: {token}\r\n",
        token,
    )
    async with connected(process.address) as wire:
        await wire.send(f"{token} not HTTP\r\n\r\n")
        await wire.until_closed()
    running.terminate()
    await ended(running, 5)
    assert running.stderr is not None
    logged = running.stderr.read()

    assert "operation_failed" in logged
    assert "eco1" not in logged
    assert token.split(".")[2] not in logged

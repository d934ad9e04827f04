"""HTTP checks of a real server process and of servers that misbehave."""

from __future__ import annotations

import asyncio
import socket
import sys
from pathlib import Path

import pytest

from kit.errors import InvalidArgument, Unavailable
from kit.testing import FrozenClock
from praxis.contract.looks import HttpCheck
from praxis.sources import Reading
from praxis.sources.http_check import HttpSource
from praxis.sources.reach import reason_of
from tests.praxis.sources.certificates import Authority
from tests.praxis.sources.conftest import Servers, http


def look(address: str, **more: object) -> HttpSource:
    check = HttpCheck(address=address, **{"failures": 1, "timeout_s": 5.0, **more})  # pyright: ignore[reportArgumentType]
    return HttpSource(check, FrozenClock())


async def seen(source: HttpSource) -> Reading:
    (reading,) = await source.poll()
    return reading


def reason(reading: Reading) -> str:
    return reading.details.get("reason", "")


async def start(port: int, folder: Path) -> asyncio.subprocess.Process:
    """A web server of its own process, once it listens."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-u", "-m", "http.server", "--bind", "127.0.0.1", str(port)),
        cwd=folder,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdout is not None
    async with asyncio.timeout(20):
        assert b"Serving" in await process.stdout.readline()
    return process


async def test_a_server_that_is_killed_is_a_problem_and_well_again_when_it_is_back(
    tmp_path: Path,
) -> None:
    (tmp_path / "health").write_text("всё работает", encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    source = look(f"http://127.0.0.1:{port}", path="/health", text="работает", failures=2)

    server = await start(port, tmp_path)
    before = await seen(source)
    server.kill()
    await server.wait()
    first, gone = await source.poll(), await seen(source)
    server = await start(port, tmp_path)
    back = await seen(source)
    server.kill()
    await server.wait()

    assert (before.state, before.severity) == ("ok", "info")
    assert first == []
    assert (gone.state, reason(gone), gone.details["failures"]) == ("problem", "refused", "2")
    assert back.state == "ok"


async def test_another_status_is_a_problem(servers: Servers) -> None:
    port = await servers.raw(http("503 Service Unavailable"))

    reading = await seen(look(f"http://127.0.0.1:{port}"))

    assert (reason(reading), reading.summary) == ("status", "answers 503 instead of 200")


async def test_a_text_that_is_missing_is_a_problem(servers: Servers) -> None:
    port = await servers.raw(http("200 OK", "down"))

    assert reason(await seen(look(f"http://127.0.0.1:{port}", text="up"))) == "text"


async def test_a_text_is_found_in_the_charset_of_the_answer(servers: Servers) -> None:
    body = "хорошо".encode("cp1251")
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=windows-1251\r\n\r\n"
    port = await servers.raw(head + body)

    assert (await seen(look(f"http://127.0.0.1:{port}", text="хорошо"))).state == "ok"


@pytest.mark.parametrize("said", [b"", b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf"])
async def test_a_slow_server_is_a_problem_after_the_timeout(servers: Servers, said: bytes) -> None:
    port = await servers.raw(said, hangs=True)

    reading = await seen(look(f"http://127.0.0.1:{port}", timeout_s=0.1))

    assert reason(reading) == "timeout"


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        (b"SSH-2.0-OpenSSH_9.2\r\n", "not_http"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf", "broken_off"),
        (b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 40_000, "not_http"),
        (b"", "broken_off"),
    ],
)
async def test_what_is_no_whole_answer_is_a_problem(
    servers: Servers, said: bytes, wanted: str
) -> None:
    port = await servers.raw(said)

    assert reason(await seen(look(f"http://127.0.0.1:{port}"))) == wanted


async def test_an_endless_answer_is_read_no_further_than_its_bound(servers: Servers) -> None:
    port = await servers.raw(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * (1 << 20), hangs=True)

    assert (await seen(look(f"http://127.0.0.1:{port}"))).state == "ok"
    assert reason(await seen(look(f"http://127.0.0.1:{port}", text="y"))) == "text"


async def test_an_early_hint_is_not_the_answer(servers: Servers) -> None:
    port = await servers.raw(b"HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n" + http("200 OK"))

    assert (await seen(look(f"http://127.0.0.1:{port}"))).state == "ok"


async def test_redirects_stay_on_the_host(servers: Servers) -> None:
    inside = await servers.raw(http("302 Found", "", "location: /login"))
    outside = await servers.raw(http("302 Found", "", f"location: http://127.0.0.1:{inside}/"))

    circle = await seen(look(f"http://127.0.0.1:{inside}"))
    heard = len(servers.heard)
    away = await seen(look(f"http://127.0.0.1:{outside}"))

    assert (reason(circle), circle.summary) == ("redirect", "leads in a circle")
    assert servers.heard[1].startswith(b"GET /login HTTP/1.1\r\n")
    assert (reason(away), len(servers.heard)) == ("redirect", heard + 1)
    assert str(inside) in away.summary


async def test_an_expected_redirect_is_not_followed(servers: Servers) -> None:
    port = await servers.raw(http("302 Found", "", "location: http://elsewhere.invalid/"))

    assert (await seen(look(f"http://127.0.0.1:{port}", status=302))).state == "ok"


async def test_a_hostile_redirect_is_told_in_one_bounded_line(servers: Servers) -> None:
    location = "http://evil\u202e\x1b[31m" + "h" * 5000 + "/"
    port = await servers.raw(http("302 Found", "", f"location: {location}"))

    reading = await seen(look(f"http://127.0.0.1:{port}"))

    assert reason(reading) in {"redirect", "not_http"}
    assert len(reading.summary) <= 400
    assert reading.summary.isprintable()


async def test_a_unix_socket_can_be_asked(servers: Servers, folder: Path) -> None:
    await servers.raw(http("200 OK", "fine"), path=folder / "s")

    assert (await seen(look(f"unix://{folder / 's'}", text="fine"))).state == "ok"
    assert reason(await seen(look(f"unix://{folder / 'none'}"))) == "refused"


async def test_tls_is_verified(servers: Servers, authority: Authority) -> None:
    port = await servers.raw(http("200 OK"), tls=authority.certificate().context())
    trusting = look(f"https://localhost:{port}", ca_file=str(authority.file))

    assert (await seen(trusting)).state == "ok"
    assert reason(await seen(look(f"https://localhost:{port}"))) == "not_verified"


async def test_without_its_certificates_nothing_is_said_of_the_server(servers: Servers) -> None:
    port = await servers.raw(http("200 OK"))

    with pytest.raises(InvalidArgument, match="cannot be read as certificates"):
        await look(f"https://localhost:{port}", ca_file="/nonexistent").poll()


@pytest.mark.parametrize(
    "own",
    [
        OSError(101, "Network is unreachable"),
        OSError("Multiple exceptions: [Errno 101] for ::1, [Errno 101] for 192.168.1.1"),
        socket.gaierror(socket.EAI_AGAIN, "later"),
    ],
)
def test_a_network_of_our_own_that_is_down_says_nothing_of_the_server(own: OSError) -> None:
    with pytest.raises(Unavailable):
        reason_of(own)


@pytest.mark.parametrize(
    ("error", "wanted"),
    [
        (OSError("Multiple exceptions: [Errno 111] for ::1, [Errno 111] for 127.0.0.1"), "refused"),
        (OSError("Multiple exceptions: [Errno 101] for ::1, [Errno 111] for 10.0.0.1"), "refused"),
        (OSError(113, "No route to host"), "unreachable"),
        (OSError("odd"), "unreachable"),
        (socket.gaierror(socket.EAI_NONAME, "unknown"), "no_such_name"),
        (ConnectionResetError(104, "reset"), "broken_off"),
    ],
)
def test_what_a_failed_connection_says_of_the_server(error: OSError, wanted: str) -> None:
    assert reason_of(error).reason == wanted


async def test_what_is_asked_for_cannot_add_to_the_request(servers: Servers) -> None:
    port = await servers.raw(http("200 OK"))

    reading = await seen(look(f"http://127.0.0.1:{port}", path="/привет\r\nx-evil:1?q=a b"))

    assert reading.link.endswith("x-evil:1")
    assert b"x-evil" not in servers.heard[0].partition(b" HTTP/1.1\r\n")[2]

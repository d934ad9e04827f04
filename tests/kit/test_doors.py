"""The doors: bounds on slow and greedy callers, and pages beside the operations."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request as WebRequest
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from kit import doors
from kit.address import Address
from kit.daemon import Running, serving
from kit.doors import LONGEST_HEAD
from kit.server import Hosted
from tests.kit.conftest import Stage
from tests.kit.sample.contract import AwaitNews, SampleClient
from tests.kit.wire import Answer, connected, once


async def test_a_request_that_trickles_in_is_cut_off(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doors, "SLOWEST_REQUEST_S", 0.2)
    async with connected(stage.address) as silent, connected(stage.address) as slow:
        await slow.send("POST /v1/echo HTTP/1.1\r\nhost:")
        rest = [await silent.until_closed(), await slow.until_closed()]

    assert rest == [b"", b""]


async def test_an_idle_connection_is_not_taken_for_a_slow_one(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with connected(stage.address) as kept, connected(stage.address) as slow:
        first = await kept.post("echo", stage.headers, "{}")
        monkeypatch.setattr(doors, "SLOWEST_REQUEST_S", 0.2)
        await slow.until_closed()
        second = await kept.post("echo", stage.headers, "{}")

    assert (first.status, second.status) == (200, 200)


async def test_a_connection_that_idles_for_long_is_closed(
    stage: Stage, client: SampleClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doors, "KEEP_ALIVE_S", 0.2)
    waiting = asyncio.ensure_future(client.await_news(AwaitNews(wait_s=1.5)))
    async with connected(stage.address) as idle:
        answer = await idle.post("echo", stage.headers, "{}")
        rest = await idle.until_closed()

    assert (answer.status, rest) == (200, b"")
    assert (await waiting).count == 0


async def test_endless_headers_are_cut_off(stage: Stage) -> None:
    async with connected(stage.address) as wire:
        try:
            await wire.send("POST /v1/echo HTTP/1.1\r\n")
            for number in range(200):
                await wire.send(f"x-{number}: {'a' * 1000}\r\n")
        except ConnectionError:
            pass
        rest = await wire.until_closed()

    assert rest == b""


@pytest.mark.parametrize("filler", ["x: " + "a" * 70_000 + "\r\n", "x-y: abcdefghi\r\n" * 5_000])
async def test_a_head_is_bounded_however_few_reads_bring_it(stage: Stage, filler: str) -> None:
    async with connected(stage.address) as wire:
        first = await wire.post("echo", stage.headers, "{}")
        await wire.send(
            f"POST /v1/echo HTTP/1.1\r\n{stage.headers}{filler}content-length: 2\r\n\r\n{{}}"
        )
        refused = await wire.answer()
        rest = await wire.until_closed()

    assert first.status == 200
    assert (refused.status, refused.error.reason, rest) == (400, "invalid_http", b"")
    assert str(LONGEST_HEAD) in refused.error.error


async def test_a_large_body_does_not_count_as_a_head(stage: Stage) -> None:
    body = '{"text":"%s"}' % ("a" * 150_000)
    one = f"POST /v1/echo HTTP/1.1\r\n{stage.headers}content-length: {len(body)}\r\n\r\n{body}"
    async with connected(stage.address) as wire:
        await wire.send(one * 3)
        statuses = [(await wire.answer()).status for _ in range(3)]

    assert statuses == [200, 200, 200]


@pytest.mark.parametrize(
    "endless", [b"0\r\nx-after: ", b"0\r\n", b"2;note="], ids=["trailer", "trailers", "extension"]
)
async def test_what_is_no_body_is_bounded_after_the_head_too(stage: Stage, endless: bytes) -> None:
    more = b"x: aaaa\r\n" * 100 if endless == b"0\r\n" else b"a" * 1000
    async with connected(stage.address) as wire:
        await wire.send(
            f"POST /v1/echo HTTP/1.1\r\n{stage.headers}transfer-encoding: chunked\r\n\r\n"
        )
        try:
            await wire.send(endless)
            for _ in range(2000):
                await wire.send(more)
        except ConnectionError:
            pass
        rest = await wire.until_closed()

    assert rest == b""


@pytest.mark.parametrize("protocol", ["websocket", "h2c", "anything"])
async def test_an_upgrade_is_refused_and_its_body_not_taken_for_an_empty_one(
    stage: Stage, client: SampleClient, protocol: str
) -> None:
    upgrade = f"{stage.headers}connection: keep-alive, Upgrade\r\nupgrade: {protocol}\r\n"
    async with connected(stage.address) as wire:
        answer = await wire.post("echo", upgrade, '{"text":"heard"}')
        rest = await wire.until_closed()
    plain = await once(stage.address, "echo", f"{stage.headers}connection: upgrade\r\n", "{}")

    assert (answer.status, answer.error.reason, rest) == (400, "invalid_http", b"")
    assert "upgrade" in answer.error.error
    assert plain.status == 200


async def test_a_connect_request_is_refused(stage: Stage) -> None:
    async with connected(stage.address) as wire:
        await wire.send(f"CONNECT elsewhere:443 HTTP/1.1\r\n{stage.headers}\r\n")
        answer = await wire.answer()

    assert answer.status == 400


@pytest.mark.parametrize(
    ("operation", "more", "status"),
    [
        ("echo", "", 401),
        ("nowhere", "", 401),
        ("echo", "authorization: Bearer eco1.tester.x\r\n", 401),
        ("echo", "authorization: a\r\nauthorization: b\r\n", 400),
        ("echo", "x-correlation-id: a b\r\n", 400),
        ("echo", "content-length: 5\r\n", 400),
    ],
)
async def test_a_refusal_ends_a_strangers_connection(
    stage: Stage, operation: str, more: str, status: int
) -> None:
    async with connected(stage.address) as wire:
        answer = await wire.post(operation, f"host: x\r\n{more}", "{}")
        rest = await wire.until_closed()

    assert (answer.status, answer.headers["connection"], rest) == (status, "close", b"")


async def test_a_stranger_with_a_large_body_gets_to_read_the_refusal(stage: Stage) -> None:
    answer = await once(stage.address, "echo", "host: x\r\n", "a" * 900_000)

    assert answer.status == 401


async def test_further_doors_stand_beside_the_operations(stage: Stage, folder: Path) -> None:
    async def page(request: WebRequest) -> Response:
        if request.query_params.get("refuse"):
            raise HTTPException(403)
        return Response("a page", media_type="text/plain")

    hosted = replace_routes(stage.running, [Route("/page", page)])
    other = Address(path=str(folder / "pages"))
    lines = ["GET /page", "GET /page?refuse=1", "GET /nowhere", "POST /page"]

    async def asked(line: str, headers: str) -> Answer:
        async with connected(other) as wire:
            await wire.send(f"{line} HTTP/1.1\r\n{headers}\r\n")
            return await wire.answer()

    async with serving(hosted, other):
        strange = [await asked(line, "host: x\r\n") for line in lines]
        known = [await asked(line, stage.headers) for line in lines]
        served = await once(other, "echo", stage.headers, "{}")

    assert [answer.status for answer in strange] == [200, 403, 401, 401]
    assert [answer.status for answer in known] == [200, 403, 404, 405]
    assert strange[0].body == b"a page"
    assert [answer.error.code for answer in known[1:]] == [
        "permission_denied",
        "not_found",
        "not_found",
    ]
    assert strange[2].headers["connection"] == "close"
    assert known[3].headers["allow"]
    assert served.status == 200


def replace_routes(running: Running, routes: list[BaseRoute]) -> Running:
    hosted = running.hosted
    return Running(
        hosted=Hosted(
            contract=hosted.contract,
            service=hosted.service,
            grants=hosted.grants,
            store=hosted.store,
            routes=routes,
        )
    )

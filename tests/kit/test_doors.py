"""The doors: bounds on slow and greedy callers, and pages beside the operations."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request as WebRequest
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from kit import doors
from kit.address import Address
from kit.daemon import Running, serving
from kit.server import Hosted
from tests.kit.conftest import Stage
from tests.kit.wire import Answer, connected


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


async def test_connections_are_bounded(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doors, "MOST_CONNECTIONS", 1)
    async with connected(stage.address) as first:
        served = await first.post("echo", stage.headers, "{}")
        async with connected(stage.address) as second:
            rest = await second.until_closed()

    assert (served.status, rest) == (200, b"")


async def test_further_doors_stand_beside_the_operations(stage: Stage, folder: Path) -> None:
    async def page(request: WebRequest) -> Response:
        if request.query_params.get("refuse"):
            raise HTTPException(403)
        return Response("a page", media_type="text/plain")

    hosted = replace_routes(stage.running, [Route("/page", page)])
    other = Address(path=str(folder / "pages"))
    async with serving(hosted, other), connected(other) as wire:
        answers: list[Answer] = []
        for line in ["GET /page", "GET /page?refuse=1", "GET /nowhere", "POST /page"]:
            await wire.send(f"{line} HTTP/1.1\r\nhost: x\r\n\r\n")
            answers.append(await wire.answer())
        served = await wire.post("echo", stage.headers, "{}")

    assert [answer.status for answer in answers] == [200, 403, 404, 405]
    assert answers[0].body == b"a page"
    assert [answer.error.code for answer in answers[1:]] == [
        "permission_denied",
        "not_found",
        "not_found",
    ]
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

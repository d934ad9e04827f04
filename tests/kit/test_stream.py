"""Streams of the made-up part over real sockets: order, resumption, refusals, leaving, stopping."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from kit import follow, stream
from kit.address import Address
from kit.contract import Nothing
from kit.errors import (
    DeadlineExceeded,
    Internal,
    PermissionDenied,
    ServiceError,
    Unauthenticated,
    Unavailable,
)
from kit.openapi import describe
from kit.testing import Program, grants, hosting
from kit.trace import originate, working_for
from tests.kit.conftest import Stage, trusted
from tests.kit.sample.app import open_part
from tests.kit.sample.contract import CONTRACT, Count, Counted, SampleClient
from tests.kit.wire import connected, once

MANY = 1000
LONG = 64 << 10
FEW = 200
"""What fits into the buffers on the way, and then some, in replies that are long."""


async def numbers(counting: AsyncGenerator[Counted]) -> list[int]:
    return [counted.cursor async for counted in counting]


def asking(stage: Stage, body: str, headers: str = "") -> str:
    """A request for a stream."""
    return (
        f"POST /v1/count HTTP/1.1\r\n{stage.headers}{headers}"
        f"content-length: {len(body)}\r\n\r\n{body}"
    )


async def streamed(stage: Stage, body: str, headers: str = "") -> bytes:
    """A whole stream as it came."""
    async with connected(stage.address) as wire:
        await wire.send(asking(stage, body, headers + "connection: close\r\n"))
        return await wire.until_closed()


async def standstill(stage: Stage) -> int:
    """How far the part has counted once it counts no further, however often it is called."""
    async with stage.client() as other:
        before, same = -1, 0
        while same < 50:
            await other.list_notes(Nothing())
            same = same + 1 if stage.sample.counted == before else 0
            before = stage.sample.counted
    return before


async def test_replies_come_in_order_until_the_stream_ends(client: SampleClient) -> None:
    assert await numbers(client.count(Count(to=5))) == [1, 2, 3, 4, 5]


async def test_a_reply_larger_than_one_read_comes_whole(client: SampleClient) -> None:
    (counted,) = [each async for each in client.count(Count(to=1, letters=3 << 20))]

    assert len(counted.text) == 3 << 20


async def test_a_stream_is_server_sent_events_with_their_cursors(stage: Stage) -> None:
    came = await streamed(stage, '{"to":2}')

    assert came.startswith(b"HTTP/1.1 200 ")
    assert b"content-type: text/event-stream\r\n" in came
    assert b"cache-control: no-store\r\n" in came
    assert b'id: 1\ndata: {"cursor":1,' in came
    assert came.index(b"id: 1\n") < came.index(b"id: 2\n")
    assert came.endswith(b"0\r\n\r\n")


async def test_a_reader_that_comes_back_goes_on_after_its_last_event(stage: Stage) -> None:
    came = await streamed(stage, '{"to":4}', "last-event-id: 2\r\n")

    assert b"id: 2\n" not in came
    assert came.index(b"id: 3\n") < came.index(b"id: 4\n")


@pytest.mark.parametrize(
    "wrong", ["last-event-id: x\r\n", "last-event-id: -1\r\n", "last-event-id: 1\r\n" * 2]
)
async def test_a_last_event_that_is_no_cursor_is_refused(stage: Stage, wrong: str) -> None:
    answer = await once(stage.address, "count", stage.headers + wrong, "{}")

    assert (answer.status, answer.error.field) == (400, "last-event-id")


async def test_a_quiet_stream_still_beats(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "HEARTBEAT_S", 0.01)
    async with connected(stage.address) as wire:
        await wire.send(asking(stage, '{"to":0,"then":"wait"}'))

        assert (await wire.until(b":\n\n")).startswith(b"HTTP/1.1 200 ")


async def test_a_part_that_falls_silent_is_unavailable(
    client: SampleClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follow, "SILENCE_S", 0.01)

    with pytest.raises(Unavailable) as silent:
        await numbers(client.count(Count(to=0, then="wait")))

    assert silent.value.reason == "silent"


async def test_the_generator_ends_when_its_reader_leaves(
    stage: Stage, client: SampleClient
) -> None:
    counting = client.count(Count(then="wait"))
    await anext(counting)
    await counting.aclose()

    async with asyncio.timeout(5):
        await stage.sample.given_up.wait()


async def test_the_generator_ends_when_the_connection_is_gone(stage: Stage) -> None:
    async with connected(stage.address) as wire:
        await wire.send(asking(stage, '{"then":"wait"}'))
        await stage.sample.begun.wait()

    async with asyncio.timeout(5):
        await stage.sample.given_up.wait()


async def test_the_generator_ends_when_a_reader_leaves_that_reads_nothing(stage: Stage) -> None:
    async with connected(stage.address) as wire:
        await wire.send(asking(stage, f'{{"to":{MANY},"letters":{LONG}}}'))
        await stage.sample.begun.wait()
        await standstill(stage)

    async with asyncio.timeout(5):
        await stage.sample.given_up.wait()


async def test_a_stream_ends_in_order_when_the_part_stops(folder: Path) -> None:
    tester = trusted()
    known = grants(folder / "grants.json", "sample", tester)
    client = SampleClient(Address(path=str(folder / "s")), tester.secret, requester="user:ann")
    async with hosting(open_part(folder, known), folder / "s"):
        counting = client.count(Count(to=2, then="wait"))
        first = await anext(counting)
        rest = asyncio.ensure_future(numbers(counting))

    async with asyncio.timeout(5):
        assert [first.cursor, *await rest] == [1, 2]


async def test_a_reader_that_reads_nothing_holds_the_part_up(stage: Stage) -> None:
    async with connected(stage.address) as wire:
        await wire.send(asking(stage, f'{{"to":{MANY},"letters":{LONG}}}'))
        await stage.sample.begun.wait()

        assert await standstill(stage) < FEW


async def test_a_client_keeps_no_more_than_a_few_replies_that_are_not_taken(
    stage: Stage, client: SampleClient
) -> None:
    counting = client.count(Count(to=MANY, letters=LONG))
    await anext(counting)

    assert await standstill(stage) < FEW
    assert await numbers(counting) == list(range(2, MANY + 1))


async def test_a_failure_in_the_middle_comes_after_what_was_told_before(
    client: SampleClient,
) -> None:
    counting = client.count(Count(to=1, then="failed_precondition"))

    assert (await anext(counting)).cursor == 1
    with pytest.raises(ServiceError) as failed:
        await anext(counting)
    assert (failed.value.code, failed.value.reason, failed.value.field) == (
        "failed_precondition",
        "asked",
        "then",
    )


@pytest.mark.parametrize("then", ["failed_precondition", "defect"])
async def test_a_failure_in_the_middle_is_an_event_and_ends_the_stream_whole(
    stage: Stage, then: str
) -> None:
    came = await streamed(stage, f'{{"to":1,"then":"{then}"}}', "x-correlation-id: cor_asked\r\n")

    assert came.index(b"id: 1\n") < came.index(b"event: error\ndata: {")
    assert b'"correlation_id":"cor_asked"' in came
    assert b"eco1.sample" not in came
    assert came.endswith(b"0\r\n\r\n")


async def test_a_defect_in_the_middle_is_internal(client: SampleClient) -> None:
    with pytest.raises(Internal):
        await numbers(client.count(Count(to=1, then="defect")))


@pytest.mark.parametrize(
    "rest", [b"", b"nonsense\r\n"], ids=["the connection breaks", "what comes is not HTTP"]
)
async def test_a_stream_that_breaks_off_is_no_stream_that_ends(folder: Path, rest: bytes) -> None:
    async def break_off(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        event = b'id: 1\ndata: {"cursor":1,"is_timed":false}\n\n'
        writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
        writer.write(b"%x\r\n%b\r\n%b" % (len(event), event, rest))
        await writer.drain()
        writer.close()
        left.set()

    left = asyncio.Event()
    client = SampleClient(Address(path=str(folder / "b")), trusted().secret, requester="user:ann")
    async with await asyncio.start_unix_server(break_off, folder / "b"):
        counting = client.count(Count())
        assert (await anext(counting)).cursor == 1
        with pytest.raises(Unavailable) as broken:
            await anext(counting)
        await left.wait()

    assert broken.value.reason == "connection_lost"


async def test_a_part_that_does_not_begin_in_time_is_too_late(folder: Path) -> None:
    async def keep_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()
        left.set()

    left = asyncio.Event()
    client = SampleClient(Address(path=str(folder / "b")), trusted().secret, requester="user:ann")
    async with await asyncio.start_unix_server(keep_silent, folder / "b"):
        with working_for(originate("user:ann", timeout_s=0.05)), pytest.raises(DeadlineExceeded):
            async with asyncio.timeout(4):
                await numbers(client.count(Count()))
        await left.wait()


async def test_a_deadline_is_for_the_beginning_and_not_for_the_life_of_a_stream(
    stage: Stage,
) -> None:
    late = await once(stage.address, "count", stage.headers + "x-deadline-ms: 0\r\n", "{}")
    came = await streamed(stage, '{"to":1}', "x-deadline-ms: 1000\r\n")

    assert (late.status, late.error.code) == (504, "deadline_exceeded")
    assert b'"is_timed":false' in came


async def test_who_may_not_read_gets_no_stream(folder: Path) -> None:
    stranger = Program("stranger", ["sample.write"], ["user:*"])
    known = grants(folder / "grants.json", "sample", stranger)
    async with hosting(open_part(folder, known), folder / "s"):
        client = SampleClient(Address(path=str(folder / "s")), stranger.secret, requester="user:a")
        with pytest.raises(PermissionDenied) as refused:
            await numbers(client.count(Count()))

    assert (refused.value.http_status, refused.value.reason) == (403, "scope_missing")


async def test_who_is_not_known_gets_no_stream(stage: Stage) -> None:
    with pytest.raises(Unauthenticated):
        await numbers(stage.client(trusted("nobody")).count(Count()))


async def test_a_request_that_does_not_fit_is_refused_before_the_stream(stage: Stage) -> None:
    answer = await once(stage.address, "count", stage.headers, '{"after":-1}')

    assert (answer.status, answer.error.code, answer.error.field) == (
        400,
        "invalid_argument",
        "after",
    )
    assert answer.headers["content-type"] == "application/json"


async def test_a_part_that_is_away_is_unavailable(folder: Path) -> None:
    client = SampleClient(Address(path=str(folder / "s")), trusted().secret, requester="user:ann")

    with pytest.raises(Unavailable):
        await numbers(client.count(Count()))


def test_the_document_says_that_it_streams_and_where_it_goes_on() -> None:
    post = describe(CONTRACT)["paths"]["/v1/count"]["post"]

    assert list(post["responses"]["200"]["content"]) == ["text/event-stream"]
    assert {"$ref": "#/components/parameters/last-event-id"} in post["parameters"]


async def test_who_is_no_longer_known_hears_no_more(stage: Stage) -> None:
    async with stage.client() as client:
        counting = client.count(Count(to=MANY, letters=LONG))
        assert (await anext(counting)).cursor == 1
        grants(stage.folder / "grants.json", "sample")

        with pytest.raises(Unauthenticated):
            await numbers(counting)

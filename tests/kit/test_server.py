"""The server: one error body, strict bodies, deadlines, long polls, further doors."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.auth import save_grants
from kit.body import decode, drop_body
from kit.contract import LARGEST_BODY, Nothing
from kit.errors import DeadlineExceeded, FailedPrecondition, Internal, InvalidArgument
from kit.testing import Program
from tests.kit.conftest import Stage
from tests.kit.sample.contract import (
    MEASURE,
    AwaitNews,
    Echo,
    Keep,
    Linger,
    Measure,
    Measured,
    SampleClient,
)
from tests.kit.wire import connected, once


async def test_a_failure_of_the_service_arrives_as_the_same_failure(client: SampleClient) -> None:
    with pytest.raises(FailedPrecondition, match="as was asked") as caught:
        await client.linger(Linger(fail="failed_precondition"))

    assert (caught.value.reason, caught.value.field) == ("asked", "fail")
    assert caught.value.http_status == 412


async def test_a_defect_is_internal_and_its_details_stay_inside(stage: Stage) -> None:
    async with connected(stage.address) as wire:
        answer = await wire.post("linger", stage.headers, '{"fail":"defect"}')

    assert (answer.status, answer.error.code) == (500, "internal")
    assert b"eco1" not in answer.body
    assert answer.error.correlation_id.startswith("cor_")


async def test_a_timeout_inside_the_service_is_not_taken_for_the_callers_deadline(
    client: SampleClient,
) -> None:
    with pytest.raises(Internal):
        await client.linger(Linger(fail="timeout"))


async def test_an_unknown_field_is_refused_and_named(stage: Stage) -> None:
    async with connected(stage.address) as wire:
        answer = await wire.post("echo", stage.headers, '{"inner":[{"size":1,"colour":2}]}')

    assert (answer.status, answer.error.code) == (400, "invalid_argument")
    assert answer.error.field == "inner[0].colour"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"\xff\xfe", "invalid_json"),
        (b'{"text":"\xff"}', "invalid_json"),
        (b'{"text":"a"', "invalid_json"),
        (b'{"text":"a"} x', "invalid_json"),
        (b'{"text":"\\ud800"}', "invalid_json"),
        (b'{"text":"\\udc00 alone"}', "invalid_json"),
        (b'{"text":NaN}', "invalid_json"),
        (b"[]", "invalid_field"),
        (b'"text"', "invalid_field"),
        (b'{"text":1}', "invalid_field"),
        (b'{"anything":{"a":1e999}}', "invalid_field"),
        (b'{"anything":{"a":%b}}' % (b"9" * 5000), "invalid_field"),
        (b'{"anything":{"a":%b}}' % (b"9" * 40), "number_out_of_range"),
        (b'{"anything":{"a":-9223372036854775809}}', "number_out_of_range"),
        (b'{"anything":{"a":%b%b}}' % (b"[" * 20000, b"]" * 20000), "invalid_json"),
        (b'{"anything":%b1%b}' % (b'{"a":' * 20000, b"}" * 20000), "invalid_json"),
        (b'{"text":"a","text":"b"}', "duplicate_key"),
        (b'{"text":"a","\\u0074ext":"b"}', "duplicate_key"),
        (b'{"anything":{"a":{"b":1,"c":[{"d":1,"d":1}]}}}', "duplicate_key"),
    ],
)
async def test_a_malformed_body_is_an_invalid_argument(
    stage: Stage, body: bytes, reason: str
) -> None:
    async with connected(stage.address) as wire:
        answer = await wire.post("echo", stage.headers, body)

    assert (answer.status, answer.error.code) == (400, "invalid_argument")
    assert answer.error.reason == reason
    assert len(answer.body) < 1000


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.just("text"), inner),
)


@given(body=st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()))
def test_any_body_is_a_request_or_an_invalid_argument(body: bytes) -> None:
    decoder = msgspec.json.Decoder(Echo)

    try:
        outcome: object = decode(decoder, body)
    except InvalidArgument as error:
        outcome = error

    assert isinstance(outcome, Echo | InvalidArgument)


async def test_the_largest_body_is_taken_and_one_byte_more_is_not(stage: Stage) -> None:
    around = len('{"text":""}')
    async with connected(stage.address) as wire:
        largest = await wire.post(
            "echo", stage.headers, '{"text":"%s"}' % ("a" * (LARGEST_BODY - around))
        )
        larger = await wire.post(
            "echo", stage.headers, '{"text":"%s"}' % ("a" * (LARGEST_BODY - around + 1))
        )

    assert largest.status == 200
    assert (larger.status, larger.error.reason) == (413, "body_too_large")


async def test_an_operation_may_take_larger_bodies_than_the_others(stage: Stage) -> None:
    around = len('{"text":""}')
    async with connected(stage.address) as wire:
        largest = await wire.post(
            "measure", stage.headers, '{"text":"%s"}' % ("a" * (MEASURE.largest_body - around))
        )
        larger = await wire.post(
            "measure", stage.headers, '{"text":"%s"}' % ("a" * (MEASURE.largest_body - around + 1))
        )

    assert MEASURE.largest_body > LARGEST_BODY
    assert largest.status == 200
    assert (larger.status, larger.error.reason) == (413, "body_too_large")


async def test_a_larger_body_is_still_read_strictly(stage: Stage) -> None:
    letters = "a" * LARGEST_BODY
    async with connected(stage.address) as wire:
        answer = await wire.post("measure", stage.headers, f'{{"text":"b","text":"{letters}"}}')

    assert (answer.status, answer.error.reason) == (400, "duplicate_key")


async def test_the_client_sends_what_an_operation_takes(client: SampleClient) -> None:
    measured = await client.measure(Measure(text="ё" * LARGEST_BODY))

    assert measured == Measured(letters=LARGEST_BODY)


async def test_of_a_stranger_no_more_is_read_than_any_operation_takes() -> None:
    sizes: list[int] = []

    async def endless() -> dict[str, Any]:
        sizes.append(0x8000)
        return {"type": "http.request", "body": b"a" * 0x8000, "more_body": True}

    await drop_body(endless)

    assert LARGEST_BODY <= sum(sizes) <= LARGEST_BODY + 0x8000


async def test_who_may_not_ask_is_refused_before_the_body_is_read(stage: Stage) -> None:
    reader = Program("reader", ["sample.read"], ["user:*"])
    save_grants(
        stage.folder / "grants.json",
        [reader.grant_for("sample"), stage.tester.grant_for("sample")],
    )
    token = reader.secret.token_for("sample")
    async with connected(stage.address) as wire:
        await wire.send(
            f"POST /v1/measure HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n"
            f"x-requester: user:ann\r\ncontent-length: {MEASURE.largest_body}\r\n\r\n"
        )
        answer = await wire.answer()

    assert (answer.status, answer.error.reason) == (403, "scope_missing")


async def test_a_chunked_body_is_bounded_while_it_arrives(stage: Stage) -> None:
    chunk = b"8000\r\n" + b"a" * 0x8000 + b"\r\n"
    async with connected(stage.address) as wire:
        await wire.send(
            f"POST /v1/echo HTTP/1.1\r\n{stage.headers}transfer-encoding: chunked\r\n\r\n"
        )
        for _ in range(LARGEST_BODY // 0x8000 + 1):
            await wire.send(chunk)
        answer = await wire.answer()

    assert (answer.status, answer.error.reason) == (413, "body_too_large")


async def test_a_chunked_body_is_read_whole(stage: Stage) -> None:
    async with connected(stage.address) as wire:
        await wire.send(
            f"POST /v1/echo HTTP/1.1\r\n{stage.headers}transfer-encoding: chunked\r\n\r\n"
        )
        await wire.send(b'9\r\n{"text":"\r\n')
        await wire.send(b'5\r\nabc"}\r\n0\r\n\r\n')
        answer = await wire.answer()

    assert (answer.status, json.loads(answer.body)["text"]) == (200, "abc")


async def test_half_a_body_does_nothing(stage: Stage, client: SampleClient) -> None:
    async with connected(stage.address) as wire:
        await wire.send(
            f'POST /v1/keep HTTP/1.1\r\n{stage.headers}content-length: 99\r\n\r\n{{"text":"half"}}'
        )
    notes = await client.list_notes(Nothing())

    assert notes.texts == []


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 404),
        ("POST", "/v1/no_such_thing", 404),
        ("POST", "/v1/echo/", 404),
        ("POST", "/v1/%65cho%00", 404),
        ("GET", "/v1/echo", 405),
        ("OPTIONS", "/v1/echo", 405),
        ("DELETE", "/v1/keep", 405),
        ("POST", "/v1/openapi.json", 405),
    ],
)
async def test_what_is_not_offered_gets_the_one_error_body_and_strangers_do_not_learn_it(
    stage: Stage, method: str, path: str, status: int
) -> None:
    async with connected(stage.address) as wire:
        await wire.send(f"{method} {path} HTTP/1.1\r\n{stage.headers}\r\n")
        answer = await wire.answer()
        after = await wire.post("echo", stage.headers, "{}")
        await wire.send(f"{method} {path} HTTP/1.1\r\nhost: x\r\n\r\n")
        to_a_stranger = await wire.answer()
        rest = await wire.until_closed()

    assert (answer.status, answer.error.code) == (status, "not_found")
    assert answer.headers["content-type"] == "application/json"
    assert ("allow" in answer.headers) == (status == 405)
    assert after.status == 200
    assert (to_a_stranger.status, to_a_stranger.error.reason) == (401, "credential_missing")
    assert "allow" not in to_a_stranger.headers
    assert (to_a_stranger.headers["connection"], rest) == ("close", b"")


async def test_head_is_answered_without_a_body(stage: Stage) -> None:
    async with connected(stage.address) as wire:
        refused = await wire.post("echo", stage.headers, "", method="HEAD")
        served = await wire.post("meta", stage.headers, "", method="HEAD")
        after = await wire.post("echo", stage.headers, '{"text":"still in step"}')

    assert (refused.status, served.status, after.status) == (405, 200, 200)


async def test_what_is_not_http_gets_the_one_error_body(stage: Stage) -> None:
    async with connected(stage.address) as wire:
        await wire.send("this is not HTTP\r\n\r\n")
        answer = await wire.answer()

    assert (answer.status, answer.error.reason) == (400, "invalid_http")


async def test_meta_and_health_and_the_document_need_a_credential_too(stage: Stage) -> None:
    paths = ("meta", "health", "openapi.json")
    bare = [await once(stage.address, path, "host: x\r\n", "", method="GET") for path in paths]
    known = [await once(stage.address, path, stage.headers, "", method="GET") for path in paths]

    assert [answer.status for answer in bare] == [401, 401, 401]
    assert [answer.status for answer in known] == [200, 200, 200]


async def test_a_read_ends_at_the_callers_deadline_and_its_work_is_given_up(stage: Stage) -> None:
    headers = f"{stage.headers}x-deadline-ms: 50\r\n"
    async with connected(stage.address) as wire:
        answer = await wire.post("linger", headers, "{}")

    assert (answer.status, answer.error.code) == (504, "deadline_exceeded")
    assert stage.sample.given_up.is_set()


async def test_a_write_whose_time_ran_out_before_it_began_is_not_begun(
    stage: Stage, client: SampleClient
) -> None:
    body = '{"text":"late"}'
    async with connected(stage.address) as wire:
        await wire.send(
            f"POST /v1/keep HTTP/1.1\r\n{stage.headers}x-deadline-ms: 1\r\n"
            f"content-length: {len(body)}\r\n\r\n{body[:-1]}"
        )
        await client.echo(Echo())
        await asyncio.to_thread(stage.sample.store.read, "SELECT 1")
        await asyncio.sleep(0.01)
        await wire.send(body[-1:])
        answer = await wire.answer()
    notes = await client.list_notes(Nothing())

    assert answer.error.code == "deadline_exceeded"
    assert notes.texts == []


async def test_a_long_poll_is_given_up_when_the_caller_goes_away(stage: Stage) -> None:
    async with connected(stage.address) as wire:
        await wire.send(
            f"POST /v1/await_news HTTP/1.1\r\n{stage.headers}content-length: 13\r\n\r\n"
            '{"wait_s":60}'
        )
        async with asyncio.timeout(5):
            await stage.sample.begun.wait()
    async with asyncio.timeout(5):
        await stage.sample.given_up.wait()


async def test_any_read_is_given_up_when_the_caller_goes_away(stage: Stage) -> None:
    async with connected(stage.address) as wire:
        await wire.send(f"POST /v1/linger HTTP/1.1\r\n{stage.headers}content-length: 2\r\n\r\n{{}}")
        async with asyncio.timeout(5):
            await stage.sample.begun.wait()
    async with asyncio.timeout(1):
        await stage.sample.given_up.wait()


async def test_a_long_poll_answers_as_soon_as_there_is_news(
    stage: Stage, client: SampleClient
) -> None:
    waiting = asyncio.ensure_future(client.await_news(AwaitNews(wait_s=30)))
    async with asyncio.timeout(5):
        await stage.sample.begun.wait()
        await client.keep(Keep(text="news"))
        news = await waiting

    assert news.count == 1


async def test_a_write_goes_on_when_its_caller_goes_away(
    stage: Stage, client: SampleClient
) -> None:
    going = asyncio.ensure_future(client.keep(Keep(text="kept all the same", how="slowly")))
    async with asyncio.timeout(5):
        await stage.sample.begun.wait()
        going.cancel()
        waiting = asyncio.ensure_future(stage.sample.news.wait(5))
        await asyncio.sleep(0)
        stage.sample.may_go_on.set()
        await waiting
    notes = await client.list_notes(Nothing())

    assert notes.texts == ["kept all the same"]


async def test_many_calls_at_once_get_their_own_answers(client: SampleClient) -> None:
    answers = await asyncio.gather(*(client.echo(Echo(text=f"{n}")) for n in range(200)))

    assert [answer.text for answer in answers] == [f"{n}" for n in range(200)]


async def test_requests_sent_ahead_are_answered_in_order(stage: Stage) -> None:
    body = '{"text":"%d"}'
    one = f"POST /v1/echo HTTP/1.1\r\n{stage.headers}content-length: {len(body) - 1}\r\n\r\n"
    async with connected(stage.address) as wire:
        await wire.send("".join(one + body % number for number in range(5)))
        answers = [json.loads((await wire.answer()).body)["text"] for _ in range(5)]

    assert answers == ["0", "1", "2", "3", "4"]


async def test_a_read_that_fails_below_says_so_with_its_own_code(client: SampleClient) -> None:
    with pytest.raises(DeadlineExceeded):
        await client.linger(Linger(), timeout_s=0.05)

"""The client: retries of reads alone, outcomes of writes, deadlines, kept connections."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from kit.address import Address
from kit.contract import Nothing
from kit.errors import (
    DeadlineExceeded,
    Internal,
    InvalidArgument,
    OutcomeUnknown,
    ServiceError,
    Unavailable,
)
from kit.testing import Program, grants, hosting
from kit.trace import ExternalCall, originate, working_for
from tests.kit.conftest import Stage, trusted
from tests.kit.sample.app import open_part
from tests.kit.sample.contract import Echo, Echoed, Keep, Linger, SampleClient
from tests.requirements import requirement

Answerer = Callable[[int, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
GOOD = b'{"texts":["a"]}'


def reply(body: bytes, status: str = "200 OK", extra: bytes = b"") -> bytes:
    return b"HTTP/1.1 %b\r\ncontent-length: %d\r\n%b\r\n%b" % (
        status.encode(), len(body), extra, body,
    )  # fmt: skip


class Peer:
    """A made-up other side that does to each request what a test says."""

    def __init__(self, answer: Answerer) -> None:
        self.requests: list[bytes] = []
        self.connections = 0
        self._answer = answer
        self._tasks: list[asyncio.Task[None]] = []

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._tasks.append(asyncio.ensure_future(self._serve(reader, writer)))

    async def leave(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
                self.requests.append(head + await reader.readexactly(length))
                await self._answer(len(self.requests), reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def facing(folder: Path, answer: Answerer) -> AsyncGenerator[tuple[Peer, SampleClient]]:
    peer = Peer(answer)
    path = str(folder / "peer")
    server = await asyncio.start_unix_server(peer.accept, path)
    tester = Program("tester", [], [])
    async with SampleClient(Address(path=path), tester.secret, requester="user:ann") as client:
        yield peer, client
    server.close()
    await peer.leave()


async def hang_up(_: int, __: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()


async def say_nothing(_: int, reader: asyncio.StreamReader, __: asyncio.StreamWriter) -> None:
    await reader.read(1)


def saying(*answers: bytes) -> Answerer:
    async def answer(number: int, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answers[min(number, len(answers)) - 1])

    return answer


async def test_a_read_is_tried_three_times_and_no_more(folder: Path) -> None:
    async with facing(folder, hang_up) as (peer, client):
        with pytest.raises(Unavailable) as caught:
            await client.list_notes(Nothing())

    assert caught.value.reason == "unreachable"
    assert len(peer.requests) == 3


async def test_a_read_succeeds_when_a_later_try_does(folder: Path) -> None:
    async def answer(number: int, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if number < 3:
            writer.transport.abort()
        else:
            writer.write(reply(GOOD))

    async with facing(folder, answer) as (peer, client):
        notes = await client.list_notes(Nothing())

    assert notes.texts == ["a"]
    assert len(peer.requests) == 3


async def test_a_read_is_not_tried_again_past_its_deadline(folder: Path) -> None:
    async with facing(folder, hang_up) as (peer, client):
        with pytest.raises(Unavailable):
            await client.list_notes(Nothing(), timeout_s=0.02)

    assert len(peer.requests) == 1


@requirement("invariant.8")
async def test_a_write_is_never_tried_again(folder: Path) -> None:
    async with facing(folder, hang_up) as (peer, client):
        with pytest.raises(OutcomeUnknown) as caught:
            await client.keep(Keep(text="a"))

    assert caught.value.reason == "connection_lost"
    assert len(peer.requests) == 1


async def test_a_write_that_was_not_sent_is_unavailable(folder: Path) -> None:
    tester = Program("tester", [], [])
    async with SampleClient(Address(path=str(folder / "nobody")), tester.secret) as client:
        with pytest.raises(Unavailable) as caught:
            await client.keep(Keep(text="a"))

    assert caught.value.reason == "unreachable"


async def test_a_write_without_an_answer_in_time_has_an_unknown_outcome(folder: Path) -> None:
    async with facing(folder, say_nothing) as (_, client):
        with pytest.raises(OutcomeUnknown) as caught:
            await client.keep(Keep(text="a"), timeout_s=0.05)

    assert caught.value.reason == "timeout"


async def test_a_read_without_an_answer_in_time_has_exceeded_its_deadline(folder: Path) -> None:
    async with facing(folder, say_nothing) as (peer, client):
        with pytest.raises(DeadlineExceeded):
            await client.list_notes(Nothing(), timeout_s=0.05)

    assert len(peer.requests) == 1


async def test_the_deadline_of_the_context_is_never_exceeded(folder: Path) -> None:
    async with facing(folder, say_nothing) as (_, client):
        began = time.monotonic()
        with working_for(originate("user:ann", timeout_s=0.05)), pytest.raises(DeadlineExceeded):
            await client.list_notes(Nothing(), timeout_s=30)

    assert time.monotonic() - began < 2


async def test_nothing_is_sent_once_the_time_has_run_out(folder: Path) -> None:
    async with facing(folder, saying(reply(GOOD))) as (peer, client):
        with working_for(originate("user:ann", timeout_s=-1)), pytest.raises(DeadlineExceeded):
            await client.keep(Keep(text="a"))
        with pytest.raises(DeadlineExceeded):
            await client.list_notes(Nothing(), timeout_s=0)

    assert peer.requests == []


async def test_one_connection_carries_one_call_after_another(folder: Path) -> None:
    async with facing(folder, saying(reply(GOOD))) as (peer, client):
        for _ in range(5):
            await client.list_notes(Nothing())

    assert (len(peer.requests), peer.connections) == (5, 1)


async def test_a_cancelled_call_does_not_leave_its_answer_to_the_next(folder: Path) -> None:
    held = asyncio.Event()

    async def answer(number: int, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if number == 1:
            held.set()
            await asyncio.sleep(0)
            await asyncio.Event().wait()
        writer.write(reply(b'{"texts":["second"]}'))

    async with facing(folder, answer) as (peer, client):
        first = asyncio.ensure_future(client.list_notes(Nothing()))
        async with asyncio.timeout(5):
            await held.wait()
        first.cancel()
        notes = await client.list_notes(Nothing())

    assert notes.texts == ["second"]
    assert peer.connections == 2


async def test_an_answer_nobody_asked_for_ends_the_connection(folder: Path) -> None:
    good = reply(GOOD)
    async with facing(folder, saying(good + good, good)) as (peer, client):
        await client.list_notes(Nothing())
        await client.list_notes(Nothing())

    assert peer.connections <= 2


async def test_a_connection_the_other_side_means_to_close_is_not_kept(folder: Path) -> None:
    closing = reply(GOOD, extra=b"connection: close\r\n")
    async with facing(folder, saying(closing)) as (peer, client):
        await client.list_notes(Nothing())
        await client.list_notes(Nothing())

    assert peer.connections == 2


async def test_a_write_after_the_other_side_closed_goes_over_a_new_connection(
    folder: Path,
) -> None:
    async def answer(_: int, __: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(reply(b'{"sequence":1}'))
        await writer.drain()
        os.close(os.dup(writer.get_extra_info("socket").fileno()))
        writer.close()

    async with facing(folder, answer) as (peer, client):
        for _ in range(3):
            await client.keep(Keep(text="a"))

    assert (len(peer.requests), peer.connections) == (3, 3)


async def test_a_restarted_part_is_reached_without_a_failed_call(folder: Path) -> None:
    tester = trusted()
    known = grants(folder / "grants.json", "sample", tester)
    address = Address(path=str(folder / "s"))
    kept: list[int] = []
    async with SampleClient(address, tester.secret, requester="user:ann") as client:
        for _ in range(3):
            async with hosting(open_part(folder, known), folder / "s"):
                kept.append((await client.keep(Keep(text="a"))).sequence)

    assert kept == [1, 2, 3]


@pytest.mark.parametrize(
    "nonsense",
    [
        b"this is not HTTP\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n",
    ],
)
async def test_an_answer_that_is_not_http_is_no_answer(folder: Path, nonsense: bytes) -> None:
    async with facing(folder, saying(nonsense)) as (_, client):
        with pytest.raises(OutcomeUnknown):
            await client.keep(Keep(text="a"), timeout_s=0.5)
        with pytest.raises((Unavailable, DeadlineExceeded)):
            await client.list_notes(Nothing(), timeout_s=0.5)


async def test_half_an_answer_is_no_answer(folder: Path) -> None:
    async def answer(_: int, __: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(reply(b'{"sequence":1}')[:-3])
        await writer.drain()
        writer.close()

    async with facing(folder, answer) as (_, client):
        with pytest.raises(OutcomeUnknown):
            await client.keep(Keep(text="a"))


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        ("101 Switching Protocols", b"", Internal),
        ("404 Not Found", b"<html>", Internal),
        ("500 Internal Server Error", b"", Internal),
        ("200 OK", b"<html>", Internal),
        ("200 OK", b'{"texts":"a"}', Internal),
        ("418 Teapot", b'{"error":"short and stout","code":"teapot"}', Internal),
        ("412 Precondition Failed", b'{"error":"no","code":"failed_precondition"}', ServiceError),
    ],
)
async def test_every_answer_becomes_a_typed_failure(
    folder: Path, status: str, body: bytes, kind: type[ServiceError]
) -> None:
    async with facing(folder, saying(reply(body, status))) as (peer, client):
        with pytest.raises(kind):
            await client.list_notes(Nothing())

    assert len(peer.requests) == 1


async def test_a_write_whose_answer_makes_no_sense_has_an_unknown_outcome(folder: Path) -> None:
    async with facing(folder, saying(reply(b"<html>"), reply(b"", "500 Oh"))) as (_, client):
        for _ in range(2):
            with pytest.raises(OutcomeUnknown) as caught:
                await client.keep(Keep(text="a"))
            assert caught.value.reason == "contract_broken"


async def test_fields_a_newer_part_added_to_a_reply_are_ignored(folder: Path) -> None:
    newer = b'{"texts":["a"],"colour":"red","error":{"deep":[1]}}'
    async with facing(folder, saying(reply(newer))) as (_, client):
        notes = await client.list_notes(Nothing())

    assert notes.texts == ["a"]


async def test_every_write_carries_a_key_of_its_own_and_no_read_does(folder: Path) -> None:
    async with facing(folder, saying(reply(b'{"sequence":1,"texts":[]}'))) as (peer, client):
        await client.keep(Keep(text="a"))
        await client.keep(Keep(text="a"))
        await client.keep(Keep(text="a"), key="mine")
        await client.list_notes(Nothing())
    keys = [
        request.split(b"idempotency-key: ")[1].split(b"\r\n")[0]
        for request in peer.requests
        if b"idempotency-key" in request
    ]

    assert len(set(keys)) == 3
    assert keys[2] == b"mine"


class Notebook:
    def __init__(self) -> None:
        self.calls: list[ExternalCall] = []

    def record(self, call: ExternalCall) -> None:
        self.calls.append(call)


@requirement("arch.10", "invariant.10")
async def test_a_recorder_notes_every_call_and_how_it_ended(stage: Stage) -> None:
    notebook = Notebook()
    context = originate("user:ann", causation_id="trn_1")
    async with stage.client() as client:
        with working_for(context, notebook):
            await client.echo(Echo(text="a"))
            with pytest.raises(ServiceError):
                await client.linger(Linger(fail="failed_precondition"))
            going = asyncio.ensure_future(client.linger(Linger()))
            async with asyncio.timeout(5):
                await stage.sample.begun.wait()
            going.cancel()
            await asyncio.wait({going})

    first = notebook.calls[0]
    assert (first.service, first.operation, first.contract_version) == (
        "sample", "echo", "sample/1.2",
    )  # fmt: skip
    assert (first.correlation_id, first.causation_id) == (context.correlation_id, "trn_1")
    assert isinstance(first.reply, Echoed)
    assert [call.error_code for call in notebook.calls] == [
        None, "failed_precondition", "cancelled",
    ]  # fmt: skip


async def test_a_request_the_client_cannot_encode_leaves_the_connection_usable(
    client: SampleClient,
) -> None:
    with working_for(originate("user:ann", causation_id="a\nb")), pytest.raises(InvalidArgument):
        await client.echo(Echo())
    heard = await client.echo(Echo(text="after"))

    assert heard.text == "after"


async def test_a_large_reply_arrives_whole(client: SampleClient) -> None:
    text = "я" * 400_000
    heard = await client.echo(Echo(text=text))

    assert heard.text == text


def test_the_requests_of_a_contract_encode_as_they_decode() -> None:
    request = Echo(text="a", anything={"b": [1, None]})

    assert msgspec.json.decode(msgspec.json.encode(request), type=Echo) == request

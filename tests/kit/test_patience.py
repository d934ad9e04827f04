"""A piece of work that may be impatient waits for a part that is away once, and no more."""

import asyncio
from pathlib import Path

import pytest

from kit.contract import Nothing
from kit.errors import ServiceError, Unavailable
from kit.trace import ExternalCall, impatient, originate, working_for
from tests.kit.conftest import Stage
from tests.kit.sample.contract import Linger
from tests.kit.test_client import GOOD, facing, hang_up, reply


class Notebook:
    def __init__(self) -> None:
        self.calls: list[ExternalCall] = []

    def record(self, call: ExternalCall) -> None:
        self.calls.append(call)


async def test_impatient_work_waits_for_a_silent_part_once(folder: Path) -> None:
    async with facing(folder, hang_up) as (peer, client):
        with impatient() as unreached:
            for _ in range(2):
                with pytest.raises(Unavailable):
                    await client.list_notes(Nothing())
        asked = len(peer.requests)
        with pytest.raises(Unavailable):
            await client.list_notes(Nothing())

    assert unreached == {"sample"}
    assert asked == 3 + 1
    assert len(peer.requests) == asked + 3


async def test_impatient_work_takes_a_part_that_is_back_for_reachable(folder: Path) -> None:
    async def answer(number: int, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if number <= 3:
            writer.transport.abort()
        else:
            writer.write(reply(GOOD))

    async with facing(folder, answer) as (_, client):
        with impatient() as unreached:
            with pytest.raises(Unavailable):
                await client.list_notes(Nothing())
            notes = await client.list_notes(Nothing())

    assert notes.texts == ["a"]
    assert unreached == set()


async def test_a_recorder_is_told_the_fine_name_of_a_failure(stage: Stage, folder: Path) -> None:
    notebook = Notebook()
    async with stage.client() as client, facing(folder, hang_up) as (_, away):
        with working_for(originate("user:ann"), notebook):
            with pytest.raises(ServiceError):
                await client.linger(Linger(fail="failed_precondition"))
            with pytest.raises(Unavailable):
                await away.list_notes(Nothing())

    assert [call.error_reason for call in notebook.calls] == ["asked", "unreachable"]

"""Idempotency keys: the first answer again, or a refusal, never the same thing twice."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from kit.address import Address
from kit.contract import Nothing
from kit.errors import (
    Conflict,
    FailedPrecondition,
    InvalidArgument,
    OutcomeUnknown,
    Unavailable,
)
from kit.idempotency import KEPT
from kit.testing import Program, grants, hosting
from tests.kit.conftest import Stage, trusted
from tests.kit.sample.app import open_part
from tests.kit.sample.contract import Keep, SampleClient


async def test_the_same_key_and_body_get_the_first_answer(client: SampleClient) -> None:
    first = await client.keep(Keep(text="once"), key="k1")
    again = await client.keep(Keep(text="once"), key="k1")
    notes = await client.list_notes(Nothing())

    assert again == first
    assert notes.texts == ["once"]


async def test_another_key_is_another_call(client: SampleClient) -> None:
    first = await client.keep(Keep(text="twice"), key="k1")
    second = await client.keep(Keep(text="twice"), key="k2")

    assert second.sequence == first.sequence + 1


async def test_the_same_key_with_another_body_is_a_conflict(client: SampleClient) -> None:
    await client.keep(Keep(text="one"), key="k1")
    with pytest.raises(Conflict) as caught:
        await client.keep(Keep(text="other"), key="k1")
    notes = await client.list_notes(Nothing())

    assert caught.value.reason == "idempotency_key_reused"
    assert notes.texts == ["one"]


async def test_the_same_key_for_another_requester_is_a_conflict(stage: Stage) -> None:
    async with stage.client(requester="user:ann") as ann, stage.client(requester="user:bob") as bob:
        await ann.keep(Keep(text="one"), key="k1")
        with pytest.raises(Conflict) as caught:
            await bob.keep(Keep(text="one"), key="k1")

    assert caught.value.reason == "idempotency_key_reused"


async def test_keys_of_two_programs_do_not_meet(stage: Stage, client: SampleClient) -> None:
    other = Program("other", ["sample.write"], ["user:*"])
    grants(stage.folder / "grants.json", "sample", stage.tester, other)
    async with stage.client(other) as another:
        first = await client.keep(Keep(text="one"), key="k1")
        second = await another.keep(Keep(text="two"), key="k1")

    assert second.sequence == first.sequence + 1


async def test_a_key_under_way_is_a_conflict(stage: Stage, client: SampleClient) -> None:
    slow = asyncio.ensure_future(client.keep(Keep(text="slow", how="slowly"), key="k1"))
    async with asyncio.timeout(5):
        await stage.sample.begun.wait()
        with pytest.raises(Conflict) as caught:
            await client.keep(Keep(text="slow", how="slowly"), key="k1")
        stage.sample.may_go_on.set()
        await slow
    notes = await client.list_notes(Nothing())

    assert caught.value.reason == "idempotency_in_progress"
    assert notes.texts == ["slow"]


async def test_a_refused_call_leaves_its_key_free(client: SampleClient) -> None:
    with pytest.raises(FailedPrecondition):
        await client.keep(Keep(text="one", how="badly"), key="k1")
    kept = await client.keep(Keep(text="one"), key="k1")

    assert kept.sequence == 1


async def test_the_answer_after_two_writes_is_the_one_that_is_kept(client: SampleClient) -> None:
    first = await client.keep(Keep(text="one", how="twice"), key="k1")
    again = await client.keep(Keep(text="one", how="twice"), key="k1")

    assert first.remark == "after 1"
    assert again == first


async def test_an_answer_lost_after_the_write_is_an_unknown_outcome(client: SampleClient) -> None:
    request = Keep(text="one", how="breaking")
    with pytest.raises(Unavailable):
        await client.keep(request, key="k1")
    with pytest.raises(OutcomeUnknown) as caught:
        await client.keep(request, key="k1")
    notes = await client.list_notes(Nothing())

    assert caught.value.reason == "reply_lost"
    assert notes.texts == ["one"]


async def test_a_crash_between_two_writes_is_an_unknown_outcome(
    stage: Stage, client: SampleClient
) -> None:
    await client.keep(Keep(text="one"), key="k1")
    await stage.sample.store.write(
        lambda connection: connection.execute("UPDATE kit_idempotency SET reply = NULL").rowcount
    )
    with pytest.raises(OutcomeUnknown) as caught:
        await client.keep(Keep(text="one"), key="k1")

    assert caught.value.reason == "reply_lost"


async def test_a_key_outlives_a_restart(folder: Path) -> None:
    tester = trusted()
    known = grants(folder / "grants.json", "sample", tester)
    answers: list[int] = []
    for _ in range(2):
        async with hosting(open_part(folder, known), folder / "s"):
            address = Address(path=str(folder / "s"))
            async with SampleClient(address, tester.secret, requester="user:ann") as client:
                answers.append((await client.keep(Keep(text="one"), key="k1")).sequence)

    assert answers == [1, 1]


async def test_a_key_is_forgotten_after_its_time(stage: Stage, client: SampleClient) -> None:
    await client.keep(Keep(text="one"), key="k1")
    stage.clock.advance((KEPT + timedelta(seconds=1)).total_seconds())
    await client.keep(Keep(text="two"), key="k2")
    again = await client.keep(Keep(text="other"), key="k1")

    assert again.sequence == 3


async def test_a_malformed_key_is_refused_before_it_is_sent(client: SampleClient) -> None:
    with pytest.raises(InvalidArgument):
        await client.keep(Keep(text="one"), key="two words")

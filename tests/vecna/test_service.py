"""Vecna through its client: what agents leave, and what is recalled of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.address import Address
from kit.contract import HEALTH, META, Nothing
from kit.errors import InvalidArgument, NotFound, PermissionDenied
from kit.testing import FrozenClock, Program, grants, hosting
from vecna.app import open_part
from vecna.client import VecnaClient
from vecna.contract import Connect, GetFragment, Recall
from vecna.settings import Settings

DAY_S = 86_400.0


def fragment(content: str, **more: object) -> Connect:
    values: dict[str, object] = {"topic": "deploys", "source_agent": "max", **more}
    return Connect(content=content, **values)  # pyright: ignore[reportArgumentType]


async def contents(vecna: VecnaClient, topic: str = "deploys", **more: object) -> list[str]:
    recalled = await vecna.recall(Recall(topic=topic, **more))  # pyright: ignore[reportArgumentType]
    return [each.content for each in recalled.fragments]


async def test_what_was_left_is_recalled_in_either_language(vecna: VecnaClient) -> None:
    await vecna.connect(fragment("Сборка падает без ё в пути", topic="сборка"))
    await vecna.connect(fragment("The build needs two cores"))

    assert await contents(vecna, "сборка") == ["Сборка падает без ё в пути"]
    assert await contents(vecna) == ["The build needs two cores"]
    assert await contents(vecna, "Сборка") == []


async def test_a_fragment_is_shown_as_it_was_left(vecna: VecnaClient, clock: FrozenClock) -> None:
    left = await vecna.connect(
        fragment("a", sub_topic="blue/green", importance=5, linear_ref="OPS-1")
    )
    shown = await vecna.get_fragment(GetFragment(fragment_id=left.fragment.fragment_id))

    assert shown == left.fragment
    assert (shown.sub_topic, shown.importance, shown.linear_ref) == ("blue/green", 5, "OPS-1")
    assert (shown.created_at, shown.is_deprecated) == (clock.now(), False)


async def test_the_important_comes_first_then_the_new(
    vecna: VecnaClient, clock: FrozenClock
) -> None:
    for content, importance in [("low", 2), ("old high", 4), ("vital", 5), ("new high", 4)]:
        await vecna.connect(fragment(content, importance=importance))
        clock.advance(1)

    assert await contents(vecna) == ["vital", "new high", "old high", "low"]
    assert await contents(vecna, limit=2) == ["vital", "new high"]


async def test_what_is_left_at_one_instant_is_recalled_newest_first(vecna: VecnaClient) -> None:
    for number in range(5):
        await vecna.connect(fragment(f"{number}"))

    assert await contents(vecna) == ["4", "3", "2", "1", "0"]


async def test_after_half_a_year_all_but_the_vital_falls_behind(
    vecna: VecnaClient, clock: FrozenClock
) -> None:
    await vecna.connect(fragment("old vital", importance=5))
    await vecna.connect(fragment("old high", importance=4))
    clock.advance(200 * DAY_S)
    await vecna.connect(fragment("new trash", importance=1))

    assert await contents(vecna) == ["old vital", "new trash", "old high"]


async def test_fragments_of_the_ticket_come_before_the_others(
    vecna: VecnaClient, clock: FrozenClock
) -> None:
    await vecna.connect(fragment("of the ticket", importance=1, linear_ref="OPS-1"))
    await vecna.connect(fragment("vital", importance=5))
    await vecna.connect(fragment("of another", importance=4, linear_ref="OPS-2"))

    assert await contents(vecna, ticket="OPS-1") == ["of the ticket", "vital", "of another"]


async def test_the_same_important_words_are_kept_once_within_the_window(
    vecna: VecnaClient, clock: FrozenClock
) -> None:
    first = await vecna.connect(fragment("said twice", importance=4))
    again = await vecna.connect(fragment("said twice", importance=5))
    other = await vecna.connect(fragment("said twice", importance=4, source_agent="other"))
    clock.advance(301)
    later = await vecna.connect(fragment("said twice", importance=4))

    assert (first.deduplicated, again.deduplicated) == (False, True)
    assert again.fragment == first.fragment
    assert (other.deduplicated, later.deduplicated) == (False, False)


async def test_unimportant_words_are_kept_each_time(vecna: VecnaClient) -> None:
    for _ in range(2):
        await vecna.connect(fragment("said twice", importance=3))

    assert await contents(vecna) == ["said twice", "said twice"]


async def test_a_recall_can_be_put_into_a_prompt_as_it_is(
    vecna: VecnaClient, clock: FrozenClock
) -> None:
    await vecna.connect(fragment("first line\nsecond line", importance=4, linear_ref="OPS-1"))
    clock.advance(90)
    recalled = await vecna.recall(Recall(topic="deploys", format="context"))
    nothing = await vecna.recall(Recall(topic="elsewhere", format="context"))

    assert recalled.text == (
        "# Hive recall — topic: deploys\n\n"
        "- (max, importance=4, 1 min ago) [OPS-1]\n  first line second line\n"
    )
    assert nothing.text == "# Hive recall — topic: elsewhere\n(no fragments)\n"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"topic": ""}, "topic"),
        ({"topic": " \t"}, "topic"),
        ({"topic": "a" * 129}, "topic"),
        ({"content": ""}, "content"),
        ({"content": "я" * 33_000}, "content"),
        ({"content": "a" * 65_536}, "content"),
        ({"source_agent": " "}, "source_agent"),
        ({"importance": 0}, "importance"),
        ({"importance": 6}, "importance"),
        ({"sub_topic": "  "}, "sub_topic"),
        ({"linear_ref": ""}, "linear_ref"),
    ],
)
async def test_what_cannot_be_kept_is_refused_by_field_and_nothing_is_kept(
    vecna: VecnaClient, change: dict[str, object], field: str
) -> None:
    values: dict[str, object] = {"topic": "deploys", "content": "a", "source_agent": "max"}
    with pytest.raises(InvalidArgument) as caught:
        await vecna.connect(Connect(**(values | change)))  # pyright: ignore[reportArgumentType]

    assert caught.value.field == field
    assert await contents(vecna) == []


async def test_the_longest_content_is_kept_whole(vecna: VecnaClient) -> None:
    longest = "я" * 32_767
    await vecna.connect(fragment(longest))

    assert await contents(vecna) == [longest]


async def test_an_unknown_fragment_is_not_found(vecna: VecnaClient) -> None:
    unknown = "00000000-0000-0000-0000-000000000000"
    with pytest.raises(NotFound) as caught:
        await vecna.get_fragment(GetFragment(fragment_id=unknown))

    assert caught.value.field == "fragment_id"


async def test_a_reader_leaves_nothing(folder: Path, clock: FrozenClock) -> None:
    reader = Program("reader", ["vecna.read"], ["user:*"])
    known = grants(folder / "grants.json", "vecna", reader)
    address = Address(path=str(folder / "s"))
    async with (
        hosting(open_part(Settings(), folder, known, clock), folder / "s"),
        VecnaClient(address, reader.secret, requester="user:анна") as client,
    ):
        with pytest.raises(PermissionDenied):
            await client.connect(fragment("a"))
        left = await contents(client)

    assert left == []


async def test_what_was_kept_is_there_after_a_restart(folder: Path) -> None:
    program = Program("max", ["vecna.read", "vecna.write"], ["agent:*"])
    known = grants(folder / "grants.json", "vecna", program)
    address = Address(path=str(folder / "s"))
    recalled: list[list[str]] = []
    async with VecnaClient(address, program.secret, requester="agent:max") as client:
        for number in range(2):
            async with hosting(open_part(Settings(), folder, known), folder / "s"):
                await client.connect(fragment(f"{number}"))
                recalled.append(await contents(client))

    assert recalled == [["0"], ["1", "0"]]


async def test_vecna_says_which_contract_it_speaks_and_that_it_is_well(vecna: VecnaClient) -> None:
    meta = await vecna.call(META, Nothing())
    health = await vecna.call(HEALTH, Nothing())

    assert (meta.contract, health.status) == ("vecna/1.0", "ok")
    assert {"connect", "recall", "get_fragment"} <= set(meta.operations)

"""The outbox: in order, kept until answered, what is refused set aside."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from kit import outbox
from kit.errors import Conflict, InvalidArgument, NotFound, ServiceError, Unavailable
from kit.outbox import Outbox
from kit.store import Store
from kit.testing import FrozenClock

CLOCK = FrozenClock()


class Receiver:
    """Answers each event with what a test says."""

    def __init__(self) -> None:
        self.received: list[bytes] = []
        self.failing: dict[bytes, ServiceError] = {}

    async def take(self, payload: bytes) -> None:
        if payload in self.failing:
            raise self.failing[payload]
        self.received.append(payload)
        await asyncio.sleep(0)


@pytest.fixture
async def store(folder: Path) -> AsyncGenerator[Store]:
    store = Store(folder / "a.db", "tests.kit.sample")
    yield store
    await store.close()


async def keep(store: Store, *keys: str) -> None:
    for key in keys:
        await store.write(lambda c, key=key: outbox.put(c, key, key.encode(), CLOCK))


async def test_events_are_sent_in_the_order_they_became_true(store: Store) -> None:
    receiver = Receiver()
    keys = [f"e{n}" for n in range(120)]
    await keep(store, *keys)
    await Outbox(store, receiver.take).deliver()

    assert receiver.received == [key.encode() for key in keys]
    assert Outbox(store, receiver.take).waiting() == 0


async def test_the_same_key_twice_is_one_event(store: Store) -> None:
    receiver = Receiver()
    await keep(store, "e1", "e1", "e2")
    await Outbox(store, receiver.take).deliver()

    assert receiver.received == [b"e1", b"e2"]


async def test_an_unreachable_receiver_makes_all_wait_in_order(store: Store) -> None:
    receiver = Receiver()
    events = Outbox(store, receiver.take)
    await keep(store, "e1", "e2", "e3")
    receiver.failing[b"e2"] = Unavailable("down")
    await events.deliver()
    waiting = events.waiting()
    receiver.failing.clear()
    await events.deliver()

    assert waiting == 2
    assert receiver.received == [b"e1", b"e2", b"e3"]


@pytest.mark.parametrize("refusal", [InvalidArgument("wrong"), NotFound("what?"), Conflict("no")])
async def test_a_refused_event_is_set_aside_with_the_reason_and_the_rest_goes_on(
    store: Store, refusal: ServiceError
) -> None:
    receiver = Receiver()
    events = Outbox(store, receiver.take)
    await keep(store, "e1", "e2", "e3")
    receiver.failing[b"e2"] = refusal
    await events.deliver()
    receiver.failing.clear()
    await events.deliver()
    aside = store.read("SELECT key, refused FROM outbox")

    assert receiver.received == [b"e1", b"e3"]
    assert [(row["key"], row["refused"]) for row in aside] == [
        ("e2", f"{refusal.code}: {refusal.message}")
    ]
    assert events.waiting() == 0


async def test_two_deliveries_at_once_send_each_event_once(store: Store) -> None:
    receiver = Receiver()
    events = Outbox(store, receiver.take)
    await keep(store, *(f"e{n}" for n in range(20)))
    await asyncio.gather(events.deliver(), events.deliver(), events.deliver())

    assert len(receiver.received) == 20


async def test_what_was_not_answered_is_sent_after_a_restart(folder: Path) -> None:
    receiver = Receiver()
    receiver.failing[b"e1"] = Unavailable("down")
    for _ in range(2):
        store = Store(folder / "b.db", "tests.kit.sample")
        await keep(store, "e1")
        await Outbox(store, receiver.take).deliver()
        await store.close()
        receiver.failing.clear()

    assert receiver.received == [b"e1"]


async def test_an_event_is_kept_only_if_what_made_it_true_is(store: Store) -> None:
    def job(connection: object) -> None:
        outbox.put(connection, "e1", b"e1", CLOCK)  # pyright: ignore[reportArgumentType]
        raise Conflict("undone")

    with pytest.raises(Conflict):
        await store.write(job)

    assert Outbox(store, Receiver().take).waiting() == 0

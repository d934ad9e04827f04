"""The store: one writer, shared commits, durable answers, an orderly end."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
import stat
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest

from kit import store as store_module
from kit.client import AnyClient
from kit.contract import Nothing
from kit.errors import FailedPrecondition, ResourceExhausted, ServiceError, Unavailable
from kit.store import Store
from tests.kit.conftest import Process, Stage
from tests.kit.sample.contract import Keep, SampleClient

PACKAGE = "tests.kit.sample"
ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"


@pytest.fixture
async def store(folder: Path) -> AsyncGenerator[Store]:
    store = Store(folder / "part" / "part.db", PACKAGE)
    yield store
    await store.close()


def insert(text: str) -> Callable[[sqlite3.Connection], int]:
    def job(connection: sqlite3.Connection) -> int:
        row = connection.execute(
            "INSERT INTO note (text, requester) VALUES (?, 'user:ann') RETURNING sequence", (text,)
        ).fetchone()
        return int(row[0])

    return job


def refuse(connection: sqlite3.Connection) -> None:
    insert("refused")(connection)
    raise FailedPrecondition("no")


def texts(store: Store) -> list[str]:
    return [row["text"] for row in store.read("SELECT text FROM note ORDER BY sequence")]


async def test_what_was_written_is_read(store: Store) -> None:
    sequence = await store.write(insert("a"))

    assert (sequence, texts(store)) == (1, ["a"])


async def test_another_connection_sees_it_as_soon_as_the_write_returns(
    store: Store, folder: Path
) -> None:
    await store.write(insert("a"))
    other = sqlite3.connect(folder / "part" / "part.db")
    rows = other.execute("SELECT text FROM note").fetchall()
    other.close()

    assert rows == [("a",)]


async def test_a_job_that_raises_undoes_itself_alone(store: Store) -> None:
    results = await asyncio.gather(
        store.write(insert("a")),
        store.write(refuse),
        store.write(insert("b")),
        return_exceptions=True,
    )

    assert isinstance(results[1], FailedPrecondition)
    assert texts(store) == ["a", "b"]


async def test_writes_that_arrive_together_share_a_commit(store: Store) -> None:
    said: list[str] = []
    await store.write(lambda connection: connection.set_trace_callback(said.append))
    await asyncio.gather(*(store.write(insert(f"{n}")) for n in range(300)))

    assert len(texts(store)) == 300
    assert said.count("COMMIT") < 30


async def test_writes_keep_the_order_they_were_handed_over_in(store: Store) -> None:
    await asyncio.gather(*(store.write(insert(f"{n}")) for n in range(600)))

    assert texts(store) == [f"{n}" for n in range(600)]


async def test_a_write_whose_caller_goes_away_is_done(store: Store) -> None:
    going = asyncio.ensure_future(store.write(insert("a")))
    await asyncio.sleep(0)
    going.cancel()
    await store.write(insert("b"))

    assert texts(store) == ["a", "b"]


async def test_closing_finishes_what_was_handed_over(folder: Path) -> None:
    store = Store(folder / "part.db", PACKAGE)
    writes = [asyncio.ensure_future(store.write(insert(f"{n}"))) for n in range(500)]
    await asyncio.sleep(0)
    await store.close()
    results = await asyncio.gather(*writes)

    assert sorted(results) == list(range(1, 501))


async def test_a_closed_store_refuses_and_closes_once(folder: Path) -> None:
    store = Store(folder / "part.db", PACKAGE)
    await store.close()
    await store.close()

    with pytest.raises(Unavailable):
        await store.write(insert("a"))
    with pytest.raises(Unavailable):
        await store.search("SELECT 1")


async def test_too_many_waiting_writes_are_refused_and_none_is_lost(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "_QUEUE", 10)
    results = await asyncio.gather(
        *(store.write(insert(f"{n}")) for n in range(50)), return_exceptions=True
    )
    refused = [result for result in results if isinstance(result, ResourceExhausted)]
    done = [result for result in results if isinstance(result, int)]

    assert len(refused) + len(done) == 50
    assert len(texts(store)) == len(done) == 10
    assert await store.write(insert("after")) == 11


@pytest.mark.parametrize("sql", ["COMMIT", "ROLLBACK", "INSERT INTO nowhere VALUES (1)"])
async def test_the_writer_survives_a_job_that_misbehaves(store: Store, sql: str) -> None:
    with pytest.raises((Unavailable, sqlite3.Error)):
        await store.write(lambda connection: connection.execute(sql).rowcount)
    await store.write(insert("after"))

    assert texts(store) == ["after"]


async def test_a_full_disk_fails_its_write_alone_and_is_remembered_until_one_works(
    store: Store,
) -> None:
    await store.write(may_have_pages(20))
    results = await asyncio.gather(
        store.write(insert("a" * 500_000)), store.write(insert("small")), return_exceptions=True
    )
    told = store.failure
    await store.write(lambda connection: connection.execute("SELECT 1").fetchone())
    after_a_look = store.failure
    await store.write(insert("again"))

    assert isinstance(results[0], Unavailable)
    assert results[0].reason == "store_failed"
    assert texts(store) == ["small", "again"]
    assert told == after_a_look == "database or disk is full"
    assert store.failure is None


async def test_a_write_that_is_refused_says_nothing_about_the_disk(store: Store) -> None:
    await store.write(may_have_pages(20))
    with pytest.raises(Unavailable):
        await store.write(insert("a" * 500_000))
    with pytest.raises(FailedPrecondition):
        await store.write(refuse)

    assert store.failure == "database or disk is full"


def may_have_pages(count: int) -> Callable[[sqlite3.Connection], object]:
    return lambda connection: connection.execute(f"PRAGMA max_page_count = {count}").fetchone()


async def ended(call: Awaitable[object]) -> object:
    """What a call came to, be it a failure."""
    (outcome,) = await asyncio.gather(call, return_exceptions=True)
    return outcome


async def test_health_tells_that_the_store_cannot_write_until_it_can(
    stage: Stage, client: SampleClient
) -> None:
    store = stage.sample.store
    await store.write(may_have_pages(1))
    filling = [client.keep(Keep(text="a" * 100)) for _ in range(300)]
    failures = await asyncio.gather(*filling, return_exceptions=True)
    # What was too much together may yet have fitted one by one.
    while not isinstance(await ended(client.keep(Keep(text="a" * 100))), ServiceError):
        pass
    async with AnyClient("sample", stage.address, stage.tester.secret) as anyone:
        full = await anyone.health(Nothing())
        await store.write(may_have_pages(1_000_000))
        await client.keep(Keep(text="there is room again"))
        mended = await anyone.health(Nothing())

    assert {error.reason for error in failures if isinstance(error, ServiceError)} == {
        "store_failed"
    }
    assert (full.status, full.degraded) == (
        "degraded",
        ["the store cannot write: database or disk is full"],
    )
    assert (mended.status, mended.degraded) == ("ok", [])


async def test_a_process_whose_disk_takes_no_more_says_so_and_recovers(process: Process) -> None:
    running = process.start()
    async with (
        await process.ready() as client,
        AnyClient("sample", process.address, process.tester.secret) as anyone,
    ):
        limits = resource.prlimit(running.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(running.pid, resource.RLIMIT_FSIZE, (1, limits[1]))
        with pytest.raises(Unavailable) as caught:
            await client.keep(Keep(text="no room"))
        full = await anyone.health(Nothing())
        resource.prlimit(running.pid, resource.RLIMIT_FSIZE, limits)
        await client.keep(Keep(text="room"))
        mended = await anyone.health(Nothing())
        notes = await client.list_notes(Nothing())

    assert caught.value.reason == "store_failed"
    assert full.degraded == ["the store cannot write: disk I/O error"]
    assert (mended.status, notes.texts) == ("ok", ["room"])


async def test_readers_cannot_write(store: Store) -> None:
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        store.read("DELETE FROM note")
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        await store.search("DELETE FROM note")


async def test_a_search_stops_with_its_caller(store: Store) -> None:
    searching = asyncio.ensure_future(store.search(ENDLESS))
    await asyncio.sleep(0.05)
    searching.cancel()
    async with asyncio.timeout(10):
        with pytest.raises(asyncio.CancelledError):
            await searching


async def test_foreign_keys_hold(store: Store) -> None:
    rows = store.read("PRAGMA foreign_keys")

    assert rows[0][0] == 1


async def test_the_file_is_its_owners_alone(store: Store, folder: Path) -> None:
    await store.write(insert("a"))
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (folder / "part").iterdir()}

    assert modes == {"part.db": 0o600, "part.db-wal": 0o600, "part.db-shm": 0o600}
    assert stat.S_IMODE((folder / "part").stat().st_mode) == 0o700


async def test_a_file_that_is_no_database_is_refused(folder: Path) -> None:
    (folder / "part.db").write_text("this is not a database, however long it is" * 100)

    with pytest.raises(Unavailable) as caught:
        Store(folder / "part.db", PACKAGE)

    assert caught.value.reason == "store_failed"
    assert "this is not" in (folder / "part.db").read_text("utf-8")


async def test_a_second_loop_may_use_a_store_of_its_own(folder: Path) -> None:
    def in_another_thread() -> list[str]:
        async def work() -> list[str]:
            store = Store(folder / "other.db", PACKAGE)
            await store.write(insert("there"))
            found = texts(store)
            await store.close()
            return found

        return asyncio.run(work())

    assert await asyncio.to_thread(in_another_thread) == ["there"]


async def test_reads_in_a_snapshot_see_one_state(store: Store, folder: Path) -> None:
    await store.write(insert("before"))
    counted = "SELECT count(*) FROM note"

    with store.snapshot():
        before = store.read(counted)[0][0]
        with closing(sqlite3.connect(folder / "part" / "part.db")) as other, other:
            insert("beside")(other)
        within = store.read(counted)[0][0]

    assert (before, within) == (1, 1)
    assert store.read(counted)[0][0] == 2

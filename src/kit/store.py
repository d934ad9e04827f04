"""Open SQLite, migrate it, read it inline, and write it through one group-committing thread.

Only this module may touch SQLite on the event loop, and only for indexed reads. Every write is
durable (`synchronous=FULL`) before its future resolves; writes that arrive together share a commit.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

from kit.clock import Clock, SystemClock
from kit.errors import ResourceExhausted, Unavailable
from kit.idempotency import Pending, current_pending, record
from kit.migrate import migrate

T = TypeVar("T")
Job = Callable[[sqlite3.Connection], Any]
_Entry = tuple[Job, "asyncio.Future[Any]", Pending | None]

_GROUP = 256
"""Most writes that share one commit."""
_QUEUE = 4096
"""Most writes that may wait."""


class Store:
    """One SQLite database of one part: many readers' worth of one connection, one writer."""

    def __init__(self, path: Path, package: str, clock: Clock | None = None) -> None:
        """Open or create the database and bring it to the newest migration of `package`.

        Raises:
            Unavailable: The file is newer than this program, or was altered by hand.
        """
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._clock = clock or SystemClock()
        self._writer = _connect(path)
        migrate(self._writer, resources.files(package) / "migrations", self._clock)
        path.chmod(0o600)
        self._reader = _connect(path)
        self._reader.execute("PRAGMA query_only = ON")
        self._queue: queue.SimpleQueue[_Entry | None] = queue.SimpleQueue()
        self._waiting = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._work, name=f"writer:{path.stem}", daemon=True)
        self._thread.start()
        self._closed = False

    def read(self, sql: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> list[sqlite3.Row]:
        """Rows of a query that an index answers; it runs on the event loop."""
        return self._reader.execute(sql, parameters).fetchall()

    async def search(
        self, sql: str, parameters: Sequence[Any] | dict[str, Any] = ()
    ) -> list[sqlite3.Row]:
        """Rows of a query that may take long; it runs on a thread of its own."""
        return await asyncio.to_thread(self._search, sql, parameters)

    async def write(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """Run `job` in a transaction on the writer; when this returns, it is on disk.

        If `job` raises, its changes alone are undone and the exception comes out here. Once
        handed over, a job runs to its end even if the caller goes away.

        Raises:
            ResourceExhausted: Too many writes wait already.
            Unavailable: The store is closed.
        """
        if self._closed:
            raise Unavailable("The store is closed; the part is stopping.", reason="stopping")
        if self._waiting >= _QUEUE:
            raise ResourceExhausted("Too many writes wait; try again.", reason="write_queue_full")
        self._loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = self._loop.create_future()
        self._waiting += 1
        self._queue.put((job, future, current_pending()))
        return await asyncio.shield(future)

    async def close(self) -> None:
        """Finish what was handed over, then let go of the file."""
        if self._closed:
            return
        self._closed = True
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)
        self._reader.close()
        self._writer.close()

    def _search(self, sql: str, parameters: Sequence[Any] | dict[str, Any]) -> list[sqlite3.Row]:
        path = self._reader.execute("PRAGMA database_list").fetchone()[2]
        connection = _connect(Path(path))
        try:
            connection.execute("PRAGMA query_only = ON")
            return connection.execute(sql, parameters).fetchall()
        finally:
            connection.close()

    def _work(self) -> None:
        while (entry := self._queue.get()) is not None:
            group = [entry]
            stop = False
            while len(group) < _GROUP and not self._queue.empty():
                following = self._queue.get()
                if following is None:
                    stop = True
                    break
                group.append(following)
            self._commit(group)
            if stop:
                return

    def _commit(self, group: list[_Entry]) -> None:
        outcomes: list[tuple[asyncio.Future[Any], Any, BaseException | None]] = []
        connection = self._writer
        try:
            connection.execute("BEGIN IMMEDIATE")
            for job, future, pending in group:
                outcomes.append((future, *self._attempt(job, pending)))
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            failure = Unavailable(f"The store could not write: {error}", reason="store_failed")
            outcomes = [(future, None, failure) for _, future, _ in group]
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._settle, outcomes)

    def _attempt(self, job: Job, pending: Pending | None) -> tuple[Any, BaseException | None]:
        connection = self._writer
        connection.execute("SAVEPOINT job")
        try:
            result = job(connection)
            if pending is not None:
                record(connection, pending, result, self._clock)
        except Exception as error:  # noqa: BLE001 - it is handed to the caller, whoever that is
            connection.execute("ROLLBACK TO job")
            connection.execute("RELEASE job")
            return None, error
        connection.execute("RELEASE job")
        return result, None

    def _settle(
        self, outcomes: list[tuple[asyncio.Future[Any], Any, BaseException | None]]
    ) -> None:
        self._waiting -= len(outcomes)
        for future, result, error in outcomes:
            if future.done():
                continue
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA busy_timeout = 5000")
    return connection

"""Open SQLite, migrate it, read it inline, and write it through one group-committing thread.

Only this module may touch SQLite on the event loop, and only for indexed reads. Every write is
durable (`synchronous=FULL`) before its future resolves; writes that arrive together share a commit.
"""

from __future__ import annotations

import asyncio
import os
import queue
import sqlite3
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager, suppress
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

import structlog

from kit.clock import Clock, SystemClock
from kit.errors import ResourceExhausted, Unavailable
from kit.idempotency import Pending, current_pending, record
from kit.migrate import migrate

_log = structlog.get_logger()
T = TypeVar("T")
Job = Callable[[sqlite3.Connection], Any]
Parameters = Sequence[Any] | dict[str, Any]
_Entry = tuple[Job, "asyncio.Future[Any]", Pending | None]
_Outcome = tuple["asyncio.Future[Any]", Any, BaseException | None]

_GROUP = 256
"""Most writes that share one commit."""
_QUEUE = 4096
"""Most writes that may wait."""
_READ_CACHE_KIB = 32 * 1024
"""Pages the reading connection may keep, as far as it needs them."""
_STORAGE_FAILS = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
    }
)
"""What SQLite says when the fault lies with the disk, not with the statement."""


class Store:
    """One SQLite database of one part: many readers' worth of one connection, one writer."""

    def __init__(self, path: Path, package: str, clock: Clock | None = None) -> None:
        """Open or create the database and bring it to the newest migration of `package`.

        Raises:
            Unavailable: The file is newer than this program, was altered by hand, or is no
                database.
        """
        self._path = path
        self._clock = clock or SystemClock()
        self._writer = _open(path, package, self._clock)
        self._reader = _connect(path)
        self._reader.execute("PRAGMA query_only = ON")
        self._reader.execute(f"PRAGMA cache_size = -{_READ_CACHE_KIB}")
        self._queue: queue.SimpleQueue[_Entry | None] = queue.SimpleQueue()
        self._waiting = 0
        self._closed = False
        self.failure: str | None = None
        """Why the last write failed, until one works again; None where the store can write."""
        self._thread = threading.Thread(target=self._work, name=f"writer:{path.stem}", daemon=True)
        self._thread.start()

    def read(self, sql: str, parameters: Parameters = ()) -> list[sqlite3.Row]:
        """Rows of a query that an index answers; it runs on the event loop."""
        return self._reader.execute(sql, parameters).fetchall()

    @contextmanager
    def snapshot(self) -> Generator[None]:
        """Reads in this block, which must not await, see one state and lock the file once."""
        self._reader.execute("BEGIN")
        try:
            yield
        finally:
            self._reader.execute("COMMIT")

    async def search(self, sql: str, parameters: Parameters = ()) -> list[sqlite3.Row]:
        """Rows of a query that may take long; it runs on a thread, and stops with its caller.

        Raises:
            Unavailable: The store is closed.
        """
        self._refuse_if_closed()
        connection = _connect(self._path)
        work = asyncio.ensure_future(asyncio.to_thread(_search, connection, sql, parameters))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            with suppress(sqlite3.ProgrammingError):  # it has just ended by itself
                connection.interrupt()
            await asyncio.wait({work})
            raise

    async def write(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """Run `job` in a transaction on the writer; when this returns, it is on disk.

        If `job` raises, its changes alone are undone and the exception comes out here. Once
        handed over, a job runs to its end even if the caller goes away.

        Raises:
            ResourceExhausted: Too many writes wait already.
            Unavailable: The store is closed, or could not write (`store_failed`).
        """
        self._refuse_if_closed()
        if self._waiting >= _QUEUE:
            raise ResourceExhausted("Too many writes wait; try again.", reason="write_queue_full")
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
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

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise Unavailable("The store is closed; the part is stopping.", reason="stopping")

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
            outcomes = self._commit(group)
            with suppress(RuntimeError):  # the loop is gone, and with it whoever waited
                group[0][1].get_loop().call_soon_threadsafe(self._settle, outcomes)
            if stop:
                return

    def _commit(self, group: list[_Entry]) -> list[_Outcome]:
        connection = self._writer
        before = connection.total_changes
        try:
            connection.execute("BEGIN IMMEDIATE")
            outcomes = [(future, *self._attempt(job, pending)) for job, future, pending in group]
            connection.execute("COMMIT")
        except Exception as error:  # noqa: BLE001 - the writer outlives whatever a job does to it
            if connection.in_transaction:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
            failure = self._failed(error)
            for _, _, pending in group:
                if pending is not None:
                    pending.recorded = False
            return [(future, None, failure) for _, future, _ in group]
        if connection.total_changes > before and all(error is None for *_, error in outcomes):
            self.failure = None
        return outcomes

    def _attempt(self, job: Job, pending: Pending | None) -> tuple[Any, BaseException | None]:
        connection = self._writer
        connection.execute("SAVEPOINT job")
        try:
            result = job(connection)
            if pending is not None:
                record(connection, pending, result, self._clock)
        except Exception as error:
            if _is_of_the_disk(error):
                if not connection.in_transaction:  # SQLite has undone the whole group itself
                    raise
                error = self._failed(error)
            connection.execute("ROLLBACK TO job")
            connection.execute("RELEASE job")
            return None, error
        connection.execute("RELEASE job")
        return result, None

    def _failed(self, error: Exception) -> Unavailable:
        """Remember and log what kept the store from writing."""
        self.failure = str(error)
        _log.error("store_failed", database=self._path.name, error=self.failure)
        return Unavailable(f"The store could not write: {error}", reason="store_failed")

    def _settle(self, outcomes: list[_Outcome]) -> None:
        self._waiting -= len(outcomes)
        for future, result, error in outcomes:
            if future.done():
                continue
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)


def _is_of_the_disk(error: Exception) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    return isinstance(code, int) and code & 0xFF in _STORAGE_FAILS


def _open(path: Path, package: str, clock: Clock) -> sqlite3.Connection:
    """The writer's connection to a file only its owner may read, migrated."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    path.chmod(0o600)
    connection: sqlite3.Connection | None = None
    try:
        connection = _connect(path)
        migrate(connection, resources.files(package) / "migrations", clock)
    except BaseException as error:
        if connection is not None:
            connection.close()
        if isinstance(error, sqlite3.Error):
            raise Unavailable(f"{path} cannot be used: {error}.", reason="store_failed") from error
        raise
    return connection


def _search(connection: sqlite3.Connection, sql: str, parameters: Parameters) -> list[sqlite3.Row]:
    with closing(connection):
        connection.execute("PRAGMA query_only = ON")
        return connection.execute(sql, parameters).fetchall()


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA busy_timeout = 5000")
    return connection

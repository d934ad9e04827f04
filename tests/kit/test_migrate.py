"""Migrations: once each, in order, whole or not at all, and never edited."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from pathlib import Path

import pytest

from kit.errors import Unavailable
from kit.migrate import migrate
from kit.testing import FrozenClock

FILES = {
    "0001_one.sql": "CREATE TABLE one (a INTEGER PRIMARY KEY) STRICT;\n",
    "0002_two.sql": """
        CREATE TABLE two (
            b INTEGER PRIMARY KEY,
            a INTEGER NOT NULL REFERENCES one ON DELETE CASCADE
        ) STRICT;
        CREATE TRIGGER two_follows AFTER INSERT ON one BEGIN
            INSERT INTO two (a) VALUES (new.a);
        END;
    """,
    "0003_rebuild.sql": """
        CREATE TABLE one_new (a INTEGER PRIMARY KEY, c TEXT NOT NULL DEFAULT 'x') STRICT;
        INSERT INTO one_new (a) SELECT a FROM one;
        DROP TABLE one;
        ALTER TABLE one_new RENAME TO one;
    """,
}


@pytest.fixture
def connection(tmp_path: Path) -> Generator[sqlite3.Connection]:
    connection = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    connection.execute("PRAGMA foreign_keys = ON")
    yield connection
    connection.close()


def written(folder: Path, files: dict[str, str]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def run(connection: sqlite3.Connection, folder: Path) -> None:
    migrate(connection, folder, FrozenClock())


def tables(connection: sqlite3.Connection) -> set[str]:
    rows = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
    return {row[0] for row in rows if not row[0].startswith(("kit_", "sqlite_"))}


@pytest.mark.parametrize("earlier", [0, 1, 2, 3])
def test_every_earlier_version_is_brought_to_the_newest(
    connection: sqlite3.Connection, tmp_path: Path, earlier: int
) -> None:
    run(connection, written(tmp_path / "old", dict(list(FILES.items())[:earlier])))
    if earlier >= 2:
        connection.execute("INSERT INTO one (a) VALUES (7)")
    run(connection, written(tmp_path / "new", FILES))
    run(connection, tmp_path / "new")

    assert tables(connection) == {"one", "two"}
    assert [row[0] for row in connection.execute("SELECT number FROM kit_migration")] == [1, 2, 3]
    if earlier == 2:  # the rebuild of `one` must not cascade to the rows that refer to it
        assert connection.execute("SELECT a FROM two").fetchall() == [(7,)]
    assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_a_migration_that_fails_changes_nothing(
    connection: sqlite3.Connection, tmp_path: Path
) -> None:
    folder = written(tmp_path / "m", FILES | {"0004_bad.sql": "CREATE TABLE x (y) STRICT;"})

    with pytest.raises(sqlite3.Error):
        run(connection, folder)

    assert tables(connection) == set()
    (folder / "0004_bad.sql").unlink()
    run(connection, folder)
    assert tables(connection) == {"one", "two"}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"0001_one.sql": "CREATE TABLE one (a INTEGER PRIMARY KEY, z TEXT) STRICT;"},
         "migration_edited"),
        ({"0003_rebuild.sql": None}, "database_too_new"),
        ({"0002_two.sql": None}, "database_too_new"),
        ({"0002_again.sql": "SELECT 1;"}, "migration_ambiguous"),
        ({"0004_orphan.sql": "INSERT INTO two (a) VALUES (99);"}, "migration_broken"),
    ],
)  # fmt: skip
def test_what_does_not_fit_the_database_is_refused_and_nothing_changes(
    connection: sqlite3.Connection, tmp_path: Path, change: dict[str, str | None], reason: str
) -> None:
    folder = written(tmp_path / "m", FILES)
    run(connection, folder)
    before = list(connection.iterdump())
    for name, text in change.items():
        if text is None:
            (folder / name).unlink()
        else:
            (folder / name).write_text(text)

    with pytest.raises(Unavailable) as caught:
        run(connection, folder)

    assert caught.value.reason == reason
    assert list(connection.iterdump()) == before


def test_a_migration_that_arrives_before_an_applied_one_is_refused(
    connection: sqlite3.Connection, tmp_path: Path
) -> None:
    run(connection, written(tmp_path / "m", {"0002_two.sql": "CREATE TABLE b (a) ;"}))

    with pytest.raises(Unavailable) as caught:
        run(connection, written(tmp_path / "m", {"0001_one.sql": "CREATE TABLE a (a);"}))

    assert caught.value.reason == "migration_out_of_order"


def test_two_programs_that_start_together_migrate_once(tmp_path: Path) -> None:
    folder = written(tmp_path / "m", FILES)
    connections = [
        sqlite3.connect(tmp_path / "a.db", isolation_level=None, timeout=5) for _ in range(2)
    ]
    for connection in connections:
        run(connection, folder)
    count = connections[0].execute("SELECT count(*) FROM kit_migration").fetchone()
    for connection in connections:
        connection.close()

    assert count == (3,)

"""Bring a database to the newest numbered migration, once each, in order, all or nothing."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from importlib.resources.abc import Traversable

from kit.clock import Clock, to_text
from kit.errors import Unavailable
from kit.idempotency import SCHEMA as IDEMPOTENCY_SCHEMA

_NAME = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS kit_migration (
    number   INTEGER PRIMARY KEY,
    name     TEXT NOT NULL,
    checksum TEXT NOT NULL,
    at       TEXT NOT NULL
) STRICT;
{IDEMPOTENCY_SCHEMA}
"""


def migrate(connection: sqlite3.Connection, folder: Traversable, clock: Clock) -> None:
    """Apply what the database lacks; foreign keys are checked once, at the end.

    Raises:
        Unavailable: The database knows a migration this program does not, an applied file has
            been edited since, or what was applied leaves a reference to nothing.
    """
    files = _numbered(folder)
    connection.execute("PRAGMA foreign_keys = OFF")  # it cannot be changed inside a transaction
    connection.execute("BEGIN IMMEDIATE")
    try:
        _run(connection, _SCHEMA)
        for number in _missing(connection, files):
            text = files[number].read_text("utf-8")
            _run(connection, text)
            connection.execute(
                "INSERT INTO kit_migration VALUES (?, ?, ?, ?)",
                (number, files[number].name, _checksum(text), to_text(clock.now())),
            )
        broken = connection.execute("PRAGMA foreign_key_check").fetchone()
        if broken is not None:
            raise _refused(f"A row of {broken[0]} refers to nothing.", "migration_broken")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("PRAGMA foreign_keys = ON")


def _numbered(folder: Traversable) -> dict[int, Traversable]:
    files: dict[int, Traversable] = {}
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        match = _NAME.fullmatch(entry.name)
        if match is not None and files.setdefault(int(match[1]), entry) is not entry:
            raise _refused(f"Two migrations have the number {match[1]}.", "migration_ambiguous")
    return files


def _missing(connection: sqlite3.Connection, files: dict[int, Traversable]) -> list[int]:
    """Which migrations are to be applied, if those that were are as they were."""
    applied: dict[int, str] = dict(
        connection.execute("SELECT number, checksum FROM kit_migration").fetchall()
    )
    newest = max(applied, default=0)
    if applied.keys() - files.keys():
        raise _refused(
            f"The database is at migration {newest}, this program ends at"
            f" {max(files, default=0)}; start the newer program, or restore an older copy.",
            "database_too_new",
        )
    for number, checksum in applied.items():
        if _checksum(files[number].read_text("utf-8")) != checksum:
            raise _refused(
                f"{files[number].name} was edited after it was applied; add a new migration"
                " instead.",
                "migration_edited",
            )
    missing = [number for number in files if number not in applied]
    if missing and missing[0] < newest:
        raise _refused(
            f"{files[missing[0]].name} comes before one that was applied already; number it after.",
            "migration_out_of_order",
        )
    return missing


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _refused(message: str, reason: str) -> Unavailable:
    return Unavailable(message, reason=reason)


def _run(connection: sqlite3.Connection, script: str) -> None:
    """Execute every statement inside the open transaction (`executescript` would commit it)."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""
    if statement.strip():
        connection.execute(statement)

"""Bring a database to the newest numbered migration, once each, in order, all or nothing."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from importlib.resources.abc import Traversable

from kit.clock import Clock, to_text
from kit.errors import Unavailable
from kit.idempotency import SCHEMA as IDEMPOTENCY_SCHEMA

_NAME = re.compile(r"^(\d{4})_[a-z0-9_]+\.sql$")
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
    """Apply what the database lacks.

    Raises:
        Unavailable: The database knows a migration this program does not, or an applied file has
            been edited since.
    """
    files = sorted(
        (int(match[1]), entry)
        for entry in folder.iterdir()
        if (match := _NAME.match(entry.name)) is not None
    )
    connection.execute("BEGIN IMMEDIATE")
    try:
        _run(connection, _SCHEMA)
        applied = {
            row[0]: row[1]
            for row in connection.execute("SELECT number, checksum FROM kit_migration")
        }
        newest = files[-1][0] if files else 0
        if applied and max(applied) > newest:
            raise Unavailable(
                f"The database is at migration {max(applied)}, this program ends at {newest}; "
                "start the newer program, or restore an older copy.",
                reason="database_too_new",
            )
        for number, entry in files:
            text = entry.read_text("utf-8")
            checksum = hashlib.sha256(text.encode()).hexdigest()
            if number not in applied:
                _run(connection, text)
                connection.execute(
                    "INSERT INTO kit_migration VALUES (?, ?, ?, ?)",
                    (number, entry.name, checksum, to_text(clock.now())),
                )
            elif applied[number] != checksum:
                raise Unavailable(
                    f"{entry.name} was edited after it was applied; add a new migration instead.",
                    reason="migration_edited",
                )
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


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

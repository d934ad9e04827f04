"""Play stateful scripts against Nexus, each on a fresh copy of the registry."""

from __future__ import annotations

import hashlib
import sqlite3
from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kit.errors import ServiceError
from tests.evaluation.nexus.asking import question, resolution
from tests.evaluation.nexus.registry import Loaded, read_lines
from tests.evaluation.nexus.script_operations import OPERATIONS, Script
from tests.evaluation.nexus.served import DATABASE, served

CODES = {
    "rejected": {"permission_denied", "invalid_argument", "failed_precondition"},
    "conflict": {"conflict", "failed_precondition"},
    "not_found": {"not_found"},
    "invalid": {"invalid_argument"},
}
"""Canonical codes that stand for each word of a script."""


@dataclass
class Tally:
    """How the scripts of one kind went."""

    passed: int = 0
    failed: int = 0
    failures: list[str] = field(default_factory=list[str])


def state_hash(database: Path) -> str:
    """A hash over the contents of every table."""
    total = hashlib.sha256()
    with closing(sqlite3.connect(database)) as connection:
        tables = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table'"
        ).fetchall()
        for (table,) in sorted(tables):
            rows = connection.execute(f'SELECT * FROM "{table}"').fetchall()  # noqa: S608
            total.update(repr((table, sorted(map(repr, rows)))).encode())
    return total.hexdigest()


async def _compared(op: dict[str, Any], script: Script) -> str | None:
    """What went otherwise than an operation expects; None where all is well."""
    name, expect = op["op"], op.get("expect")
    if name == "state_hash":
        found = state_hash(script.served.folder / DATABASE)
        if "bind" in op:
            script.bound[op["bind"]] = found
            return None
        return None if found == script.value(str(expect)) else "the state changed"
    if name == "resolve_many":
        path = script.scripts.parent / op["file"]
        for query in read_lines(path if path.exists() else script.queries)[: op["n"]]:
            await resolution(script.served.client, question(query))
        return None
    if name not in OPERATIONS:
        return f"no such operation: {name}"
    try:
        failure = await OPERATIONS[name](script, op)
    except ServiceError as error:
        if isinstance(expect, str) and error.code in CODES.get(expect, ()):
            return None
        return f"expected {expect}, got {error.code} ({error.reason}): {error.message}"
    if isinstance(expect, str) and expect in CODES:
        return f"expected {expect}, and it was done"
    return failure


async def _played(script: Script, ops: list[dict[str, Any]]) -> str | None:
    for number, op in enumerate(ops):
        failure = await _compared(op, script)
        if failure:
            return f"op {number} {op['op']}: {failure}"
    return None


async def play(
    scripts: Path, queries: Path, database: Path, folder: Path, loaded: Loaded
) -> dict[str, Tally]:
    """Play every script of a file and say how each kind went."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    for number, line in enumerate(read_lines(scripts)):
        own = folder / str(number)
        async with served(own, database) as running:
            copy = Loaded(loaded.declared, dict(loaded.to_nexus), dict(loaded.to_registry))
            script = Script(running, copy, scripts, queries)
            failure = await _played(script, line["ops"])
        for left in own.iterdir():
            left.unlink()
        tally = tallies[line["kind"]]
        tally.passed += failure is None
        tally.failed += failure is not None
        if failure:
            tally.failures.append(f"{line['sid']} {failure}")
    return dict(tallies)


def report(tallies: dict[str, Tally]) -> str:
    """Passed and failed for each kind, with the first failing operation of each script."""
    passed = sum(tally.passed for tally in tallies.values())
    total = passed + sum(tally.failed for tally in tallies.values())
    rows = [f"scenarios: {passed} of {total} passed"]
    for kind, tally in sorted(tallies.items()):
        rows.append(f"  {kind:26s} passed={tally.passed:3d} failed={tally.failed:3d}")
        rows += [f"    {failure}" for failure in tally.failures]
    return "\n".join(rows)

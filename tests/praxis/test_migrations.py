"""A database of an earlier Praxis is brought to the present one with what it holds."""

import shutil
import sqlite3
from importlib import resources
from pathlib import Path

import pytest

from kit.clock import SystemClock
from kit.migrate import migrate

MIGRATIONS = Path(str(resources.files("praxis.store"))) / "migrations"


@pytest.fixture
def early(tmp_path: Path) -> sqlite3.Connection:
    """A database at the first migration."""
    shutil.copy(MIGRATIONS / "0001_attention.sql", tmp_path)
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrate(connection, tmp_path, SystemClock())
    return connection


def test_what_praxis_looked_at_takes_its_entity_from_the_source_and_the_rest_keeps_its_own(
    early: sqlite3.Connection,
) -> None:
    for source, check in (("health:a", "{}"), ("log:a", None)):
        early.execute(
            "INSERT INTO source (source, kind, entity_id, expected_every_s, health_check,"
            " registered_at, last_state) VALUES (?, 'x', 'ent_a', 10, ?, '', 'ok')",
            (source, check),
        )
        early.execute(
            "INSERT INTO item VALUES (?, ?, 'x', ?, '{}', '[]', 1, 0, 'x', 'ent_a', 1, 'active',"
            " 'new', NULL, NULL, NULL, '', '', 1, 1)",
            (source, source, '{"facts": {"entity_id": "ent_a"}}'),
        )
        early.execute(
            "INSERT INTO observation VALUES (?, ?, 'e', 'x', 'problem', 'error', '', '{}',"
            " 'ent_a', '', '')",
            (source, source),
        )

    migrate(early, MIGRATIONS, SystemClock())

    kept = early.execute(
        "SELECT item_id, is_look, observation.entity_id, base ->> '$.facts.entity_id',"
        " item.entity_id, source.entity_id, source.last_state FROM observation"
        " JOIN item USING (item_id) JOIN source ON source.source = item.source ORDER BY item_id"
    ).fetchall()
    early.close()
    assert kept == [
        ("health:a", 1, None, None, "ent_a", "ent_a", "ok"),
        ("log:a", 0, "ent_a", "ent_a", "ent_a", "ent_a", "ok"),
    ]

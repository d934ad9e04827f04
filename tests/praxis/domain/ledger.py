"""One database, written by the code that runs in Praxis, for the state machine of its items."""

import sqlite3
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from importlib import resources
from itertools import count

from kit.clock import SystemClock
from kit.migrate import migrate
from praxis.contract import ReportExecution
from praxis.domain.freshness import KnownSource
from praxis.domain.item import Facts
from praxis.domain.observation import Observation
from praxis.store import items, sources
from praxis.store.intake import Intake
from praxis.store.items import Kept

START = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
ENTITY = "ent_alpha"
TRACKS = {"health:alpha": "health", "log:alpha": "log"}
"""Sources and what they tell of; Praxis looks at the first by itself."""
LOOKED = "health:alpha"


def at(second: int) -> datetime:
    return START + timedelta(seconds=second)


@dataclass
class Ledger:
    """One database, written by the code that runs in Praxis."""

    connection: sqlite3.Connection
    intake: Intake

    @classmethod
    def create(cls) -> "Ledger":
        connection = sqlite3.connect(":memory:", isolation_level=None)
        connection.row_factory = sqlite3.Row
        migrate(connection, resources.files("praxis.store") / "migrations", SystemClock())
        numbers = count(1)
        intake = Intake(connection, lambda prefix: f"{prefix}_{next(numbers)}", START, at(-1))
        return cls(connection, intake)

    def take(self, observation: Observation) -> tuple[str, Kept, bool]:
        taken = self.intake.take(observation)
        self.intake.flush()
        return taken

    def report(self, report: ReportExecution) -> None:
        self.intake.report(report)
        self.intake.flush()

    def end(self) -> int:
        """The newest cursor of the feed."""
        return self.connection.execute("SELECT coalesce(max(cursor), 0) FROM change").fetchone()[0]

    def told_since(self, cursor: int) -> list[str]:
        """What the feed told after a cursor."""
        rows = self.connection.execute("SELECT what FROM change WHERE cursor > ?", (cursor,))
        return [row["what"] for row in rows]

    def item(self, source: str) -> Kept | None:
        return items.find(self.connection, source, "key")

    def register(self, source: str) -> None:
        """The source is about the entity, from now on and for what it told before."""
        known = KnownSource(
            source=source, kind=TRACKS[source], entity_id=ENTITY, registered_at=START
        )
        sources.save(self.connection, known)
        self.intake.follow(source, None)
        self.intake.flush()

    def settle(self, horizon: datetime) -> dict[str, tuple[Facts, str | None]]:
        """The facts and the entity of every observed item, as of a moment."""
        intake = replace(self.intake, horizon=horizon)
        found: dict[str, tuple[Facts, str | None]] = {}
        for source in TRACKS:
            kept = self.item(source)
            if kept is not None:
                settled = intake.refold(kept.item_id, horizon)
                intake.flush()
                found[source] = settled.facts, settled.entity_id
        return found

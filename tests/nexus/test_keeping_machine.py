"""No sequence of changes loses an id, points nowhere, owns twice, or makes a split lossy."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from kit.errors import Conflict, FailedPrecondition, NotFound
from kit.ids import Ids
from kit.store import Store
from kit.testing import FrozenClock
from nexus.contract import (
    AddAlias,
    ApplyCatalog,
    ArchiveEntity,
    CatalogEntry,
    CreateEntity,
    Entity,
    GiveFeedback,
    MapExternal,
    MergeEntities,
    Relate,
    RetractAlias,
    SplitEntity,
    UnmapExternal,
    Unrelate,
    UpdateEntity,
)
from nexus.domain.relations import HIERARCHICAL, find_cycle
from nexus.store import EntityStore
from nexus.store.changing import EntityChange
from nexus.store.relating import hierarchy
from nexus.store.writing import Author

T = TypeVar("T")
NAMES = st.sampled_from(["Vecna", "Векна", "brain", "мозг", "shelf"])
ORIGINS = st.sampled_from(["declared", "imported", "confirmed", "suggested"])
EXTERNAL = st.sampled_from(["one", "two", "three"])
PREDICATES = st.sampled_from(["part_of", "located_in", "uses"])
KEYS = st.lists(st.sampled_from(["a", "b", "c"]), unique=True)


def essence(entity: Entity) -> dict[str, Any]:
    """The entity without its revision, and without how the far ends are called."""
    known = msgspec.to_builtins(entity)
    del known["revision"]
    known["relations"] = [(each["predicate"], each["entity_id"]) for each in known["relations"]]
    return known


class Keeping(RuleBasedStateMachine):
    """Entities in a real database, changed at random."""

    ids = Bundle("ids")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="nx"))
        self.runner = asyncio.Runner()
        self.clock = FrozenClock()
        self.new = Ids(self.clock)
        self.store = Store(self.folder / "nexus.db", "nexus.store", self.clock)
        self.entities = EntityStore(self.store)
        self.raw = sqlite3.connect(self.folder / "nexus.db", isolation_level=None)
        self.raw.row_factory = sqlite3.Row
        self.given: list[str] = []
        self.merged: dict[str, Entity] = {}
        """What each former entity was before it was merged."""

    def teardown(self) -> None:
        self.raw.close()
        self.runner.run(self.store.close())
        self.runner.close()
        shutil.rmtree(self.folder)

    def run(self, work: Callable[[], Awaitable[T]]) -> T | None:
        """The outcome, or None where it was refused."""

        async def awaited() -> T:
            return await work()

        try:
            return self.runner.run(awaited())
        except (Conflict, FailedPrecondition, NotFound):
            return None

    def change(self, sent: EntityChange) -> Entity | None:
        return self.run(lambda: self.entities.change(sent, self.author()))

    def author(self) -> Author:
        return Author("test", "user:ann", "tests", "cor_1", "2026-11-30T12:00:00.000000Z")

    def get(self, entity_id: str) -> Entity:
        entity = self.run(lambda: _soon(lambda: self.entities.get(entity_id)))
        assert entity is not None
        return entity

    @rule(target=ids, name=NAMES)
    def create(self, name: str) -> str:
        sent = CreateEntity(type="service", names={"en": name})
        made = self.run(lambda: self.entities.create(self.new.new("ent"), sent, self.author()))
        assert made is not None
        self.given.append(made.entity_id)
        return made.entity_id

    @rule(entity=ids, text=NAMES, origin=ORIGINS)
    def alias(self, entity: str, text: str, origin: Any) -> None:
        self.change(AddAlias(entity_id=entity, text=text, origin=origin))

    @rule(entity=ids, text=NAMES, origin=st.none() | ORIGINS)
    def retract(self, entity: str, text: str, origin: Any) -> None:
        changed = self.change(RetractAlias(entity_id=entity, text=text, origin=origin))
        assert origin or changed is None or text not in {each.text for each in changed.aliases}

    @rule(entity=ids, text=NAMES, verdict=st.sampled_from(["confirm", "retract"]))
    def feedback(self, entity: str, text: str, verdict: Any) -> None:
        self.change(GiveFeedback(text=text, entity_id=entity, verdict=verdict))

    @rule(entity=ids, name=NAMES)
    def rename(self, entity: str, name: str) -> None:
        self.change(UpdateEntity(entity_id=entity, names={"ru": name}))

    @rule(entity=ids)
    def archive(self, entity: str) -> None:
        self.change(ArchiveEntity(entity_id=entity))

    @rule(entity=ids)
    def restore(self, entity: str) -> None:
        self.change(UpdateEntity(entity_id=entity, status="active"))

    @rule(entity=ids, external_id=EXTERNAL)
    def map(self, entity: str, external_id: str) -> None:
        sent = MapExternal(entity_id=entity, system="unit", external_id=external_id)
        mapped = self.change(sent)
        assert mapped is None or external_id in {each.external_id for each in mapped.external}

    @rule(entity=ids, external_id=EXTERNAL)
    def unmap(self, entity: str, external_id: str) -> None:
        sent = UnmapExternal(entity_id=entity, system="unit", external_id=external_id)
        mapped = self.change(sent)
        assert mapped is None or external_id not in {each.external_id for each in mapped.external}

    @rule(subject=ids, predicate=PREDICATES, object=ids)
    def relate(self, subject: str, predicate: str, object: str) -> None:
        related = self.change(Relate(subject=subject, predicate=predicate, object=object))
        assert related is None or (predicate, object) in essence(related)["relations"]

    @rule(subject=ids, predicate=PREDICATES, object=ids)
    def unrelate(self, subject: str, predicate: str, object: str) -> None:
        related = self.change(Unrelate(subject=subject, predicate=predicate, object=object))
        assert related is None or (predicate, object) not in essence(related)["relations"]

    @rule(keys=KEYS, prune=st.booleans(), plan=st.booleans(), alias=NAMES, external_id=EXTERNAL)
    def apply(self, keys: list[str], prune: bool, plan: bool, alias: str, external_id: str) -> None:
        entries = [
            CatalogEntry(
                key=key,
                type="service",
                names={"en": key},
                aliases=[alias],
                external={"unit": external_id} if key == "a" else {},
                relations={"part_of": keys[-1]} if key != keys[-1] else {},
            )
            for key in keys
        ]
        sent = ApplyCatalog(catalog="home", entries=entries, prune=prune, plan=plan)
        newest = self.entities.changes(0, 10_000)
        applied = self.run(
            lambda: self.entities.apply_catalog(sent, lambda: self.new.new("ent"), self.author())
        )
        if plan:
            assert self.entities.changes(0, 10_000) == newest
        elif applied is not None:
            self.given += applied.entity_ids.values()
            again = self.run(lambda: self.entities.apply_catalog(sent, lambda: "", self.author()))
            assert again is not None
            assert (again.created, again.updated, again.archived) == (0, 0, 0), again.changes

    @rule(source=ids, into=ids)
    def merge(self, source: str, into: str) -> None:
        before = self.get(source)
        if source == into or before.status != "active" or before.entity_id != source:
            return
        survivor = self.change(MergeEntities(source=source, target=into))
        if survivor is not None:
            assert {source, *before.merged} <= set(survivor.merged)
            self.merged[source] = before

    @rule(former=ids)
    def split(self, former: str) -> None:
        entity_id = self.get(former).entity_id
        restored = self.change(SplitEntity(entity_id=entity_id, restore=former))
        if restored is not None:
            before = self.merged.pop(former)
            assert restored.status == "active"
            assert restored.names == before.names or restored.external  # a catalog renamed it
            if restored.merged == before.merged and not _is_of_catalog(before):
                assert restored.aliases == before.aliases

    @rule(source=ids, into=ids, text=NAMES, external_id=EXTERNAL, predicate=PREDICATES)
    def merge_meddle_and_split(
        self, source: str, into: str, text: str, external_id: str, predicate: str
    ) -> None:
        before = self.get(source)
        target = self.get(into).entity_id
        if source == target:
            return
        if self.change(MergeEntities(source=source, target=target)) is None:
            return
        self.change(RetractAlias(entity_id=target, text=text))
        self.change(RetractAlias(entity_id=target, text=before.names["en"]))
        self.change(UnmapExternal(entity_id=target, system="unit", external_id=external_id))
        for each in before.relations:
            self.change(Unrelate(subject=target, predicate=predicate, object=each.entity_id))
        restored = self.change(SplitEntity(entity_id=target, restore=source))
        assert restored is not None
        assert essence(restored) == essence(before)

    @invariant()
    def names_are_level_with_the_entities(self) -> None:
        wanted = {
            (entity.entity_id, text)
            for entity in map(self.get, self.given)
            if entity.status != "merged"
            for text in (*entity.names.values(), *(alias.text for alias in entity.aliases))
        }
        assert {
            (row[0], row[1]) for row in self.raw.execute("SELECT entity_id, text FROM name")
        } == wanted
        assert not self.raw.execute(
            "SELECT word FROM lexeme WHERE names != (SELECT count(*) FROM name_word"
            " WHERE name_word.lexeme_id = lexeme.lexeme_id)"
        ).fetchall()
        assert not self.raw.execute(
            "SELECT key FROM name_key WHERE name_id NOT IN (SELECT name_id FROM name)"
            " UNION ALL SELECT key FROM lexeme_key"
            " WHERE lexeme_id NOT IN (SELECT lexeme_id FROM lexeme)"
        ).fetchall()

    @invariant()
    def every_id_answers(self) -> None:
        for entity_id in self.given:
            assert self.get(entity_id).status != "merged"

    @invariant()
    def nothing_points_nowhere(self) -> None:
        assert self.raw.execute("PRAGMA foreign_key_check").fetchall() == []
        strays = self.raw.execute(
            "SELECT former.entity_id FROM entity AS former JOIN entity AS successor"
            " ON successor.entity_id = former.successor WHERE successor.status = 'merged'"
        )
        assert strays.fetchall() == []
        shown = [self.get(entity_id) for entity_id in set(self.given)]
        answering = {entity.entity_id for entity in shown}
        assert {each.entity_id for entity in shown for each in entity.relations} <= answering

    @invariant()
    def an_external_id_has_one_owner(self) -> None:
        shown = {entity_id: self.get(entity_id) for entity_id in set(self.given)}
        owned = [
            (each.system, each.external_id)
            for entity_id, entity in shown.items()
            if entity.entity_id == entity_id
            for each in entity.external
        ]
        assert len(owned) == len(set(owned))

    @invariant()
    def nothing_contains_itself(self) -> None:
        for predicate in HIERARCHICAL:
            assert find_cycle(hierarchy(self.raw, predicate)) == []

    @invariant()
    def the_last_line_of_history_is_what_is(self) -> None:
        for row in self.raw.execute(
            "SELECT entity_id, after FROM history WHERE cursor IN"
            " (SELECT max(cursor) FROM history GROUP BY entity_id)"
        ).fetchall():
            now = self.run(
                lambda entity_id=row["entity_id"]: _soon(
                    lambda: self.entities.page(None, entity_id[:-1], 50)
                )
            )
            assert now is not None
            entity = next(each for each in now if each.entity_id == row["entity_id"])
            assert msgspec.json.decode(row["after"], type=Entity).revision == entity.revision
            assert essence(msgspec.json.decode(row["after"], type=Entity)) == essence(entity)


async def _soon(work: Callable[[], T]) -> T:
    return work()


def _is_of_catalog(entity: Entity) -> bool:
    return any(each.system == "catalog" for each in entity.external)


TestKeeping = Keeping.TestCase
TestKeeping.settings = settings(
    max_examples=20,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)

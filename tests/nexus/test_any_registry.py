"""In any small registry a name leads to its owner or to a question, and asking writes nothing."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from kit.ids import Ids
from kit.pulse import Pulse
from kit.store import Store
from kit.testing import FrozenClock
from kit.trace import originate
from nexus.contract import (
    Ambiguous,
    ApplyCatalog,
    CatalogEntry,
    Purpose,
    Resolution,
    Resolve,
    Resolved,
)
from nexus.service import Nexus
from nexus.store import EntityStore
from nexus.store.finding import NameReader
from nexus.store.writing import Author
from tests.evaluation.nexus.scenarios import state_hash
from tests.nexus.domain.strategies import spoken
from tests.requirements import requirement

KNOWN = ["Vecna", "Векна", "Correx", "коррекс", "Muzick", "indexer", "индексатор", "Маша", "C++"]
PURPOSES: list[Purpose] = ["read", "mutate"]
TYPES = ["service", "project.software", "device.host", "person"]
words = st.one_of(st.sampled_from(KNOWN), spoken(1, 4), st.sampled_from(["2", "12", "the"]))
names = st.lists(words, min_size=1, max_size=3).map(" ".join).filter(lambda name: name != "the")
aliases = st.lists(names, max_size=2)
registries = st.lists(st.tuples(names, aliases, st.sampled_from(TYPES)), min_size=1, max_size=6)
frames = st.sampled_from(["{}", "  {}! ", "«{}»", '"{}"', "{}?", "({})", "{}…", "\u202a{}\u202c"])
"""What may stand around a name without changing it."""


class Asked(NamedTuple):
    """What came of asking one registry."""

    ids: dict[str, str]
    answers: list[Resolution]
    is_untouched: bool
    """Whether every table holds what it held before."""


def entries_of(registry: Sequence[tuple[str, list[str], str]]) -> list[CatalogEntry]:
    """The registry as a catalog; the second of two equal names is a namesake."""
    return [
        CatalogEntry(
            key=f"k{number}",
            type=kind,
            names={"en" if name.isascii() else "ru": name},
            aliases=list(dict.fromkeys(aliases)),
        )
        for number, (name, aliases, kind) in enumerate(registry)
    ]


def asked_of(folder: Path, entries: Sequence[CatalogEntry], texts: Sequence[Resolve]) -> Asked:
    """What Nexus says to each of these in a registry of these entries."""

    async def run() -> Asked:
        clock = FrozenClock()
        store = Store(folder / "nexus.db", "nexus.store", clock)
        try:
            entities = EntityStore(store)
            nexus = Nexus(entities, NameReader(store), Pulse(), clock)
            new = Ids(clock)
            applied = await entities.apply_catalog(
                ApplyCatalog(catalog="any", entries=list(entries)),
                lambda: new.new("ent"),
                Author("test", "user:ann", "tests", "cor_1", "2026-11-30T12:00:00.000000Z"),
            )
            before = state_hash(folder / "nexus.db")
            answers = [await nexus.resolve(each, originate("user:ann")) for each in texts]
            return Asked(applied.entity_ids, answers, state_hash(folder / "nexus.db") == before)
        finally:
            await store.close()

    return asyncio.run(run())


def ask(registry: Sequence[tuple[str, list[str], str]], *questions: Resolve) -> Asked:
    """The same, in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="nx") as folder:
        return asked_of(Path(folder), entries_of(registry), questions)


def question(text: str, purpose: Purpose) -> Resolve:
    """A question as a client asks it."""
    return Resolve(text=text, purpose=purpose)


@requirement("nexus.resolution.read-only", "nexus.resolution.three-ways")
@settings(max_examples=60)
@given(st.data(), registries)
def test_a_registered_name_leads_to_its_owner_or_to_a_question_that_has_it(
    data: st.DataObject, registry: list[tuple[str, list[str], str]]
) -> None:
    number = data.draw(st.integers(0, len(registry) - 1))
    name, more, _ = registry[number]
    text = data.draw(st.sampled_from([name, *more]))
    order = " ".join(data.draw(st.permutations(text.split())))
    frame = data.draw(frames)
    texts = [text, text.upper(), text.lower(), frame.format(text), order, frame.format(order)]
    questions = [question(text, purpose) for purpose in PURPOSES for text in texts]

    asked = ask(registry, *questions)

    for each, found in zip(questions, asked.answers, strict=True):
        if isinstance(found, Resolved):
            assert found.entity_id == asked.ids[f"k{number}"], (each, found)
        else:
            assert isinstance(found, Ambiguous), (each, found)
            named = {each.entity_id for each in found.candidates}
            assert asked.ids[f"k{number}"] in named, (each, found)
    assert asked.is_untouched


@requirement("nexus.resolution.read-only", "nexus.resolution.three-ways")
@settings(max_examples=60)
@given(registries, st.lists(st.text(min_size=1, max_size=30), min_size=1, max_size=8))
def test_any_text_is_answered_and_writes_nothing(
    registry: list[tuple[str, list[str], str]], texts: list[str]
) -> None:
    asked = ask(registry, *(question(text, each) for each in PURPOSES for text in texts))

    for found in asked.answers:
        assert not isinstance(found, Ambiguous) or found.candidates
    assert asked.is_untouched

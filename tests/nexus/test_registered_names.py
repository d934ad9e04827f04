"""Whatever is registered is found by its names, or asked about, and never taken for another."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from kit.store import Store
from kit.testing import FrozenClock
from nexus.contract import Ambiguous, ApplyCatalog, CatalogEntry, Purpose, Resolved
from nexus.domain.resolve import decide, rank
from nexus.resolver.find import find
from nexus.store import EntityStore
from nexus.store.finding import NameReader
from nexus.store.writing import Author
from tests.evaluation.nexus.scenarios import state_hash
from tests.requirements import requirement

AUTHOR = Author("test", "user:ann", "tests", "cor_1", "2026-11-30T12:00:00.000000Z")
WORDS = st.sampled_from(
    ["лампа", "кухня", "векна", "архив", "скрипка", "мост", "Vecna", "kitchen", "archive", "x2"]
)
NAMES = st.lists(WORDS, min_size=1, max_size=3, unique=True).map(" ".join)
TYPES = st.sampled_from(["service", "device", "person"])
REGISTRY = st.lists(st.tuples(TYPES, NAMES), min_size=1, max_size=5)


PURPOSES: tuple[Purpose, ...] = ("read", "mutate")


def quoted(name: str) -> str:
    return f"«{name}»!"


def spaced(name: str) -> str:
    return f"  {name}\n"


def turned_round(name: str) -> str:
    return " ".join(reversed(name.split()))


Way = Callable[[str], str]
WAYS: st.SearchStrategy[Way] = st.sampled_from([str.upper, quoted, spaced, turned_round])


def answer(reader: NameReader, text: str, purpose: Purpose) -> object:
    """What Nexus would answer."""
    matches = find(reader, text, strictly=purpose == "mutate")
    known = reader.known([match.entity_id for match in matches])
    return decide(rank(matches, known, "en"), purpose, "en")


@requirement("nexus.resolution.read-only", "nexus.resolution.three-ways")
@settings(max_examples=40)
@given(REGISTRY, WAYS)
def test_a_registered_name_leads_to_its_entity_or_to_a_question_and_writes_nothing(
    registry: list[tuple[str, str]], way: Way
) -> None:
    with asyncio.Runner() as runner, tempfile.TemporaryDirectory(prefix="nx") as folder:
        store = runner.run(_opened(Path(folder) / "nexus.db"))
        entries = [
            CatalogEntry(key=f"k{at}", type=type, names={"en": name})
            for at, (type, name) in enumerate(registry)
        ]
        ids = iter(f"ent_{at}" for at in range(len(entries)))
        catalog = ApplyCatalog(catalog="home", entries=entries)
        runner.run(EntityStore(store).apply_catalog(catalog, lambda: next(ids), AUTHOR))
        before = state_hash(Path(folder) / "nexus.db")

        for at, (_, name) in enumerate(registry):
            for purpose in PURPOSES:
                found = answer(NameReader(store), way(name), purpose)
                if isinstance(found, Resolved):
                    assert found.entity_id == f"ent_{at}"
                else:
                    assert isinstance(found, Ambiguous), found
                    assert f"ent_{at}" in {each.entity_id for each in found.candidates}

        assert state_hash(Path(folder) / "nexus.db") == before
        runner.run(store.close())


async def _opened(path: Path) -> Store:
    return Store(path, "nexus.store", FrozenClock())

"""A catalog that is written out reads back as the same entries, whatever they are called."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from nexus.catalogs import Written
from nexus.catalogs.reading import read_catalog
from nexus.catalogs.writing import written
from nexus.contract import ExportedEntry

HARD = ["no", "0o14", "1e3", "12:30", "1_000", "null", "- x", "a: b", "# c", "'q'", "~", "é", "😀"]
TEXTS = some.one_of(
    some.sampled_from(HARD),
    some.text(some.characters(exclude_categories=["Cs"]), min_size=1, max_size=30),
)
ENTRIES = some.builds(
    ExportedEntry,
    key=some.just("a"),
    type=some.just("device.host"),
    names=some.dictionaries(some.sampled_from(["en", "ru"]), TEXTS, min_size=1),
    aliases=some.lists(TEXTS, max_size=4),
    description=some.dictionaries(some.sampled_from(["en", "ru"]), TEXTS),
    attributes=some.dictionaries(
        TEXTS,
        some.one_of(
            TEXTS,
            some.booleans(),
            some.integers(-(2**53), 2**53),
            some.floats(allow_nan=False, allow_infinity=False),
        ),
        max_size=3,
    ),
    external=some.just({"hostname": "a"}),
    relations=some.sampled_from([{}, {"part_of": ["b"]}, {"x_likes": ["a", "b"]}]),
)
OTHER = ExportedEntry(key="b", type="pet", names={"en": "B"})


@pytest.mark.parametrize("form", get_args(Written))
@settings(deadline=None, max_examples=150)
@given(entry=ENTRIES)
def test_what_is_written_reads_back_the_same(form: Written, entry: ExportedEntry) -> None:
    with tempfile.TemporaryDirectory(prefix="nx") as folder:
        path = Path(folder) / f"a.{form}"
        path.write_text("".join(written("home", [entry, OTHER], form)), "utf-8", newline="")

        read = read_catalog([path]).catalog.entries[0]

    relations = {name: [to] if isinstance(to, str) else to for name, to in read.relations.items()}
    assert (read.names, read.aliases) == (entry.names, entry.aliases)
    assert (read.description, read.attributes) == (entry.description, entry.attributes)
    assert (read.external, relations) == (entry.external, entry.relations)


@pytest.mark.parametrize("form", get_args(Written))
def test_nothing_is_written_as_an_empty_catalog(tmp_path: Path, form: Written) -> None:
    path = tmp_path / f"a.{form}"
    path.write_text("".join(written("home", [], form)), "utf-8")

    assert read_catalog([path]).catalog.entries == []

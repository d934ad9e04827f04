"""Patterns of contracts: what they say holds for the whole text, its last line break included."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.contract import Id
from kit.openapi import describe
from tests.kit.conftest import Stage
from tests.kit.sample.contract import CONTRACT
from tests.kit.wire import connected

SOURCE = Path(__file__).parents[2] / "src"
PATTERN = re.compile(r"\bpattern=(?:r|rf|f)?\"((?:[^\"\\]|\\.)*)\"")


def test_every_pattern_in_the_source_ends_where_the_text_ends() -> None:
    found = {
        (str(path.relative_to(SOURCE)), pattern)
        for path in SOURCE.rglob("*.py")
        for pattern in PATTERN.findall(path.read_text("utf-8"))
    }

    assert len(found) > 10
    assert [each for each in sorted(found) if not each[1].endswith(r"$(?!\n)")] == []
    assert [each for each in sorted(found) if not each[1].startswith("^")] == []


@pytest.mark.parametrize("wrong", ["nte_1\n", "nte_1\n\n", "\nnte_1", "nte_1\r", "nte_1 ", ""])
async def test_an_identifier_with_anything_around_it_is_refused(stage: Stage, wrong: str) -> None:
    async with connected(stage.address) as wire:
        right = await wire.post("echo", stage.headers, '{"note_id":"nte_1"}')
        answer = await wire.post("echo", stage.headers, json.dumps({"note_id": wrong}))

    assert right.status == 200
    assert (answer.status, answer.error.field) == (400, "note_id")


def test_the_published_schema_says_the_same_without_words_only_python_knows() -> None:
    document = msgspec.json.encode(describe(CONTRACT))

    assert rb'"pattern":"^[a-z]{3}_[0-9a-z_]{1,60}$(?!\\n)"' in document
    assert rb"\\Z" not in document


@given(made=st.from_regex(str(msgspec.json.schema(Id)["pattern"])))
def test_texts_made_from_the_published_pattern_are_accepted(made: str) -> None:
    assert msgspec.convert(made, Id) == made

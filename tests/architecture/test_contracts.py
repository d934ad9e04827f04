"""The committed OpenAPI documents are those of the code, and keep the rules of all contracts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ecosystem.contracts import documents
from ecosystem.parts import PARTS
from kit.contract import Operation

ROOT = Path(__file__).parents[2]
OPERATIONS = [
    (part.name, operation) for part in PARTS for operation in part.contract.operations.values()
]
each_operation = pytest.mark.parametrize(
    ("part", "operation"),
    OPERATIONS,
    ids=[f"{part}.{operation.name}" for part, operation in OPERATIONS],
)


@pytest.mark.parametrize("name", documents())
def test_the_committed_document_is_the_one_the_code_gives(name: str) -> None:
    committed = (ROOT / name).read_text("utf-8")

    assert committed == documents()[name], "run `make docs`, and read the difference with care"


def test_no_document_outlives_its_part() -> None:
    committed = {f"docs/contracts/{path.name}" for path in (ROOT / "docs/contracts").iterdir()}

    assert committed == documents().keys()


def structs_in(document: dict[str, Any], start: str) -> dict[str, dict[str, Any]]:
    """Every object schema that can be reached from one."""
    found: dict[str, dict[str, Any]] = {}
    waiting = [start]
    while waiting:
        name = waiting.pop()
        schema = document["components"]["schemas"][name]
        if name in found:
            continue
        found[name] = schema
        text = json.dumps(schema)
        waiting += [piece.split('"')[0] for piece in text.split("#/components/schemas/")[1:]]
    return {name: schema for name, schema in found.items() if "properties" in schema}


@each_operation
def test_a_request_is_closed_all_the_way_down(part: str, operation: Operation[Any, Any]) -> None:
    document = json.loads(documents()[f"docs/contracts/{part}.openapi.json"])
    open_ones = [
        name
        for name, schema in structs_in(document, operation.request.__name__).items()
        if schema.get("additionalProperties") is not False
    ]

    assert open_ones == []


@each_operation
def test_a_reply_is_open_to_what_a_newer_part_adds(
    part: str, operation: Operation[Any, Any]
) -> None:
    document = json.loads(documents()[f"docs/contracts/{part}.openapi.json"])
    post = document["paths"][f"/v1/{operation.name}"]["post"]
    schema = json.dumps(post["responses"]["200"])
    names = [piece.split('"')[0] for piece in schema.split("#/components/schemas/")[1:]]
    closed = [
        inner
        for name in names
        for inner, found in structs_in(document, name).items()
        if found.get("additionalProperties") is False
    ]

    assert closed == []


@each_operation
def test_an_operation_says_what_it_needs(part: str, operation: Operation[Any, Any]) -> None:
    assert operation.summary.endswith(".")
    assert operation.scope is None or operation.scope.split(".")[0] == part
    assert operation.scope is not None or operation.name in {"meta", "health"}
    assert not (operation.waits and operation.effect == "write")
    assert not operation.waits or operation.timeout_s > 60

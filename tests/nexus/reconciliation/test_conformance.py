"""An outside check of the protocol, against Nexus as it is served."""

from __future__ import annotations

import asyncio
import importlib
import json
import sys
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path
from typing import Any

import pytest

from tests.nexus.reconciliation.conftest import Service
from tests.requirements import requirement

CHECK = Path(__file__).parent / "conformance" / "conform.py"
jsonschema: Any = importlib.import_module("jsonschema")  # it ships no types
referencing: Any = importlib.import_module("referencing.jsonschema")


def faults(schema: str, answer: object) -> list[str]:
    """What the draft's schema of this name finds wrong."""
    folder = CHECK.parent / "specs" / "1.0-draft" / "schemas"
    documents = {path.name: json.loads(path.read_text("utf-8")) for path in folder.glob("*.json")}
    named = documents | {each["$id"]: each for each in documents.values()}
    registry = referencing.EMPTY_REGISTRY.with_contents(
        named.items(), default_specification=referencing.DRAFT7
    )
    validator = jsonschema.Draft7Validator(documents[f"{schema}.json"], registry=registry)
    return [error.message for error in validator.iter_errors(answer)]


@requirement("nexus.surface.reconciliation")
@pytest.mark.parametrize("version", ["0.2", "1.0-draft"])
async def test_every_check_of_the_protocol_passes(service: Service, version: str) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        CHECK,
        service.base(version),
        *("--name", "Correx", "--name2", "коррекс", "--id", service.ids["correx"]),
        *("--type", "project.software", "--prop", "alias", "--nexus", "--ambiguous", "indexer"),
        stdout=PIPE,
        stderr=STDOUT,
    )
    said = (await process.communicate())[0].decode()

    assert process.returncode == 0, said
    assert said.rstrip().endswith(", 0 failed")


@pytest.mark.parametrize("language", ["", "accept-language: ru\r\n"])
async def test_what_the_check_leaves_out_of_the_draft_fits_its_schemas(
    service: Service, language: str
) -> None:
    extended = await service.post(
        "/extend",
        {
            "ids": [service.ids["runner"], service.ids["correx"], "no_such_id"],
            "properties": [{"id": each} for each in ("runs_on", "alias", "github", "description")],
        },
        language,
    )
    told = {
        "manifest": await service.get("", language, "1.0-draft"),
        "suggest-entities-response": await service.get("/suggest/entity", language, "1.0-draft"),
        "suggest-types-response": await service.get("/suggest/type", language, "1.0-draft"),
        "suggest-properties-response": await service.get(
            "/suggest/property", language, "1.0-draft"
        ),
        "data-extension-property-proposal": await service.get(
            "/extend/propose", language, "1.0-draft", type="service", limit="4"
        ),
        "data-extension-response": json.loads(extended.body),
    }

    assert {schema: faults(schema, answer) for schema, answer in told.items()} == {
        schema: [] for schema in told
    }


def test_a_fault_in_an_answer_is_found() -> None:
    assert faults("suggest-types-response", {"result": [{"id": "x"}]})

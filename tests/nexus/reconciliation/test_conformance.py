"""An outside check of the protocol, against Nexus as it is served."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path

import pytest

from tests.nexus.reconciliation.conftest import Service

CHECK = Path(__file__).parent / "conformance" / "conform.py"


@pytest.mark.parametrize("version", ["0.2", "1.0-draft"])
async def test_every_check_of_the_protocol_passes(service: Service, version: str) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        CHECK,
        service.base(version),
        *("--name", "Media UI", "--name2", "медиа уи", "--id", service.ids["media"]),
        *("--type", "project.software", "--prop", "alias", "--nexus", "--ambiguous", "indexer"),
        stdout=PIPE,
        stderr=STDOUT,
    )
    said = (await process.communicate())[0].decode()

    assert process.returncode == 0, said
    assert said.rstrip().endswith(", 0 failed")

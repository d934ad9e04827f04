"""What an older client sent is understood, and answered so that it understands.

The fixtures are recordings: they are added to when the protocol gains something, never edited.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kit.address import Address
from kit.auth import Secret
from kit.testing import FrozenClock, Program, grants, hosting
from tests.kit.sample.app import open_part
from tests.kit.wire import connected

RECORDINGS = sorted((Path(__file__).parent / "fixtures").glob("sample-*.json"))
RECORDED_WITH = Secret("tester", bytes(range(32)))


def holds(answered: Any, recorded: Any) -> bool:
    """Whether everything the older client read is still there; more may have come."""
    if isinstance(recorded, dict) and isinstance(answered, dict):
        return all(key in answered and holds(answered[key], recorded[key]) for key in recorded)
    return bool(answered == recorded)


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda path: path.stem)
async def test_a_recorded_client_is_answered_as_it_was(folder: Path, recording: Path) -> None:
    program = Program("tester", ["sample.read", "sample.write"], ["user:*"])
    program.secret = RECORDED_WITH
    known = grants(folder / "grants.json", "sample", program)
    async with (
        hosting(open_part(folder, known, FrozenClock()), folder / "s"),
        connected(Address(path=str(folder / "s"))) as wire,
    ):
        for exchange in json.loads(recording.read_text("utf-8")):
            await wire.send(exchange["request"])
            answer = await wire.answer()

            assert answer.status == exchange["status"]
            assert holds(json.loads(answer.body), exchange["reply"]), answer.body


def test_there_are_recordings() -> None:
    assert RECORDINGS

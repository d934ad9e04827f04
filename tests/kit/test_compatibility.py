"""What an older client sent is understood, and answered so that it understands.

The fixtures are recordings: they are added to when the protocol gains something, never edited.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from kit.address import Address
from kit.auth import Secret
from kit.testing import FrozenClock, Program, grants, hosting
from tests.kit.sample.app import open_part
from tests.kit.wire import connected
from tests.requirements import requirement

RECORDINGS: dict[str, list[dict[str, Any]]] = {
    path.stem: json.loads(path.read_text("utf-8"))
    for path in sorted((Path(__file__).parent / "fixtures").glob("sample-*.json"))
}
RECORDED_WITH = Secret("tester", bytes(range(32)))


def holds(answered: Any, recorded: Any) -> bool:
    """Whether everything the older client read is still there; more may have come."""
    if not isinstance(recorded, dict):
        return bool(answered == recorded)
    fields = cast("dict[str, Any]", recorded)
    return all(key in answered and holds(answered[key], value) for key, value in fields.items())


@pytest.mark.parametrize("recording", RECORDINGS)
@requirement("phase.5.protocol-compatibility")
async def test_a_recorded_client_is_answered_as_it_was(folder: Path, recording: str) -> None:
    program = Program("tester", ["sample.read", "sample.write"], ["user:*"])
    program.secret = RECORDED_WITH
    known = grants(folder / "grants.json", "sample", program)
    async with (
        hosting(open_part(folder, known, FrozenClock()), folder / "s"),
        connected(Address(path=str(folder / "s"))) as wire,
    ):
        for exchange in RECORDINGS[recording]:
            await wire.send(exchange["request"])
            answer = await wire.answer()

            assert answer.status == exchange["status"]
            assert holds(json.loads(answer.body), exchange["reply"]), answer.body


def test_there_are_recordings() -> None:
    assert RECORDINGS

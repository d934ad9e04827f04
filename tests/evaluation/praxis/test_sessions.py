"""The states of recorded sessions follow one another in Praxis as they must."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.testing import FrozenClock
from praxis.contract import Deliver, ListItems
from tests.evaluation.praxis.sessions import STANDS, Recording, Stand, recordings, unseen
from tests.praxis.conftest import World

SESSIONS = Path(__file__).parents[2] / "praxis/data/agent_sessions"
RECORDINGS = recordings(SESSIONS)


async def seen(world: World, session: str, event: str) -> Stand:
    """How a session stands by its item; without one nothing is asked of anybody."""
    for item in (await world.praxis.list_items(ListItems())).items:
        if item.key == session and item.operational == "active":
            return STANDS[item.kind]
    return "ready" if event == "SessionStart" else "working"


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda each: each.folder.name)
async def test_hooks_give_the_expected_states_in_order(world: World, recording: Recording) -> None:
    assert isinstance(world.clock, FrozenClock)
    stands: list[Stand] = []
    for hook in recording.hooks():
        world.clock.advance(1)
        delivered = await world.praxis.deliver(
            Deliver(source="agents", dialect=hook.dialect, body=hook.delivery.body)
        )
        assert delivered.rejected_id is None, delivered.why
        stands.append(await seen(world, hook.session, hook.event))

    assert unseen(recording.phases(), stands) == []


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda each: each.folder.name)
async def test_a_session_that_has_ended_asks_nothing_of_anybody(
    world: World, recording: Recording
) -> None:
    assert isinstance(world.clock, FrozenClock)
    for hook in recording.hooks():
        world.clock.advance(1)
        await world.praxis.deliver(
            Deliver(source="agents", dialect=hook.dialect, body=hook.delivery.body)
        )

    listed = await world.praxis.list_items(ListItems())
    assert [item.key for item in listed.items if item.operational == "active"] == []

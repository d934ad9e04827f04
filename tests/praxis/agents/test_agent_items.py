"""What becomes of a session's item as hooks come in, through the whole of Praxis."""

from __future__ import annotations

import json

from kit.testing import FrozenClock
from praxis.contract import Deliver, Item, ListItems
from tests.praxis.conftest import World

SESSION = "abc123"


async def hooks(world: World, *events: str | dict[str, object], dialect: str = "claude") -> None:
    """Deliver hooks of one session, a second between them."""
    for event in events:
        fields = {"hook_event_name": event} if isinstance(event, str) else event
        body = json.dumps({"session_id": SESSION, **fields}).encode()
        assert isinstance(world.clock, FrozenClock)
        world.clock.advance(1)
        delivered = await world.praxis.deliver(Deliver(source="agents", dialect=dialect, body=body))
        assert delivered.rejected_id is None, delivered.why


async def item(world: World) -> Item:
    (found,) = (await world.praxis.list_items(ListItems())).items
    return found


ASKS: dict[str, object] = {
    "hook_event_name": "PermissionRequest",
    "tool_name": "Bash",
    "tool_input": {"command": "make deploy"},
}
REMINDS: dict[str, object] = {
    "hook_event_name": "Notification",
    "notification_type": "permission_prompt",
    "message": "Claude needs your permission to use Bash",
}
IDLE: dict[str, object] = {"hook_event_name": "Notification", "notification_type": "idle_prompt"}


async def test_work_alone_makes_no_item(world: World) -> None:
    await hooks(world, "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse")

    assert (await world.praxis.list_items(ListItems())).items == []


async def test_a_reminder_leaves_the_exact_question_in_place(world: World) -> None:
    await hooks(world, "UserPromptSubmit", ASKS, REMINDS, IDLE)

    found = await item(world)
    assert (found.key, found.operational, found.kind) == (SESSION, "active", "agent.waiting")
    assert found.title == "Claude Code asks for permission: Bash: make deploy"


async def test_an_answer_takes_the_question_back_and_a_late_tool_does_not_bounce(
    world: World,
) -> None:
    await hooks(world, ASKS, "PostToolUse")
    assert (await item(world)).operational == "recovered"

    await hooks(world, "Stop", "PostToolUse", "PostToolUseFailure")
    found = await item(world)
    assert (found.operational, found.kind, found.severity) == ("active", "agent.ready", "info")


async def test_a_turn_that_ends_without_an_answer_is_ready_and_no_longer_asks(world: World) -> None:
    await hooks(world, ASKS, "Stop")

    found = await item(world)
    assert (found.operational, found.kind, found.severity) == ("active", "agent.ready", "info")


async def test_a_failure_outlasts_idleness_and_ends_with_the_next_prompt(world: World) -> None:
    failure: dict[str, object] = {"hook_event_name": "StopFailure", "error": "rate_limit"}
    await hooks(world, ASKS, failure, IDLE)
    assert (await item(world)).kind == "agent.failed"

    await hooks(world, "UserPromptSubmit")
    assert (await item(world)).operational == "recovered"


async def test_a_session_that_ends_takes_its_question_with_it_and_nobody_has_resolved_it(
    world: World,
) -> None:
    await hooks(world, ASKS, {"hook_event_name": "SessionEnd", "reason": "other"})

    found = await item(world)
    assert (found.operational, found.attention) == ("recovered", "new")


async def test_a_request_of_codex_shows_though_the_last_turn_was_over(world: World) -> None:
    await hooks(world, "Stop", ASKS, dialect="codex")

    found = await item(world)
    assert (found.operational, found.kind) == ("active", "agent.waiting")

    await hooks(world, "Stop", dialect="codex")
    assert (await item(world)).kind == "agent.ready"

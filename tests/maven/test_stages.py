"""Each stage of a turn alone: a value in, a value with more in it out."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest

from maven.contract import Answer
from maven.domain import outcome as of
from maven.domain.dialogue import Dialogue, Known, Option, PendingChoice, PendingConfirmation
from maven.domain.fastpath import Match
from maven.domain.route import named
from maven.domain.turn import Turn
from maven.domain.utterance import hear
from maven.ports import Ports
from maven.stages import delivery, hearing, phrasing, routing, working
from maven.turn import STAGES
from tests.maven.world import World

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
NO_PORTS = cast("Ports", None)
"""For the stages that ask nobody."""
VECNA = Known("ent_vecna", {"en": "Vecna", "ru": "Векна"}, "service.supervised")
WAITING = PendingConfirmation(
    confirmation_id="cnf_1",
    execution_id="exe_1",
    capability_id="cap_restart",
    action="restart",
    title={},
    target=VECNA,
    host_names={},
    risk="protected",
    expires_at=NOW + timedelta(minutes=2),
)
CHOICE = PendingChoice("health", [Option("ent_a", {"en": "Alpha"})], NOW + timedelta(minutes=2))


def turn(text: str, dialogue: Dialogue | None = None, **made: Any) -> Turn:
    """A turn that has just been heard."""
    begun = Turn(
        turn_id="trn_1",
        conversation_id="home",
        requester="user:anna",
        channel="terminal",
        has_assertion=True,
        at=NOW,
        zone=UTC,
        text=text,
        utterance=hear(text),
        dialogue=dialogue or Dialogue(),
    )
    return replace(begun, **made)


def test_the_stages_are_those_of_the_architecture_in_its_order() -> None:
    assert [stage.name for stage in STAGES] == [
        "input", "dialogue", "fast_path", "snapshot", "router",
        "resolution", "query", "action", "phrasing", "delivery",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "dialogue", "intent"),
    [
        ("yes", Dialogue(confirmation=WAITING, question="cnf_1"), "yes"),
        ("yes", Dialogue(confirmation=WAITING), "reprompt"),
        ("yes", Dialogue(confirmation=WAITING, question="cnf_2"), "reprompt"),
        ("ок", Dialogue(confirmation=WAITING, question="cnf_1"), "reprompt"),
        ("ок", Dialogue(confirmation=WAITING), None),
        ("yes?", Dialogue(confirmation=WAITING, question="cnf_1"), "reprompt"),
        ("нет", Dialogue(confirmation=WAITING), "no"),
        ("yes, but tomorrow", Dialogue(confirmation=WAITING), "reprompt"),
        ("yes", Dialogue(), "yes"),
        ("ок", Dialogue(), None),
        ("alpha", Dialogue(choice=CHOICE), "health"),
        ("1", Dialogue(choice=CHOICE), "health"),
        ("да", Dialogue(choice=CHOICE), "health"),
        ("what needs attention?", Dialogue(confirmation=WAITING), None),
    ],
)
async def test_the_dialogue_stage_takes_only_plain_answers(
    text: str, dialogue: Dialogue, intent: str | None
) -> None:
    after = await hearing.as_answer(turn(text, dialogue), NO_PORTS)

    assert (after.route and after.route.intent) == intent


async def test_a_choice_that_waited_too_long_is_gone() -> None:
    old = PendingChoice("health", CHOICE.options, NOW)

    after = await hearing.as_answer(turn("1", Dialogue(choice=old)), NO_PORTS)

    assert after.route is None
    assert after.dialogue.choice is None


async def test_the_router_asks_again_when_got_it_meets_a_proposal() -> None:
    found = Match("acknowledge", "en", None, 2, ())

    after = await routing.choose(
        turn("got it", Dialogue(confirmation=WAITING, question="cnf_1"), found=found), NO_PORTS
    )

    assert after.route == named("reprompt")
    assert after.dialogue.confirmation == WAITING
    assert "no model" in (after.fallback or "")


async def test_resolution_without_a_name_or_a_focus_asks_for_one() -> None:
    found = Match("restart", "en", "it", 1, ())
    routed = await routing.choose(turn("restart it", found=found), NO_PORTS)

    after = await working.resolve(routed, NO_PORTS)

    assert after.outcome == of.NoReference("restart")


async def test_what_has_an_outcome_is_neither_queried_nor_acted_on() -> None:
    settled = turn("restart x", route=named("restart"), outcome=of.NoSuch("x"))

    assert await working.query(settled, NO_PORTS) == settled
    assert await working.act(settled, NO_PORTS) == settled


async def test_delivery_of_an_answer_without_items_calls_nobody() -> None:
    answer = Answer(turn_id="trn_1", conversation_id="home", text="Hi.", language="en")

    after = await delivery.deliver(turn("hi", answer=answer, outcome=of.Talk("greeting")), NO_PORTS)

    assert after.delivered == "returned to terminal"


async def test_phrasing_offers_a_proposal_as_a_card(world: World) -> None:
    ports = cast("Ports", type("Now", (), {"clock": world.clock}))

    after = await phrasing.phrase(turn("x", outcome=of.Challenge(WAITING, can_confirm=True)), ports)

    assert after.answer is not None
    assert after.answer.expects == "confirmation"
    assert after.answer.proposal is not None
    assert after.answer.proposal.target == "Vecna"


def test_no_code_of_maven_makes_a_command_or_opens_a_foreign_database() -> None:
    source = "\n".join(
        path.read_text("utf-8") for path in (Path(__file__).parents[2] / "src/maven").rglob("*.py")
    )

    assert not any(
        word in source for word in ("subprocess", "os.system", "nexus.db", "praxis.db", "hexis.db")
    )

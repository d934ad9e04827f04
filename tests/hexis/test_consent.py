"""Whose yes counts, to what, and how often."""

import asyncio
from collections.abc import Callable

import pytest

from hexis.contract.execution import Execute, GetExecution, Refuse
from kit.errors import (
    FailedPrecondition,
    NotFound,
    PermissionDenied,
)
from kit.testing import Program
from tests.hexis.supervised import Supervised
from tests.hexis.world import AGENT, ANNA, BORIS, RESTART, World
from tests.requirements import requirement


@requirement("arch.7", "invariant.6", "phase.3.confirmation-lifecycle")
async def test_the_challenge_says_what_on_what_where_for_whom_at_which_risk_and_until_when(
    world: World,
) -> None:
    asked = await world.execute(RESTART, "beta")

    assert asked.state == "awaiting_confirmation"
    challenge = asked.confirmation
    assert challenge is not None
    assert challenge.title == {"en": "Restart", "ru": "Перезапустить"}
    assert challenge.action == "restart"
    assert challenge.target.names == {"en": "Beta", "ru": "beta-служба"}
    assert challenge.target.host_names == {"en": "Den", "ru": "Логово"}
    assert (challenge.requester, challenge.risk) == (ANNA, "protected")
    assert (challenge.expires_at - challenge.issued_at).total_seconds() == 120
    assert await world.pending() == [challenge.confirmation_id]


@requirement("arch.7", "invariant.6")
async def test_a_yes_of_a_later_turn_by_the_persons_channel_runs_it(
    world: World, supervised: Supervised, before: int
) -> None:
    challenge = await world.ask("beta")

    done = await world.confirm(challenge.confirmation_id)

    assert done.state == "succeeded"
    assert supervised.pid("beta") != before
    assert await world.pending() == []


Word = Callable[[World, str, str], str]
"""Makes the word of a case from the asking turn and the question it answers."""
REFUSED_WORDS: dict[str, tuple[Word, str]] = {
    "of the asking turn": (lambda w, turn, cnf: w.word(turn, answers=cnf), "assertion_not_later"),
    "from before the question": (
        lambda w, turn, cnf: w.word(later_s=-2, answers=cnf),
        "assertion_not_later",
    ),
    "of its very moment": (
        lambda w, turn, cnf: w.word(later_s=-1, answers=cnf),
        "assertion_not_later",
    ),
    "of an innocent later turn": (lambda w, turn, cnf: w.word(), "assertion_other_question"),
    "of the asking turn by a clock that runs ahead": (
        lambda w, turn, cnf: w.word(later_s=4),
        "assertion_other_question",
    ),
    "that answers another question": (
        lambda w, turn, cnf: w.word(answers=cnf[:-1]),
        "assertion_other_question",
    ),
    "that answers it in other letters": (
        lambda w, turn, cnf: w.word(answers=cnf.upper()),
        "assertion_other_question",
    ),
    "for another person": (
        lambda w, turn, cnf: w.word(requester=BORIS, answers=cnf),
        "assertion_foreign",
    ),
    "by mavend": (
        lambda w, turn, cnf: w.word(channel=w.mavend, answers=cnf),
        "assertion_foreign",
    ),
    "by a stranger": (
        lambda w, turn, cnf: w.word(channel=channel("stranger"), answers=cnf),
        "assertion_foreign",
    ),
    "by another key": (
        lambda w, turn, cnf: w.word(channel=channel("terminal"), answers=cnf),
        "assertion_invalid",
    ),
    "by a channel that may not": (
        lambda w, turn, cnf: w.word(channel=w.mute, answers=cnf),
        "assertion_needed",
    ),
    "altered": (lambda w, turn, cnf: swap_letter(w.word(answers=cnf)), "assertion_invalid"),
    "cut short": (lambda w, turn, cnf: w.word(answers=cnf)[:-8], "assertion_invalid"),
    "no word at all": (lambda w, turn, cnf: "yes", "assertion_invalid"),
    "too old": (
        lambda w, turn, cnf: w.word(later_s=-121, answers=cnf),
        "assertion_expired",
    ),
}


def channel(name: str) -> Program:
    """A channel of this name with a key that nobody knows."""
    return Program(name, [], ["user:*"], channel=True)


def swap_letter(word: str) -> str:
    return word[:-2] + ("A" if word[-2] != "A" else "B") + word[-1]


@requirement("arch.7", "arch.14", "invariant.6")
@pytest.mark.parametrize("case", REFUSED_WORDS)
async def test_a_yes_with_a_wrong_word_is_refused_and_leaves_the_confirmation_pending(
    world: World, supervised: Supervised, before: int, case: str
) -> None:
    make, reason = REFUSED_WORDS[case]
    turn = world.new_turn()
    challenge = await world.ask("beta", turn=turn)

    with pytest.raises(PermissionDenied) as refused:
        await world.confirm(challenge.confirmation_id, make(world, turn, challenge.confirmation_id))

    assert refused.value.reason == reason
    assert supervised.pid("beta") == before
    assert await world.pending() == [challenge.confirmation_id]


@requirement("arch.7", "arch.14", "invariant.6")
@pytest.mark.parametrize("name", ["mavend", "cli"])
async def test_no_program_says_yes_by_its_own_credential_even_one_that_may_confirm(
    world: World, supervised: Supervised, before: int, name: str
) -> None:
    challenge = await world.ask("beta")

    with pytest.raises(PermissionDenied) as refused:
        await world.confirm(challenge.confirmation_id, "", program=getattr(world, name))

    assert refused.value.reason == "assertion_needed"
    assert supervised.pid("beta") == before
    assert await world.pending() == [challenge.confirmation_id]


async def test_the_word_that_came_with_the_question_is_no_yes_even_under_another_turn(
    world: World,
) -> None:
    word = world.word(later_s=3)
    async with world.calling(world.mavend, word=word) as client:
        asked = await client.execute(Execute(capability_id=RESTART, entity_id=world.ids["beta"]))
    assert asked.confirmation is not None

    with pytest.raises(PermissionDenied) as refused:
        await world.confirm(asked.confirmation.confirmation_id, word)

    assert refused.value.reason == "assertion_not_later"


async def test_another_persons_yes_is_refused_and_the_right_ones_still_counts(
    world: World,
) -> None:
    challenge = await world.ask("beta")

    with pytest.raises(PermissionDenied) as refused:
        await world.confirm(challenge.confirmation_id, requester=BORIS)
    done = await world.confirm(challenge.confirmation_id)

    assert refused.value.reason == "requester_mismatch"
    assert done.state == "succeeded"
    assert await world.pending(BORIS) == []


@requirement("invariant.6", "phase.3.confirmation-lifecycle")
async def test_a_second_yes_does_nothing(world: World, supervised: Supervised) -> None:
    challenge = await world.ask("beta")
    done = await world.confirm(challenge.confirmation_id)
    after = supervised.pid("beta")
    world.clock.advance(1)

    with pytest.raises(FailedPrecondition) as refused:
        await world.confirm(challenge.confirmation_id)

    assert refused.value.reason == "confirmation_consumed"
    assert done.execution_id in refused.value.message
    assert supervised.pid("beta") == after


async def test_of_many_yeses_at_once_one_counts(world: World, supervised: Supervised) -> None:
    challenge = await world.ask("beta")

    answers = await asyncio.gather(
        *(world.confirm(challenge.confirmation_id) for _ in range(8)), return_exceptions=True
    )

    done = [each for each in answers if not isinstance(each, BaseException)]
    reasons = {each.reason for each in answers if isinstance(each, FailedPrecondition)}
    assert [each.state for each in done] == ["succeeded"]
    assert reasons == {"confirmation_consumed"}
    assert await world.reported(done[0].execution_id) == ["running", "succeeded"]


async def test_one_turn_says_yes_to_one_thing(
    world: World, supervised: Supervised, before: int
) -> None:
    first = await world.ask("alpha")
    second = await world.ask("beta")
    turn = world.new_turn()
    await world.confirm(first.confirmation_id, world.word(turn, answers=first.confirmation_id))

    with pytest.raises(PermissionDenied) as refused:
        await world.confirm(
            second.confirmation_id, world.word(turn, answers=second.confirmation_id)
        )

    assert refused.value.reason == "assertion_used"
    assert supervised.pid("beta") == before
    assert await world.pending() == [second.confirmation_id]


@requirement("phase.3.confirmation-lifecycle")
async def test_a_yes_that_comes_too_late_is_refused(
    world: World, supervised: Supervised, before: int
) -> None:
    challenge = await world.ask("beta")
    world.clock.advance(120)

    with pytest.raises(FailedPrecondition) as refused:
        await world.confirm(challenge.confirmation_id)

    assert refused.value.reason == "confirmation_expired"
    assert await world.state_of(challenge.execution_id) == "refused"
    assert supervised.pid("beta") == before


async def test_whoever_waits_for_a_yes_is_told_when_its_time_runs_out(world: World) -> None:
    challenge = await world.ask("beta")
    world.clock.advance(120)

    async with world.calling(world.mavend) as client:
        ended = await client.get_execution(
            GetExecution(execution_id=challenge.execution_id, wait_s=10)
        )

    assert (ended.state, ended.reason) == ("refused", "confirmation_expired")


async def test_after_a_no_a_yes_is_refused(
    world: World, supervised: Supervised, before: int
) -> None:
    challenge = await world.ask("beta")
    async with world.calling(world.mavend, word=world.word()) as client:
        ended = await client.refuse(Refuse(confirmation_id=challenge.confirmation_id))

    with pytest.raises(FailedPrecondition) as refused:
        await world.confirm(challenge.confirmation_id)

    assert (ended.state, ended.reason) == ("refused", "confirmation_refused")
    assert refused.value.reason == "confirmation_refused"
    assert supervised.pid("beta") == before


async def test_nobody_else_can_say_no(world: World) -> None:
    challenge = await world.ask("beta")

    async with world.calling(world.mavend, BORIS, word=world.word(requester=BORIS)) as client:
        with pytest.raises(PermissionDenied) as refused:
            await client.refuse(Refuse(confirmation_id=challenge.confirmation_id))

    assert refused.value.reason == "requester_mismatch"
    assert await world.pending() == [challenge.confirmation_id]


async def test_a_program_takes_back_its_own_question_and_no_other(world: World) -> None:
    by_hand = await world.ask("beta", program=world.cli)
    by_maven = await world.ask("alpha")

    async with world.calling(world.mavend, word=world.word()) as client:
        with pytest.raises(PermissionDenied) as refused:
            await client.refuse(Refuse(confirmation_id=by_hand.confirmation_id))
        await client.refuse(Refuse(confirmation_id=by_maven.confirmation_id))

    assert refused.value.reason == "confirmation_foreign"
    assert await world.pending() == [by_hand.confirmation_id]


@requirement("arch.14")
async def test_an_agent_neither_asks_for_nor_confirms_what_is_protected(
    world: World, supervised: Supervised, before: int
) -> None:
    challenge = await world.ask("beta")

    with pytest.raises(PermissionDenied) as asking:
        await world.execute(RESTART, "beta", requester=AGENT, program=world.mcp)
    with pytest.raises(PermissionDenied) as confirming:
        await world.confirm(challenge.confirmation_id, "", requester=AGENT, program=world.mcp)

    assert asking.value.reason == "policy_denied"
    assert confirming.value.reason == "requester_mismatch"
    assert supervised.pid("beta") == before


async def test_nothing_is_known_of_a_confirmation_that_was_never_issued(world: World) -> None:
    with pytest.raises(NotFound) as refused:
        await world.confirm("cnf_00000000000000000000000000")

    assert refused.value.reason == "confirmation_unknown"


async def test_one_program_has_so_many_waiting_and_one_more_voids_its_oldest(world: World) -> None:
    by_hand = await world.ask("beta", program=world.cli)
    for_boris = await world.ask("beta", requester=BORIS)
    asked = [await world.ask("beta") for _ in range(22)]

    with pytest.raises(FailedPrecondition) as refused:
        await world.confirm(asked[1].confirmation_id)
    waiting = await world.pending()
    done = await world.confirm(by_hand.confirmation_id, program=world.cli)

    assert refused.value.reason == "confirmation_void"
    assert "too_many_pending" in refused.value.message
    newest = [each.confirmation_id for each in reversed(asked[2:])]
    assert waiting == [*newest, by_hand.confirmation_id]
    assert await world.pending(BORIS) == [for_boris.confirmation_id]
    assert done.state == "succeeded"


async def test_each_refusal_of_a_yes_is_in_the_audit(world: World) -> None:
    challenge = await world.ask("beta")
    with pytest.raises(PermissionDenied):
        await world.confirm(challenge.confirmation_id, requester=BORIS)
    with pytest.raises(PermissionDenied):
        await world.confirm(challenge.confirmation_id, world.word(later_s=-1))

    rows = [(row["requester"], row["decision"], row["reason"]) for row in world.audit()]

    assert rows == [
        (ANNA, "awaiting_confirmation", ""),
        (BORIS, "refused", "requester_mismatch"),
        (ANNA, "refused", "assertion_not_later"),
    ]

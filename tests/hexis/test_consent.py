"""Whose yes counts, to what, and how often."""

import asyncio
from collections.abc import Callable

import pytest

from hexis.contract.execution import Execute, GetExecution, ListConfirmations, Refuse
from kit.errors import (
    FailedPrecondition,
    NotFound,
    PermissionDenied,
    ResourceExhausted,
    Unavailable,
)
from kit.testing import Program
from tests.hexis.supervised import Supervised
from tests.hexis.world import AGENT, ANNA, BORIS, RESTART, SHIPPED, World
from tests.requirements import requirement


@pytest.fixture
def before(supervised: Supervised) -> int:
    """Which process `beta` was before the test did anything."""
    return pid(supervised)


def pid(supervised: Supervised) -> int:
    return supervised.info("beta")["pid"]


async def state_of(world: World, execution_id: str) -> str:
    async with world.calling(world.mavend) as client:
        return (await client.get_execution(GetExecution(execution_id=execution_id))).state


async def pending(world: World, requester: str = ANNA) -> list[str]:
    async with world.calling(world.cli, requester) as client:
        reply = await client.list_confirmations(ListConfirmations())
    return [each.confirmation_id for each in reply.confirmations]


@requirement("arch.7", "invariant.6", "phase.3.confirmation-lifecycle")
async def test_the_challenge_says_what_on_what_where_for_whom_at_which_risk_and_until_when(
    world: World,
) -> None:
    asked = await world.execute(RESTART, "beta")

    assert asked.state == "awaiting_confirmation"
    challenge = asked.confirmation
    assert challenge is not None
    assert challenge.title == {"en": "Restart", "ru": "Перезапустить"}
    assert challenge.target.names == {"en": "Beta", "ru": "beta-служба"}
    assert challenge.target.host_names == {"en": "Den", "ru": "Логово"}
    assert (challenge.requester, challenge.risk) == (ANNA, "protected")
    assert (challenge.expires_at - challenge.issued_at).total_seconds() == 120
    assert await pending(world) == [challenge.confirmation_id]


@requirement("arch.7", "invariant.6")
async def test_a_yes_of_a_later_turn_by_the_persons_channel_runs_it(
    world: World, supervised: Supervised, before: int
) -> None:
    challenge = await world.ask("beta")

    done = await world.confirm(challenge.confirmation_id)

    assert done.state == "succeeded"
    assert pid(supervised) != before
    assert await pending(world) == []


Word = Callable[[World, str, str], str]
"""Makes the word of a case from the asking turn and a word minted before the question."""
REFUSED_WORDS: dict[str, tuple[Word, str]] = {
    "of the asking turn": (lambda w, turn, early: w.word(turn), "assertion_not_later"),
    "from before the question": (lambda w, turn, early: early, "assertion_not_later"),
    "of its very moment": (lambda w, turn, early: w.word(later_s=-1), "assertion_not_later"),
    "for another person": (lambda w, turn, early: w.word(requester=BORIS), "assertion_foreign"),
    "by mavend": (lambda w, turn, early: w.word(channel=w.mavend), "assertion_foreign"),
    "by a stranger": (
        lambda w, turn, early: w.word(channel=Program("stranger", [], ["user:*"], channel=True)),
        "assertion_foreign",
    ),
    "by another key": (
        lambda w, turn, early: w.word(channel=Program("terminal", [], ["user:*"], channel=True)),
        "assertion_invalid",
    ),
    "by a channel that may not": (
        lambda w, turn, early: w.word(channel=w.mute),
        "assertion_needed",
    ),
    "altered": (lambda w, turn, early: swap_letter(w.word()), "assertion_invalid"),
    "cut short": (lambda w, turn, early: w.word()[:-8], "assertion_invalid"),
    "no word at all": (lambda w, turn, early: "yes", "assertion_invalid"),
    "too old": (lambda w, turn, early: w.word(later_s=-121), "assertion_expired"),
}


def swap_letter(word: str) -> str:
    return word[:-2] + ("A" if word[-2] != "A" else "B") + word[-1]


@requirement("arch.7", "arch.14", "invariant.6")
@pytest.mark.parametrize("case", REFUSED_WORDS)
async def test_a_yes_with_a_wrong_word_is_refused_and_leaves_the_confirmation_pending(
    world: World, supervised: Supervised, before: int, case: str
) -> None:
    make, reason = REFUSED_WORDS[case]
    turn = world.new_turn()
    early = world.word(later_s=-1)
    challenge = await world.ask("beta", turn=turn)

    with pytest.raises(PermissionDenied) as refused:
        await world.confirm(challenge.confirmation_id, make(world, turn, early))

    assert refused.value.reason == reason
    assert pid(supervised) == before
    assert await pending(world) == [challenge.confirmation_id]


@requirement("arch.7", "arch.14", "invariant.6")
@pytest.mark.parametrize("name", ["mavend", "cli"])
async def test_no_program_says_yes_by_its_own_credential_even_one_that_may_confirm(
    world: World, supervised: Supervised, before: int, name: str
) -> None:
    challenge = await world.ask("beta")

    with pytest.raises(PermissionDenied) as refused:
        await world.confirm(challenge.confirmation_id, "", program=getattr(world, name))

    assert refused.value.reason == "assertion_needed"
    assert pid(supervised) == before
    assert await pending(world) == [challenge.confirmation_id]


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
    assert await pending(world, BORIS) == []


@requirement("invariant.6", "phase.3.confirmation-lifecycle")
async def test_a_second_yes_does_nothing(world: World, supervised: Supervised) -> None:
    challenge = await world.ask("beta")
    done = await world.confirm(challenge.confirmation_id)
    after = pid(supervised)
    world.clock.advance(1)

    with pytest.raises(FailedPrecondition) as refused:
        await world.confirm(challenge.confirmation_id)

    assert refused.value.reason == "confirmation_consumed"
    assert done.execution_id in refused.value.message
    assert pid(supervised) == after


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
    await world.confirm(first.confirmation_id, world.word(turn))

    with pytest.raises(PermissionDenied) as refused:
        await world.confirm(second.confirmation_id, world.word(turn))

    assert refused.value.reason == "assertion_used"
    assert pid(supervised) == before
    assert await pending(world) == [second.confirmation_id]


@requirement("phase.3.confirmation-lifecycle")
async def test_a_yes_that_comes_too_late_is_refused(
    world: World, supervised: Supervised, before: int
) -> None:
    challenge = await world.ask("beta")
    world.clock.advance(120)

    with pytest.raises(FailedPrecondition) as refused:
        await world.confirm(challenge.confirmation_id)

    assert refused.value.reason == "confirmation_expired"
    assert await state_of(world, challenge.execution_id) == "refused"
    assert pid(supervised) == before


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
    assert pid(supervised) == before


async def test_nobody_else_can_say_no(world: World) -> None:
    challenge = await world.ask("beta")

    async with world.calling(world.mavend, BORIS, word=world.word(requester=BORIS)) as client:
        with pytest.raises(PermissionDenied) as refused:
            await client.refuse(Refuse(confirmation_id=challenge.confirmation_id))

    assert refused.value.reason == "requester_mismatch"
    assert await pending(world) == [challenge.confirmation_id]


@requirement("invariant.6")
@pytest.mark.parametrize(
    ("case", "reason"),
    [
        ("definition", "capability_changed"),
        ("declared version", "capability_changed"),
        ("capability gone", "capability_changed"),
        ("risk lowered", "capability_changed"),
        ("archived", "entity_archived"),
        ("retargeted", "entity_retargeted"),
        ("other type", "capability_not_applicable"),
    ],
)
async def test_a_change_in_the_world_makes_the_confirmation_void(
    world: World, supervised: Supervised, before: int, case: str, reason: str
) -> None:
    challenge = await world.ask("beta")
    match case:
        case "definition":
            world.write_capabilities(SHIPPED.replace("timeout_s = 60", "timeout_s = 61"))
        case "declared version":
            world.write_capabilities(SHIPPED.replace('version = "1"', 'version = "2"'))
        case "capability gone":
            world.write_capabilities(SHIPPED.replace(RESTART, f"{RESTART}_other"))
        case "risk lowered":
            world.write_capabilities(SHIPPED.replace('"protected"\nentity', '"low"\nentity'))
        case "archived":
            await world.archive("beta")
        case "retargeted":
            await world.describe(beta="gamma")
        case _:
            await world.describe(type="project.repository", beta="beta")
    await world.restart()

    with pytest.raises(FailedPrecondition) as refused:
        await world.confirm(challenge.confirmation_id)
    with pytest.raises(FailedPrecondition) as again:
        await world.confirm(challenge.confirmation_id)

    assert refused.value.reason == reason
    assert again.value.reason == "confirmation_void"
    assert await state_of(world, challenge.execution_id) == "refused"
    assert pid(supervised) == before


async def test_another_name_of_the_entity_changes_nothing_about_the_yes(world: World) -> None:
    challenge = await world.ask("beta")
    await world.describe(name="Renamed", beta="beta")

    done = await world.confirm(challenge.confirmation_id)

    assert done.state == "succeeded"


@requirement("invariant.6")
@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("execution", "arguments", '{"force":true}'),
        ("execution", "external_id", "alpha"),
        ("execution", "entity_id", "ent_other"),
        ("execution", "host_id", "ent_other"),
        ("execution", "capability_id", "cap_supervisor_status"),
        ("execution", "capability_version", "2-00000000"),
        ("execution", "definition_digest", "0" * 64),
        ("execution", "risk", "low"),
        ("confirmation", "issued_at", "2020-01-01T00:00:00.000000Z"),
        ("confirmation", "expires_at", "2099-01-01T00:00:00.000000Z"),
        ("confirmation", "asked_turn", "trn_other"),
        ("confirmation", "asked_word", "other"),
        ("confirmation", "seal", b"\0" * 32),
    ],
)
async def test_an_altered_row_makes_the_confirmation_void(
    world: World, supervised: Supervised, before: int, table: str, column: str, value: str | bytes
) -> None:
    challenge = await world.ask("beta")
    world.alter(f"UPDATE {table} SET {column} = ?", value)  # noqa: S608 - named right above

    with pytest.raises(FailedPrecondition) as refused:
        await world.confirm(challenge.confirmation_id)

    assert refused.value.reason == "confirmation_altered"
    assert await state_of(world, challenge.execution_id) == "refused"
    assert pid(supervised) == before


async def test_a_row_given_to_another_person_is_no_way_to_their_yes(world: World) -> None:
    challenge = await world.ask("beta")
    world.alter("UPDATE execution SET requester = ?", BORIS)

    with pytest.raises(FailedPrecondition) as refused:
        await world.confirm(challenge.confirmation_id, requester=BORIS)

    assert refused.value.reason == "confirmation_altered"


async def test_a_spent_confirmation_set_back_to_pending_is_not_spent_again(
    world: World, supervised: Supervised
) -> None:
    challenge = await world.ask("beta")
    await world.confirm(challenge.confirmation_id)
    after = pid(supervised)
    world.alter("UPDATE confirmation SET state = ?", "pending")
    world.clock.advance(1)

    with pytest.raises(FailedPrecondition) as refused:
        await world.confirm(challenge.confirmation_id)

    assert refused.value.reason == "confirmation_consumed"
    assert pid(supervised) == after


@requirement("arch.11")
async def test_without_nexus_a_yes_waits(world: World, supervised: Supervised, before: int) -> None:
    challenge = await world.ask("beta")
    await world.stop("nexus")

    with pytest.raises(Unavailable) as refused:
        await world.confirm(challenge.confirmation_id)

    assert refused.value.reason == "identity_unverifiable"
    assert pid(supervised) == before
    assert await pending(world) == [challenge.confirmation_id]


async def test_a_confirmation_survives_a_restart_of_hexis(world: World) -> None:
    challenge = await world.ask("beta")
    await world.restart()

    done = await world.confirm(challenge.confirmation_id)

    assert done.state == "succeeded"


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
    assert pid(supervised) == before


async def test_nothing_is_known_of_a_confirmation_that_was_never_issued(world: World) -> None:
    with pytest.raises(NotFound) as refused:
        await world.confirm("cnf_00000000000000000000000000")

    assert refused.value.reason == "confirmation_unknown"


async def test_confirmations_that_wait_are_bounded(world: World) -> None:
    for _ in range(20):
        await world.execute(RESTART, "beta")

    with pytest.raises(ResourceExhausted) as refused:
        await world.execute(RESTART, "beta")

    assert refused.value.reason == "too_many_pending"
    assert await world.execute(RESTART, "alpha", requester=BORIS)


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

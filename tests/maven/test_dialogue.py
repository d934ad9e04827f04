"""The restart dialogue in both languages, over real parts and a real supervisord."""

import asyncio
import json

import pytest

from kit.errors import Conflict, NotFound
from kit.trace import originate, working_for
from maven.contract import ListTurns
from praxis.contract import ListChanges
from tests.hexis.supervised import Supervised
from tests.maven.world import ANNA, BORIS, World
from tests.requirements import requirement


async def executions(world: World, state: str | None = None) -> list[str]:
    """What Praxis has heard that Hexis did, by state."""
    changes = await world.praxis.list_changes(ListChanges(after=0, limit=500))
    states = [
        each.details["state"] for each in changes.changes if each.what == "execution_reported"
    ]
    return [each for each in states if state in (None, each)]


@requirement("arch.1", "arch.7", "arch.8", "phase.3.confirmation-lifecycle")
@pytest.mark.parametrize(
    ("order", "yes", "target", "host", "succeeded", "unseen"),
    [
        ("restart it", "yes", "Vecna", "Den", "command succeeded", "not yet been seen healthy"),
        (
            "перезапусти её",
            "да",
            "«Векна»",
            "на хосте Логово",
            "Команда выполнена",
            "пока не видно",
        ),
    ],
)
async def test_a_restart_is_asked_confirmed_done_and_not_yet_called_recovered(
    world: World, supervised: Supervised, order: str, yes: str, target: str, host: str,
    succeeded: str, unseen: str,
) -> None:  # fmt: skip
    before = supervised.info("alpha")["pid"]
    await world.observe("vecna", "problem")
    attention = "что требует внимания?" if yes == "да" else "what needs attention?"
    told = await world.say(attention)
    challenge = await world.say(order)
    unchanged = supervised.info("alpha")["pid"]

    done = await world.say(yes)

    assert target.strip("«»") in told.text
    assert challenge.expects == "confirmation"
    assert challenge.proposal is not None
    assert challenge.proposal.target in target
    assert target in challenge.text
    assert host in challenge.text
    assert unchanged == before
    assert succeeded in done.text
    assert unseen in done.text
    assert supervised.info("alpha")["pid"] != before


@requirement("arch.7", "invariant.6")
@pytest.mark.parametrize(
    ("order", "yes", "nothing"),
    [
        ("restart vecna", "yes", "Nothing is waiting for a yes"),
        ("перезапусти векну", "да", "Ничего не ждёт подтверждения"),
    ],
)
async def test_a_second_yes_does_nothing(
    world: World, supervised: Supervised, order: str, yes: str, nothing: str
) -> None:
    await world.talk(order, yes)
    pid = supervised.info("alpha")["pid"]

    again = await world.say(yes)

    assert nothing in again.text
    assert supervised.info("alpha")["pid"] == pid
    assert await executions(world, "succeeded") == ["succeeded"]


@pytest.mark.parametrize(
    ("order", "no", "off"),
    [("restart vecna", "no", "is off"), ("перезапусти векну", "не надо", "отменено")],
)
async def test_no_calls_it_off_in_hexis_too(world: World, order: str, no: str, off: str) -> None:
    await world.say(order)

    answer = await world.say(no)

    assert off in answer.text
    assert await executions(world) == []
    assert "Nothing is waiting" in (await world.say("yes")).text


async def test_yes_without_a_question_is_answered_and_does_nothing(world: World) -> None:
    answers = [await world.say(text) for text in ("yes", "да", "go ahead", "подтверждаю")]

    assert all("othing" in each.text or "ичего" in each.text for each in answers)
    assert await executions(world) == []


@requirement("invariant.6")
async def test_another_requester_and_another_conversation_cannot_say_yes(world: World) -> None:
    await world.say("restart vecna", conversation="home")

    elsewhere = await world.say("yes", conversation="office")
    other = await world.say("yes", requester=BORIS)

    assert "Nothing is waiting" in elsewhere.text
    assert "Nothing is waiting" in other.text
    assert await executions(world) == []


async def test_a_channel_that_cannot_vouch_is_told_so_and_cannot_confirm(world: World) -> None:
    asked = await world.say("перезапусти векну", vouched=False)
    refused = await world.say("да", vouched=False)
    accepted = await world.say("да")

    assert "Отсюда «да» сказать нельзя" in asked.text
    assert "не может поручиться" in refused.text
    assert refused.expects == "confirmation"
    assert "Команда выполнена" in accepted.text


async def test_a_condition_is_no_yes_and_is_asked_about_again(world: World) -> None:
    await world.say("restart vecna")

    answer = await world.say("yes but only the manga one")

    assert answer.expects == "confirmation"
    assert "plain yes or no" in answer.text
    assert await executions(world) == []


@pytest.mark.parametrize(("order", "yes", "words"), [
    ("restart vecna", "yes", "ran out"),
    ("перезапусти векну", "да", "Время на подтверждение вышло"),
])  # fmt: skip
async def test_a_yes_that_comes_too_late_hears_so(
    world: World, order: str, yes: str, words: str
) -> None:
    await world.say(order)
    world.clock.advance(130)

    answer = await world.say(yes)

    assert words in answer.text
    assert await executions(world) == []


async def test_a_question_leaves_a_proposal_waiting(world: World) -> None:
    await world.talk("restart vecna", "is vecna healthy?", "yes")

    answer = await world.say("yes")

    assert "command succeeded" in answer.text


async def test_another_order_puts_a_proposal_aside_and_says_so(world: World) -> None:
    await world.say("restart vecna")

    answer = await world.say("restart the muzick indexer")

    assert answer.text.startswith("I put the restart of Vecna aside")
    assert answer.proposal is not None
    assert answer.proposal.target == "Muzick indexer"


@requirement("arch.2", "phase.2.entity-disambiguation", "phase.2.dialogue-continuation")
@pytest.mark.parametrize(
    ("order", "question", "choice", "target"),
    [
        ("restart the indexer", "Which one", "the muzick one", "Muzick indexer"),
        ("restart the indexer", "Which one", "музыка", "Индексатор музыки"),
        ("перезапусти индексатор", "Что именно", "музыки", "Индексатор музыки"),
        ("перезапусти индексатор", "Что именно", "вторую", "Индексатор музыки"),
    ],
)
async def test_a_name_of_two_is_asked_about_and_the_choice_is_understood(
    world: World, order: str, question: str, choice: str, target: str
) -> None:
    asked = await world.say(order)
    before = await executions(world)
    numbers = {option.label: option.number for option in asked.choices}
    said = str(numbers[target]) if choice == "вторую" and numbers[target] != 2 else choice

    challenge = await world.say(said)

    assert question in asked.text
    assert asked.expects == "choice"
    assert len(numbers) == 2
    assert before == []
    assert challenge.proposal is not None
    assert challenge.proposal.target == target


async def test_a_misspelt_target_is_suggested_and_never_acted_on_by_itself(world: World) -> None:
    asked = await world.say("restart vecnaa")

    challenge = await world.say("yes")

    assert "Did you mean Vecna?" in asked.text
    assert asked.expects == "choice"
    assert challenge.expects == "confirmation"
    assert await executions(world) == []


async def test_two_things_at_once_are_not_half_done(world: World) -> None:
    answers = [await world.say("restart vecna and the muzick indexer"),
               await world.say("перезапусти векну и нексус")]  # fmt: skip

    assert "one at a time" in answers[0].text
    assert "одно за раз" in answers[1].text
    assert await executions(world) == []


async def test_it_is_what_was_last_spoken_of(world: World) -> None:
    asked = await world.talk("как там векна?", "какой у неё статус?")
    nothing = await world.say("restart it", conversation="new")

    assert "«Векна» запущен" in asked.text
    assert nothing.expects == "nothing"
    assert "What do you mean" in nothing.text


async def test_an_action_hexis_does_not_offer_is_said_to_be_none(world: World) -> None:
    answer = await world.say("restart den")

    assert "does not offer" in answer.text
    assert await executions(world) == []


async def test_the_same_turn_again_gets_the_stored_answer(world: World) -> None:
    turn_id = "trn_0000000000aaaa"
    first = await world.say("restart vecna", turn_id=turn_id)

    again = await world.say("restart vecna", turn_id=turn_id)

    assert again == first
    with pytest.raises(Conflict):
        await world.say("restart it", turn_id=turn_id)
    with pytest.raises(Conflict):
        await world.say("restart vecna", turn_id=turn_id, requester=BORIS)


async def test_turns_of_one_conversation_run_one_after_another(world: World) -> None:
    await world.say("restart vecna")

    answers = await asyncio.gather(*(world.say("yes") for _ in range(4)))

    succeeded = [each for each in answers if "command succeeded" in each.text]
    assert len(succeeded) == 1
    assert await executions(world, "succeeded") == ["succeeded"]


async def test_a_turn_is_visible_to_its_requester_alone(world: World) -> None:
    answer = await world.say("what needs attention?")

    with pytest.raises(NotFound):
        await world.turn(answer.turn_id, requester=BORIS)
    assert (await world.turn(answer.turn_id)).text == "what needs attention?"


async def test_a_conversation_goes_on_after_a_restart_of_maven(world: World) -> None:
    await world.say("restart vecna")
    await world.stop("maven")
    await world.start("maven")

    answer = await world.say("yes")

    assert "command succeeded" in answer.text


async def test_the_answer_is_in_the_language_of_the_question(world: World) -> None:
    answers = [
        await world.say("restart векна please"),
        await world.say("нет"),
        await world.say("перезапусти индексатор"),
        await world.say("1"),
        await world.say("2", language="en", conversation="new"),
    ]

    assert [each.language for each in answers] == ["en", "ru", "ru", "ru", "en"]


async def test_repeat_says_the_last_answer_again(world: World) -> None:
    first = await world.say("is vecna healthy?")

    again = await world.say("say that again")

    assert again.text == first.text


async def test_list_turns_shows_the_newest_first(world: World) -> None:
    await world.talk("hello", "thanks")

    with working_for(originate(ANNA)):
        turns = await world.maven.list_turns(ListTurns(conversation_id="home"))

    assert [each.text for each in turns.turns] == ["thanks", "hello"]


@requirement("arch.6", "invariant.5")
@pytest.mark.parametrize(
    "order",
    [
        "restart vecna; rm -rf /",
        "restart ent_vecna; DROP TABLE items",
        "перезапусти $(reboot)",
        "restart `id`",
        "restart ../../etc/passwd",
        "перезапусти всё",
    ],
)
async def test_only_an_entity_nexus_knows_ever_reaches_hexis(world: World, order: str) -> None:
    answer = await world.say(order)

    record = await world.turn(answer.turn_id)
    assert answer.expects != "confirmation"
    assert "execute" not in {each.operation for each in record.trace if each.service == "hexis"}


@requirement("arch.6", "phase.3.execution-request")
async def test_what_hexis_is_asked_for_is_a_capability_and_an_entity_by_id(world: World) -> None:
    answer = await world.say("restart vecna")

    record = await world.turn(answer.turn_id)
    asked = next(each for each in record.trace if each.operation == "execute")
    assert json.loads(asked.request_summary) == {
        "capability_id": "cap_supervisor_restart",
        "entity_id": world.ids["vecna"],
        "wait_s": 0.0,
    }


@requirement("arch.19", "phase.4.no-autonomous-execution", "invariant.4")
async def test_hearing_of_trouble_sets_nothing_going(world: World) -> None:
    await world.observe("vecna", "problem")
    await world.talk("what needs attention?", "как там векна?", "got it")

    with working_for(originate(ANNA)):
        said = await world.maven.list_turns(ListTurns())

    turns = [await world.turn(each.turn_id) for each in said.turns]
    assert len(turns) == 3
    assert await executions(world) == []
    assert not {"execute", "confirm"} & {each.operation for turn in turns for each in turn.trace}

"""What was told is remembered by its name, and what was noted or set aside is not told anew."""

import pytest

from praxis.contract import Observe
from tests.maven.world import World


@pytest.mark.parametrize(
    ("question", "done", "nothing", "aside", "name"),
    [
        ("what needs attention?", "done", "Nothing else needs attention: 4 sources are fresh",
         "Set aside as dealt with, but still going on: Vecna has not been answering since",
         "Vecna"),
        ("что требует внимания?", "готово", "Больше ничего не требует внимания: 4 свежих",
         "Отмечено как решённое, но ещё продолжается: сервис «Векна» не отвечает с", "Векна"),
    ],
)  # fmt: skip
async def test_what_was_set_aside_and_goes_on_is_still_told(
    world: World, question: str, done: str, nothing: str, aside: str, name: str
) -> None:
    await world.observe("vecna", "problem")
    await world.talk(question, done)

    answer = await world.say(question)

    assert answer.text.startswith(nothing)
    assert aside in answer.text
    challenge = await world.say("restart it" if answer.language == "en" else "перезапусти его")
    assert challenge.proposal is not None
    assert challenge.proposal.target == name


@pytest.mark.parametrize(
    ("question", "noted", "words"),
    [
        ("what needs attention?", "got it", "It was taken note of already."),
        ("что требует внимания?", "понял", "Уже принято к сведению."),
    ],
)
async def test_what_was_taken_note_of_says_so(
    world: World, question: str, noted: str, words: str
) -> None:
    await world.observe("vecna", "problem")
    before = await world.say(question)
    await world.say(noted)

    after = await world.say(question)

    assert words not in before.text
    assert words in after.text


@pytest.mark.parametrize(
    ("question", "noted", "told", "taken"),
    [
        ("what needs attention?", "got it", "Vecna has not been answering since",
         "Noted: Vecna is acknowledged."),
        ("что требует внимания?", "понял", "сервис «Векна» не отвечает с",
         "Принято к сведению: «Векна»."),
    ],
)  # fmt: skip
async def test_without_nexus_things_keep_the_names_they_were_told_by(
    world: World, question: str, noted: str, told: str, taken: str
) -> None:
    await world.say("how is vecna?")
    await world.observe("vecna", "problem")
    await world.stop("nexus", "maven")
    await world.start("maven")

    attention = await world.say(question)
    answer = await world.say(noted)

    assert told in attention.text
    assert answer.text.startswith(taken)


@pytest.mark.parametrize(
    ("question", "noted", "told", "taken"),
    [
        ("what needs attention?", "got it", "“health:broken” has not been answering since",
         "Noted: “health:broken” is acknowledged."),
        ("что требует внимания?", "понял", "«health:broken» не отвечает с",
         "Принято к сведению: «health:broken»."),
    ],
)  # fmt: skip
async def test_a_thing_never_named_is_called_as_its_source_calls_it(
    world: World, question: str, noted: str, told: str, taken: str
) -> None:
    await world.observe("broken", "problem")
    await world.stop("nexus")

    attention = await world.say(question)
    answer = await world.say(noted)

    assert told in attention.text
    assert answer.text.startswith(taken)


async def test_an_item_of_no_entity_is_called_as_its_source_calls_it(world: World) -> None:
    await world.praxis.observe(
        Observe(
            source="backup",
            event_id="b1",
            key="nightly",
            kind="task",
            state="problem",
            summary="did not run",
            observed_at=world.clock.now(),
        )
    )

    answer = await world.talk("what needs attention?", "got it")

    assert "backup is acknowledged" in answer.text


@pytest.mark.parametrize(
    ("order", "yes", "noted", "words"),
    [
        ("restart vecna", "yes", "got it", "Noted: Vecna is acknowledged."),
        ("перезапусти векну", "да", "понял", "Принято к сведению: «Векна»."),
    ],
)
async def test_got_it_after_news_means_what_the_news_was_of(
    world: World, order: str, yes: str, noted: str, words: str
) -> None:
    await world.observe("vecna", "problem")
    await world.observe("broken", "problem")
    await world.talk("what needs attention?", order, yes)
    await world.observe("vecna", "ok")
    await world.heard()

    answer = await world.say(noted)

    assert answer.text == words
    assert await world.item_states("vecna") == [("recovered", "acknowledged")]
    assert await world.item_states("broken") == [("active", "surfaced")]


async def test_news_nobody_fetched_was_not_told(world: World) -> None:
    await world.observe("vecna", "problem")
    await world.talk("restart vecna", "yes")
    await world.observe("vecna", "ok")
    await world.heard(requester="user:boris", wait_s=1)

    answer = await world.say("got it")

    assert "nothing to mark" in answer.text
    assert await world.item_states("vecna") == [("recovered", "new")]

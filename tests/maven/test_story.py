"""What became of something set going: told when asked, and told unasked, once."""

import asyncio
import os
import signal

import pytest

from hexis.contract.execution import GetExecution
from kit.trace import originate, working_for
from maven.contract import ListNotifications
from tests.hexis.supervised import Supervised
from tests.maven.world import ANNA, BORIS, World
from tests.requirements import requirement


@requirement("phase.3.execution-correlation")
@pytest.mark.parametrize(
    ("order", "yes", "question", "unseen", "seen"),
    [
        ("restart vecna", "yes", "what happened after the restart?",
         "has not been seen healthy since", "was seen healthy at"),
        ("перезапусти векну", "да", "что было после перезапуска?",
         "с тех пор здоровым ещё не замечен", "снова в порядке: это видно с"),
    ],
)  # fmt: skip
async def test_the_story_tells_success_and_recovery_apart(
    world: World, order: str, yes: str, question: str, unseen: str, seen: str
) -> None:
    await world.observe("vecna", "problem")
    await world.talk(order, yes)
    before = await world.say(question)
    await world.observe("vecna", "ok")

    after = await world.say(question)

    assert unseen in before.text
    assert seen in after.text
    assert after.text.startswith(("You asked for the restart", "Вы попросили перезапустить"))
    assert before.execution_ids == after.execution_ids


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("what happened after the restart?", "I know of no restart"),
        ("что было после перезапуска?", "О перезапуске мне ничего не известно"),
    ],
)
async def test_without_a_restart_there_is_no_story(world: World, question: str, words: str) -> None:
    await world.talk("restart vecna", "no")

    assert words in (await world.say(question)).text


@requirement("arch.8", "phase.4.change-cursor")
@pytest.mark.parametrize(
    ("order", "yes", "words"),
    [
        ("restart vecna", "yes", "Vecna is healthy again after the restart"),
        ("перезапусти векну", "да", "Сервис «Векна» снова в порядке"),
    ],
)
async def test_recovery_is_told_unasked_and_once(
    world: World, order: str, yes: str, words: str
) -> None:
    await world.observe("vecna", "problem")
    await world.talk(order, yes)
    nothing = await world.heard(wait_s=0)
    await world.observe("vecna", "ok")

    news = await world.heard()

    assert nothing.notifications == []
    assert [each.kind for each in news.notifications] == ["recovered"]
    assert words in news.notifications[0].text
    assert news.notifications[0].conversation_id == "home"
    await world.observe("vecna", "ok")
    assert (await world.heard(after=news.next_after, wait_s=0.5)).notifications == []


async def test_news_is_for_the_one_who_asked_for_it(world: World) -> None:
    await world.talk("restart vecna", "yes")
    await world.observe("vecna", "ok")
    await world.heard()

    foreign = await world.heard(wait_s=0, requester=BORIS)
    later = await world.heard(after=None, wait_s=0)

    assert foreign.notifications == []
    assert later.notifications == []


async def test_items_of_news_are_surfaced_when_a_channel_fetches_it(world: World) -> None:
    await world.observe("vecna", "problem")
    await world.talk("restart vecna", "yes")
    await world.observe("vecna", "ok")
    before = await world.item_states("vecna")

    await world.heard()

    assert before == [("recovered", "new")]
    assert await world.item_states("vecna") == [("recovered", "surfaced")]


async def test_news_that_comes_while_maven_is_down_is_told_after(world: World) -> None:
    await world.observe("vecna", "problem")
    await world.talk("restart vecna", "yes")
    await world.stop("maven")
    await world.observe("vecna", "ok")
    await world.start("maven")

    news = await world.heard()

    assert [each.kind for each in news.notifications] == ["recovered"]


@pytest.mark.parametrize(
    ("order", "yes", "words"),
    [
        ("restart vecna", "yes", "Vecna is healthy again after the restart"),
        ("перезапусти векну", "да", "Сервис «Векна» снова в порядке после перезапуска"),
    ],
)
async def test_recovery_seen_before_praxis_heard_of_the_end_is_told(
    world: World, order: str, yes: str, words: str
) -> None:
    await world.say(order)
    await world.stop("praxis")
    await world.say(yes)
    await world.start("praxis")
    await world.observe("vecna", "ok")

    news = await world.heard(wait_s=20)

    assert [each.kind for each in news.notifications] == ["recovered"]
    assert words in news.notifications[0].text


async def test_a_restart_that_does_not_help_is_told(world: World) -> None:
    await world.observe("vecna", "problem")
    await world.talk("restart vecna", "yes")
    world.clock.advance(60)
    await world.observe("vecna", "problem")

    news = await world.heard()

    assert [each.kind for each in news.notifications] == ["not_recovered"]
    assert "although the command succeeded" in news.notifications[0].text


async def test_a_command_that_fails_is_told_at_once_and_watched_no_more(world: World) -> None:
    answer = await world.talk("restart grafana", "yes")

    assert "failed" in answer.text
    assert (await world.heard(wait_s=0.5)).notifications == []


async def test_maven_hands_over_when_it_is_stopped_while_waiting(
    world: World, supervised: Supervised
) -> None:
    await world.say("перезапусти джеллифин")
    waiting = asyncio.create_task(world.say("да"))
    await supervised.until(lambda each: each.info("stubborn")["statename"] == "STOPPING")

    await world.stop("maven")
    answer = await waiting

    assert "Меня самого сейчас перезапускают" in answer.text
    await world.start("maven")
    os.kill(supervised.info("stubborn")["pid"], signal.SIGKILL)
    await supervised.until(lambda each: each.info("stubborn")["statename"] == "RUNNING")
    await world.hexis.get_execution(GetExecution(answer.execution_ids[0], wait_s=20))
    await world.observe("slow", "ok")
    news = await world.heard(wait_s=20)
    assert [each.kind for each in news.notifications] == ["recovered"]


async def test_a_restart_of_hexis_itself_is_handed_over_and_told_later(world: World) -> None:
    answer = await world.talk("restart hexis", "yes")
    await world.stop("hexis")
    await world.start("hexis")
    await world.observe("hexis", "ok")

    news = await world.heard(wait_s=20)

    assert "handed to the supervisor" in answer.text
    assert [each.kind for each in news.notifications][-1] in {"recovered", "execution_finished"}


async def test_a_listener_is_let_go_when_maven_stops(world: World) -> None:
    with working_for(originate(ANNA)):
        waiting = asyncio.create_task(
            world.maven.list_notifications(ListNotifications(after=0, wait_s=30))
        )
        await world.say("hello")

    async with asyncio.timeout(10):
        await world.stop("maven")
        heard = await waiting

    assert heard.notifications == []

"""Attention, health and items through Maven: told, surfaced, acknowledged, resolved, all apart."""

import pytest

from praxis.contract import PutSource
from tests.maven.world import WATCHED, World
from tests.requirements import requirement


@requirement("arch.3", "phase.1.list-attention")
@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("what needs attention?", f"Nothing needs attention: {len(WATCHED)} sources are fresh"),
        ("что требует внимания?", f"Ничего не требует внимания: {len(WATCHED)} свежих источника"),
    ],
)
async def test_an_empty_list_says_what_it_rests_on(world: World, question: str, words: str) -> None:
    answer = await world.say(question)

    assert answer.text.startswith(words)
    assert answer.text.endswith(("came just now.", "получено только что."))


@pytest.mark.parametrize(
    ("question", "unknown", "name"),
    [
        ("what needs attention?", ("Not known", "no news of"), "Vecna"),
        ("что требует внимания?", ("Неизвестно", "данных нет с"), "«Векна»"),
    ],
)
async def test_a_source_gone_quiet_is_named_and_not_taken_for_well(
    world: World, question: str, unknown: tuple[str, str], name: str
) -> None:
    world.clock.advance(4 * 3600)
    await world.observe("broken", "ok")

    answer = await world.say(question)

    assert any(each in answer.text for each in unknown)
    assert name in answer.text


@requirement("arch.4", "arch.9", "phase.2.acknowledge-item", "phase.2.resolve-item")
@pytest.mark.parametrize(
    ("question", "noted", "finished"),
    [
        ("what needs attention?", ("got it", "acknowledged"), ("done", "resolved")),
        ("что требует внимания?", ("понял", "Принято к сведению"), ("готово", "решённое")),
    ],
)
async def test_told_noted_and_dealt_with_are_three_things(
    world: World, question: str, noted: tuple[str, str], finished: tuple[str, str]
) -> None:
    await world.observe("vecna", "problem")
    before = await world.item_states("vecna")

    told = await world.say(question)
    after_telling = await world.item_states("vecna")
    acknowledged = await world.say(noted[0])
    after_noting = await world.item_states("vecna")
    resolved = await world.say(finished[0])

    assert len(told.item_ids) == 1
    assert before == [("active", "new")]
    assert after_telling == [("active", "surfaced")]
    assert noted[1] in acknowledged.text
    assert after_noting == [("active", "acknowledged")]
    assert finished[1] in resolved.text
    assert await world.item_states("vecna") == [("active", "resolved")]


@pytest.mark.parametrize(
    ("question", "noted", "choice", "words"),
    [
        ("what needs attention?", "got it", "the Grafana one", "Grafana is acknowledged"),
        ("что требует внимания?", "понял", "графана", "«Графана»"),
    ],
)
async def test_got_it_asks_when_several_were_told(
    world: World, question: str, noted: str, choice: str, words: str
) -> None:
    await world.observe("vecna", "problem")
    await world.observe("broken", "problem")
    told = await world.say(question)
    asked = await world.say(noted)

    answer = await world.say(choice)

    assert "\n1. " in told.text
    assert asked.expects == "choice"
    assert {option.item_id for option in asked.choices} == set(told.item_ids)
    assert words in answer.text
    assert await world.item_states("broken") == [("active", "acknowledged")]
    assert await world.item_states("vecna") == [("active", "surfaced")]


async def test_got_it_without_anything_told_marks_nothing(world: World) -> None:
    await world.observe("vecna", "problem")

    answers = [await world.say("got it"), await world.say("готово")]

    assert "nothing to mark" in answers[0].text
    assert "отмечать нечего" in answers[1].text
    assert await world.item_states("vecna") == [("active", "new")]


async def test_it_means_the_one_item_told_and_asks_among_several(world: World) -> None:
    await world.observe("vecna", "problem")
    await world.observe("broken", "problem")

    asked = await world.talk("what needs attention?", "restart it")

    assert asked.expects == "choice"
    assert {option.label for option in asked.choices} == {"Vecna", "Grafana"}


@pytest.mark.parametrize(
    ("question", "well", "ill"),
    [
        ("is vecna healthy?", "Vecna is healthy: last seen", "Vecna has not been answering since"),
        ("как там векна?", "Сервис «Векна» в порядке", "Сервис «Векна» не отвечает с"),
    ],
)
async def test_health_is_told_from_what_was_seen(
    world: World, question: str, well: str, ill: str
) -> None:
    before = await world.say(question)
    await world.observe("vecna", "problem")

    after = await world.say(question)

    assert well in before.text
    assert ill in after.text


@pytest.mark.parametrize(
    ("question", "words"),
    [("is vecna healthy?", "is not known since"), ("как там векна?", "состояние неизвестно с")],
)
async def test_old_news_is_not_told_as_health(world: World, question: str, words: str) -> None:
    world.clock.advance(5 * 3600)

    answer = await world.say(question)

    assert words in answer.text


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("how is the manga indexer?", "Nothing reports on Manga indexer"),
        ("как там индексатор манги?", "никто Praxis не сообщает"),
    ],
)
async def test_what_nobody_reports_on_is_not_known(world: World, question: str, words: str) -> None:
    assert words in (await world.say(question)).text


@requirement("phase.1.list-changes")
@pytest.mark.parametrize(
    ("question", "words"),
    [("what changed today?", "Vecna: trouble began"), ("что изменилось сегодня?", "неполадка")],
)
async def test_changes_are_told_with_their_times(world: World, question: str, words: str) -> None:
    await world.observe("vecna", "problem")

    answer = await world.say(question)

    assert words in answer.text


@requirement("arch.5", "phase.1.list-capabilities", "phase.1.resolve-entity")
@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("what can be done with vecna?", "restart (asks for your yes)"),
        ("что можно сделать с векной?", "перезапустить (спросит подтверждение)"),
        ("what is vecna?", "Vecna is a service on Den."),
        ("что такое векна?", "«Векна» — сервис, работает на хосте Логово."),
        ("show me the logs of vecna", "ready"),
        ("покажи логи векны", "ready"),
        ("what's the status of vecna", "Vecna is running: process"),
        ("статус векны", "Сервис «Векна» запущен: процесс"),
    ],
)
async def test_things_are_looked_at(world: World, question: str, words: str) -> None:
    assert words in (await world.say(question)).text


async def test_a_source_that_never_spoke_is_said_to_be_unheard(world: World) -> None:
    await world.praxis.put_source(
        PutSource(
            source="health:muzick",
            kind="health",
            expected_every_s=3600,
            entity_id=world.ids["muzick"],
        )
    )

    answer = await world.say("how is the muzick indexer?")

    assert "never been heard" in answer.text


@pytest.mark.parametrize(
    ("question", "waits", "never"),
    [
        ("what changed today?", "waiting to see it healthy", "trouble"),
        ("что изменилось сегодня?", "ожидается восстановление", "неполадка"),
    ],
)
async def test_waiting_for_recovery_is_no_trouble_in_what_changed(
    world: World, question: str, waits: str, never: str
) -> None:
    await world.talk("restart vecna", "yes")

    answer = await world.say(question)

    assert waits in answer.text
    assert never not in answer.text

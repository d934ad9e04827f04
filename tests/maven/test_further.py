"""A sentence may go on from the last: the same question of another thing, or of a listed one."""

import pytest

from tests.maven.world import World


@pytest.mark.parametrize(
    ("first", "further", "words"),
    [
        ("how is vecna?", "and its logs?", "The last lines of Vecna"),
        ("how is vecna?", "and the logs?", "The last lines of Vecna"),
        ("how is vecna?", "and grafana?", "Grafana is healthy"),
        ("how is vecna?", "what about grafana?", "Grafana is healthy"),
        ("who is vecna?", "and grafana?", "Grafana is a service on Den"),
        ("как там векна?", "а логи?", "Последние строки журнала сервиса «Векна»"),
        ("как там векна?", "а её логи?", "Последние строки журнала сервиса «Векна»"),
        ("как там векна?", "а графана?", "Сервис «Графана» в порядке"),
        ("что такое векна?", "а что насчёт графаны?", "«Графана» — сервис"),
        ("какой статус у векны?", "а у джеллифина?", "Сервис «Джеллифин» запущен"),
    ],
)
async def test_a_question_goes_on_to_another_thing(
    world: World, first: str, further: str, words: str
) -> None:
    answer = await world.talk(first, further)

    assert words in answer.text


@pytest.mark.parametrize(
    ("question", "further"),
    [
        ("what needs attention?", "and the second?"),
        ("what needs attention?", "what about the second one?"),
        ("what needs attention?", "the second"),
        ("что требует внимания?", "а второй?"),
        ("что требует внимания?", "что насчёт второго?"),
        ("что требует внимания?", "второе"),
    ],
)
async def test_a_number_means_the_item_that_was_told_under_it(
    world: World, question: str, further: str
) -> None:
    await world.observe("vecna", "problem")
    await world.observe("broken", "problem")
    told = await world.say(question)
    second = told.text.splitlines()[2]

    answer = await world.say(further)

    assert answer.item_ids == told.item_ids[1:]
    assert ("Grafana" in second or "Графана" in second) == (
        "Grafana" in answer.text or "Графана" in answer.text
    )


@pytest.mark.parametrize(
    ("order", "no", "further", "well"),
    [
        ("restart vecna", "no", "and grafana?", "Grafana is healthy"),
        ("перезапусти векну", "нет", "а графана?", "Сервис «Графана» в порядке"),
    ],
)
async def test_going_on_asks_and_never_orders(
    world: World, order: str, no: str, further: str, well: str
) -> None:
    answer = await world.talk(order, no, further)

    assert well in answer.text
    assert answer.expects == "nothing"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("and let us have a chat", "did not understand"),
        ("а давай поболтаем", "Не понимаю"),
    ],
)
async def test_what_names_nothing_is_not_taken_for_a_name(
    world: World, text: str, words: str
) -> None:
    assert words in (await world.talk("how is vecna?", text)).text


async def test_while_a_yes_is_waited_for_nothing_is_taken_for_going_on(world: World) -> None:
    answer = await world.talk("restart vecna", "and quickly")

    assert answer.expects == "confirmation"
    assert "plain yes or no" in answer.text

"""Parts down one by one, in pairs and all: what is known is told, what is not is said to be so."""

import itertools

import pytest

from kit.errors import Unavailable
from tests.maven.world import World
from tests.requirements import requirement

OUTAGES = [
    parts
    for count in (1, 2, 3)
    for parts in itertools.combinations(("nexus", "praxis", "hexis"), count)
]
NEEDS = {
    ("what needs attention?", "что требует внимания?"): "praxis",
    ("how is vecna?", "как там векна?"): "praxis",
    ("what changed today?", "что изменилось сегодня?"): "praxis",
    ("what's the status of vecna?", "какой статус у векны?"): "hexis",
    ("show me the logs of vecna", "покажи логи векны"): "hexis",
    ("what can be done with vecna?", "что можно сделать с векной?"): "hexis",
    ("restart vecna", "перезапусти векну"): "hexis",
    ("who is grafana?", "что такое графана?"): "nexus",
    ("restart grafana", "перезапусти графану"): "nexus",
}
"""What is asked, and the part without which it cannot be answered."""
ALWAYS = [
    ("hello", "привет"),
    ("help", "помощь"),
    ("thanks", "спасибо"),
    ("yes", "да"),
    ("no", "нет"),
    ("say that again", "повтори"),
    ("restart vecna and nexus", "перезапусти векну и нексус"),
    ("blah blah blah", "бла бла бла"),
    ("what happened after the restart?", "что было после перезапуска?"),
]
GAPS = {
    "nexus": ("Nexus, which knows", "Nexus, который знает"),
    "praxis": ("Praxis, which watches", "Praxis, который следит"),
    "hexis": ("Hexis, which carries", "Hexis, который выполняет"),
}


@requirement("arch.11", "arch.15", "phase.5.degraded-modes")
@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("down", OUTAGES, ids="+".join)
async def test_every_question_is_answered_with_what_is_known_and_what_is_not(
    world: World, down: tuple[str, ...], language: str
) -> None:
    number = ("en", "ru").index(language)
    await world.talk("how is vecna?", "как там векна?")
    await world.stop(*down)
    faults: list[str] = []

    for phrases, part in NEEDS.items():
        answer = await world.say(phrases[number])
        told = any(GAPS[each][number] in answer.text for each in ({part, "nexus"} & set(down)))
        if part in down and not told:
            faults.append(f"{phrases[number]}: {part} is down, and {answer.text!r}")
        if not set(answer.degraded) <= set(down) or (part in down and not answer.degraded):
            faults.append(f"{phrases[number]}: degraded is {answer.degraded}")
        if answer.expects == "confirmation" and "nexus" in down:
            faults.append(f"{phrases[number]}: something unverified was proposed")
    for phrases in ALWAYS:
        answer = await world.say(phrases[number])
        if not answer.text or answer.language != language:
            faults.append(f"{phrases[number]}: {answer.text!r}")

    assert faults == []


@requirement("arch.11")
@pytest.mark.parametrize(
    ("question", "never", "unread"),
    [
        ("what needs attention?", "Nothing needs attention", "does not mean that there is nothing"),
        ("что требует внимания?", "Ничего не требует", "не значит, что ничего нет"),
    ],
)
async def test_without_praxis_it_is_never_said_that_nothing_needs_attention(
    world: World, question: str, never: str, unread: str
) -> None:
    await world.say("restart vecna")
    await world.stop("praxis")

    answer = await world.say(question)

    assert never not in answer.text
    assert unread in answer.text
    assert "Vecna" in answer.text or "Векна" in answer.text


async def test_without_nexus_what_was_verified_before_can_still_be_read(world: World) -> None:
    await world.say("how is vecna?")
    await world.stop("nexus")

    by_name = await world.say("как там векна?")
    by_pronoun = await world.say("how is it?")
    unknown = await world.say("how is grafana?")
    order = await world.say("restart vecna")
    reboot = await world.say("restart it")

    assert "«Векна» в порядке" in by_name.text
    assert "Vecna is healthy" in by_pronoun.text
    assert "I cannot tell what “grafana” is" in unknown.text
    assert "So I did nothing" in order.text
    assert "So I did nothing" in reboot.text
    assert {each.expects for each in (order, reboot)} == {"nothing"}


@pytest.mark.parametrize(
    ("order", "impossible", "known"),
    [
        ("restart vecna", "is not possible now", "Praxis says: Vecna has not been answering since"),
        (
            "перезапусти векну",
            "сейчас нельзя перезапустить сервис «Векна»",
            "По данным Praxis: сервис «Векна» не отвечает с",
        ),
    ],
)
async def test_without_hexis_the_known_is_told_beside_what_cannot_be_done(
    world: World, order: str, impossible: str, known: str
) -> None:
    await world.observe("vecna", "problem")
    await world.stop("hexis")

    answer = await world.say(order)

    assert impossible in answer.text
    assert known in answer.text
    assert answer.expects == "nothing"


async def test_a_yes_that_hexis_cannot_hear_does_nothing_and_can_be_said_again(
    world: World,
) -> None:
    await world.say("restart vecna")
    await world.stop("hexis")

    lost = await world.say("yes")
    await world.start("hexis")
    taken = await world.say("yes")

    assert "Nothing was done" in lost.text
    assert lost.expects == "confirmation"
    assert "command succeeded" in taken.text


@pytest.mark.parametrize("down", ["hexis", "praxis"])
async def test_the_story_is_told_by_whoever_is_there(world: World, down: str) -> None:
    await world.observe("vecna", "problem")
    await world.talk("restart vecna", "yes")
    await world.observe("vecna", "ok")
    await world.stop(down)

    answer = await world.say("what happened after the restart?")

    assert "You asked for the restart of Vecna" in answer.text
    assert "succeeded at" in answer.text
    assert GAPS[down][0] in answer.text
    assert ("was seen healthy at" in answer.text) == (down == "hexis")


async def test_with_all_parts_down_maven_tells_of_what_it_passed_on(world: World) -> None:
    await world.talk("restart vecna", "yes")
    await world.stop("hexis", "praxis", "nexus")

    story = await world.say("what happened after the restart?")
    attention = await world.say("что требует внимания?")

    assert "You confirmed the restart of Vecna at" in story.text
    assert "слежу, чем кончится перезапуск сервиса «Векна»" in attention.text
    assert sorted(story.degraded) == ["hexis", "nexus", "praxis"]


@pytest.mark.parametrize(
    ("question", "blamed"),
    [
        ("what can be done with vecna?", "Hexis answers, but cannot make sure what that is"),
        ("что можно сделать с векной?", "Hexis отвечает, но не может убедиться, о чём речь"),
    ],
)
async def test_the_part_that_is_missing_is_blamed_and_not_the_one_that_says_so(
    world: World, question: str, blamed: str
) -> None:
    await world.say("как там векна?")
    await world.stop("nexus")

    answer = await world.say(question)

    assert blamed in answer.text
    assert GAPS["nexus"][answer.language == "ru"] in answer.text
    assert answer.degraded == ["nexus"]


@pytest.mark.parametrize(
    ("order", "yes", "blamed", "done"),
    [
        ("restart vecna", "yes", "because Nexus, which knows", "command succeeded"),
        ("перезапусти векну", "да", "потому что Nexus, который знает", "Команда выполнена"),
    ],
)
async def test_a_yes_that_nexus_cannot_back_blames_nexus_and_can_be_said_again(
    world: World, order: str, yes: str, blamed: str, done: str
) -> None:
    await world.say(order)
    await world.stop("nexus")

    lost = await world.say(yes)
    await world.start("nexus")
    taken = await world.say(yes)

    assert blamed in lost.text
    assert lost.degraded == ["nexus"]
    assert lost.expects == "confirmation"
    assert done in taken.text


async def test_a_part_that_is_away_is_waited_for_once_in_a_turn(world: World) -> None:
    await world.say("how is vecna?")
    await world.stop("nexus", "praxis", "hexis")
    await world.say("restart vecna")

    record = await world.turn()

    waits = {
        part: [each.duration_ms for each in record.trace if each.service == part]
        for part in ("nexus", "praxis", "hexis")
    }
    assert all(waits.values())
    assert all(later < 40 for each in waits.values() for later in each[1:])


async def test_a_part_that_is_back_is_asked_in_the_next_turn(world: World) -> None:
    await world.stop("praxis")
    away = await world.say("what needs attention?")
    await world.start("praxis")

    back = await world.say("what needs attention?")

    assert away.degraded == ["praxis"]
    assert back.degraded == []
    assert "Nothing needs attention" in back.text


@requirement("arch.11")
@pytest.mark.parametrize(
    ("question", "known", "unkept", "order"),
    [
        ("how is vecna?", "Vecna is healthy", "My store could not write", "restart vecna"),
        ("как там векна?", "«Векна» в порядке", "Записать этот разговор не", "перезапусти векну"),
    ],
)
async def test_with_a_full_disk_questions_are_answered_and_orders_refused(
    world: World, question: str, known: str, unkept: str, order: str
) -> None:
    store = world.running["maven"].hosted.store
    assert store is not None
    await store.write(lambda connection: connection.execute("PRAGMA max_page_count = 1").fetchone())

    answers = [await world.say(question) for _ in range(30)]

    assert all(known in each.text for each in answers)
    assert unkept in answers[-1].text
    with pytest.raises(Unavailable):
        await world.say(order)

"""A yes restarts what was asked about last, and nothing else does, in both languages."""

import pytest

from hexis.contract.execution import ListExecutions
from tests.maven.world import World
from tests.requirements import requirement


async def done(world: World) -> list[str]:
    """How what Hexis was asked for ended, without what still waits for a yes."""
    listed = await world.hexis.list_executions(ListExecutions())
    return [each.state for each in listed.executions if each.state not in {"refused"}]


@requirement("arch.7", "invariant.6")
@pytest.mark.parametrize(
    ("between", "yes", "again"),
    [
        ("status of the indexer", "yes", "Do you mean: restart “Vecna” on Den? Say yes to that."),
        ("какой статус у индексатора?", "да",
         "Речь об этом: перезапустить сервис «Векна» на хосте Логово?"),
        ("is nexus healthy?", "yes", "Do you mean: restart “Vecna” on Den?"),
        ("как там нексус?", "да", "Речь об этом: перезапустить сервис «Векна»"),
        ("hello", "go ahead", "Do you mean: restart “Vecna” on Den?"),
        ("что требует внимания?", "подтверждаю", "Речь об этом: перезапустить сервис «Векна»"),
        ("what can be done with hexis?", "yes", "Do you mean: restart “Vecna” on Den?"),
    ],
)  # fmt: skip
async def test_a_yes_after_another_answer_is_asked_about_again_and_then_counts(
    world: World, between: str, yes: str, again: str
) -> None:
    await world.talk("restart vecna", between)

    asked = await world.say(yes)
    waiting = await done(world)
    taken = await world.say(yes)

    assert again in asked.text
    assert asked.expects == "confirmation"
    assert waiting == ["awaiting_confirmation"]
    assert "command succeeded" in taken.text or "Команда выполнена" in taken.text


@requirement("arch.7", "invariant.6")
@pytest.mark.parametrize(
    ("order", "yes", "aside", "nothing"),
    [
        ("restart praxis and hexis", "yes", "I put the restart of Vecna aside", "Nothing is"),
        ("перезапусти праксис и хексис", "да", "Отложено: перезапуск", "Ничего не ждёт"),
        ("restart hexis tomorrow", "yes", "I put the restart of Vecna aside", "Nothing is"),
        ("перезапусти хексис завтра", "да", "Отложено: перезапуск", "Ничего не ждёт"),
        ("restart nosuchthing", "yes", "I put the restart of Vecna aside", "Nothing is"),
        ("restart the indexer", "yes", "I put the restart of Vecna aside", "Yes to which?"),
        ("перезапусти индексатор", "да", "Отложено: перезапуск", "чему из этого?"),
    ],
)
async def test_another_order_however_unclear_puts_the_proposal_aside_in_hexis_too(
    world: World, order: str, yes: str, aside: str, nothing: str
) -> None:
    await world.say("restart vecna")

    answer = await world.say(order)
    after = await world.say(yes)

    assert answer.text.startswith(aside)
    assert nothing in after.text
    assert await done(world) == []


@requirement("invariant.6")
@pytest.mark.parametrize(
    "weak", ["good", "ok", "fine", "great", "that is correct", "хорошо", "ладно", "окей", "верно"]
)
@pytest.mark.parametrize("between", [True, False])
async def test_small_talk_never_confirms(world: World, weak: str, between: bool) -> None:
    await world.say("restart vecna")
    if between:
        await world.say("is nexus healthy?")

    answer = await world.say(weak)

    assert between or answer.expects == "confirmation"
    assert await done(world) == ["awaiting_confirmation"]


@requirement("invariant.6")
@pytest.mark.parametrize(
    "text",
    ["sure?", "yes?", "да?", "go ahead?", "да ну", "да ладно", "yeah right", "ok thanks",
     "fine thanks", "да сейчас", "да пусть", "that is correct", "yes, restart nexus",
     "да, перезапусти нексус", "yes :)", "да…", "да, но завтра", "got it", "понял"],
)  # fmt: skip
async def test_a_question_an_idiom_or_anything_beside_a_yes_is_asked_about_again(
    world: World, text: str
) -> None:
    await world.say("restart vecna")

    answer = await world.say(text)

    assert answer.expects == "confirmation"
    assert "plain yes or no" in answer.text or "простое «да» или «нет»" in answer.text
    assert await done(world) == ["awaiting_confirmation"]


@pytest.mark.parametrize(
    "text",
    ["yes please", "да, пожалуйста", "yes, restart it", "да, перезапусти", "да, перезапусти Векну"],
)
async def test_a_yes_that_names_the_very_same_again_is_a_yes(world: World, text: str) -> None:
    await world.say("restart vecna")

    answer = await world.say(text)

    assert "command succeeded" in answer.text or "Команда выполнена" in answer.text


@pytest.mark.parametrize(
    ("no", "off", "nothing"),
    [
        ("don't restart vecna", "is off", "nothing was going to be done"),
        ("do not restart it", "is off", "nothing was going to be done"),
        ("not now", "is off", "nothing was going to be done"),
        ("не перезапускай векну", "отменено", "Ничего и не собирались делать"),
        ("не надо перезапускать векну", "отменено", "Ничего и не собирались делать"),
        ("не надо", "отменено", "Ничего и не собирались делать"),
    ],
)
async def test_an_order_not_to_do_it_is_a_no(world: World, no: str, off: str, nothing: str) -> None:
    unasked = await world.say(no)
    await world.say("restart vecna")

    declined = await world.say(no)

    assert nothing in unasked.text
    assert off in declined.text
    assert await done(world) == []


@pytest.mark.parametrize("no", ["don't restart hexis", "не перезапускай хексис"])
async def test_a_no_to_something_else_leaves_the_question_open(world: World, no: str) -> None:
    await world.say("restart vecna")

    answer = await world.say(no)

    assert answer.expects == "confirmation"
    assert await done(world) == ["awaiting_confirmation"]


@requirement("invariant.5")
@pytest.mark.parametrize(
    "order",
    ["restart vecna tomorrow", "restart vecna in 5 minutes", "restart vecna unless it is healthy",
     "restart not vecna", "restart anything but vecna", "restart hexis if praxis is down",
     "if praxis is down restart hexis", "restart vecna or hexis", "restart vecna, just kidding",
     "restart vecna at 5", "перезапусти векну завтра", "завтра перезапусти векну",
     "перезапусти векну через 5 минут", "перезапусти векну, если она больна",
     "перезапусти не векну", "перезапусти всё кроме векны", "перезапусти векну, шучу",
     "перезапусти векну или хексис", "перезапусти векну в 5 утра"],
)  # fmt: skip
async def test_what_cannot_be_kept_to_is_said_to_be_so_and_not_done(
    world: World, order: str
) -> None:
    answer = await world.say(order)

    assert answer.expects == "nothing"
    assert "I can only do it at once" in answer.text or "Выполняю только сразу" in answer.text
    assert await done(world) == []


@requirement("invariant.6")
@pytest.mark.parametrize(
    ("yes", "words"),
    [("yes", "answered another question"), ("да", "не на тот вопрос"), ("no", "another question")],
)
async def test_an_answer_to_what_another_window_shows_is_not_taken(
    world: World, yes: str, words: str
) -> None:
    first = await world.say("restart vecna")
    await world.say("restart hexis")
    assert first.proposal is not None

    answer = await world.say(yes, answering=first.proposal.confirmation_id)

    assert words in answer.text
    assert "Hexis" in answer.text or "Хексис" in answer.text
    assert await done(world) == ["awaiting_confirmation"]


@pytest.mark.parametrize(
    ("order", "yes", "words", "pick"),
    [
        ("restart the indexer", "yes", "Pick one", "the muzick one"),
        ("перезапусти индексатор", "да", "Назовите", "музыки"),
    ],
)
async def test_a_yes_to_a_choice_of_several_picks_none(
    world: World, order: str, yes: str, words: str, pick: str
) -> None:
    await world.say(order)

    answer = await world.say(yes)
    chosen = await world.say(pick)

    assert words in answer.text
    assert answer.expects == "choice"
    assert len(answer.choices) == 2
    assert chosen.expects == "confirmation"

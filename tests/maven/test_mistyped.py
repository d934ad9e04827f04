"""A mistyped name may answer a question; before an order is proposed, it is asked what is meant."""

import pytest

from maven.contract import Answer
from tests.maven.world import World
from tests.requirements import requirement

ORDERS = [
    ("restart vecnaa", "Vecna"),
    ("restart vcena", "Vecna"),
    ("restart dtryf", "Vecna"),
    ("restart grafna", "Grafana"),
    ("restart manga", "Manga indexer"),
    ("restart muzick indxer", "Muzick indexer"),
    ("please restart jellyfn", "Jellyfin"),
    ("перезапусти векнуу", "Векна"),
    ("перезапусти вкену", "Векна"),
    ("перезапусти dtrye", "Векна"),
    ("перезапусти грофану", "Графана"),
    ("перезапусти индиксатор музыки", "Индексатор музыки"),
    ("перезапусти джелилфин", "Джеллифин"),
]
"""Orders whose name has a slip, the other keyboard layout or a part missing, and what is meant."""


async def executed(world: World, answer: Answer) -> bool:
    """Whether Hexis was asked for anything in that turn."""
    record = await world.turn(answer.turn_id)
    return any(each.operation == "execute" for each in record.trace)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("is vecnaa healthy?", "Vecna is healthy"),
        ("how is grafna?", "Grafana is healthy"),
        ("how is dtryf?", "Vecna is healthy"),
        ("как там вкена?", "Сервис «Векна» в порядке"),
        ("как там dtryf?", "Сервис «Векна» в порядке"),
        ("как там графнаа?", "Сервис «Графана» в порядке"),
    ],
)
async def test_a_question_with_a_mistyped_name_is_answered_by_the_true_one(
    world: World, question: str, words: str
) -> None:
    answer = await world.say(question)

    assert words in answer.text


@requirement("arch.6", "invariant.5")
@pytest.mark.parametrize(("order", "meant"), ORDERS)
async def test_an_order_with_a_mistyped_name_asks_which_is_meant_and_proposes_nothing(
    world: World, order: str, meant: str
) -> None:
    asked = await world.say(order)

    assert asked.expects == "choice"
    assert asked.proposal is None
    assert meant in [each.label for each in asked.choices]
    assert not await executed(world, asked)


@requirement("arch.6", "arch.7")
@pytest.mark.parametrize(
    ("question", "order", "meant"),
    [
        ("is vecnaa healthy?", "restart vecnaa", "Vecna"),
        ("как там вкена?", "перезапусти вкену", "Векна"),
    ],
)
async def test_that_a_thing_was_just_spoken_of_does_not_make_its_mistyped_name_good_for_an_order(
    world: World, question: str, order: str, meant: str
) -> None:
    told = await world.say(question)
    asked = await world.say(order)
    challenge = await world.say("да" if meant == "Векна" else "yes")

    assert meant in told.text
    assert asked.expects == "choice"
    assert not await executed(world, asked)
    assert challenge.proposal is not None
    assert challenge.proposal.target == meant


@pytest.mark.parametrize(
    ("question", "words"),
    [("is nexus healthy?", "Hexis"), ("как там нексус?", "Хексис")],
)
async def test_a_thing_that_is_hardly_meant_is_not_offered(
    world: World, question: str, words: str
) -> None:
    answer = await world.say(question)

    assert answer.expects == "nothing"
    assert words not in answer.text

"""Yes, no and which one are a closed grammar: what is not plainly one of them is none."""

import pytest

from maven.domain.closed import answer_of, chosen
from maven.domain.dialogue import Option
from maven.domain.utterance import hear

INDEXERS = [
    Option("ent_a", {"en": "Muzick indexer", "ru": "Индексатор музыки"}, "Muzick"),
    Option("ent_b", {"en": "Manga indexer", "ru": "Индексатор манги"}, "Manga"),
]


@pytest.mark.parametrize(
    "text",
    ["да", "Да!", "ага", "угу, поехали", "да, давай", "подтверждаю", "конечно, делай",
     "yes", "Yes, please.", "yep", "go ahead", "do it", "i confirm", "yes do it"],
)  # fmt: skip
def test_a_plain_yes_is_a_yes(text: str) -> None:
    assert answer_of(text).verdict == "yes"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("нет", "no"),
        ("не надо", "no"),
        ("да нет наверное", "no"),
        ("лучше не стоит", "no"),
        ("no", "no"),
        ("don't", "no"),
        ("no, don’t do it", "no"),
        ("not right now", "no"),
        ("отмена", "cancel"),
        ("стой", "cancel"),
        ("отмени это", "cancel"),
        ("cancel", "cancel"),
        ("stop", "cancel"),
        ("never mind", "cancel"),
        ("no, cancel that", "cancel"),
    ],
)
def test_a_plain_no_is_a_no(text: str, verdict: str) -> None:
    assert answer_of(text).verdict == verdict


@pytest.mark.parametrize(
    "text",
    ["yes but only the manga one", "да, но только мангу", "yes if it is safe", "да перезапусти всё",
     "yesterday", "давай завтра", "I would say yes", "yes and restart nexus"],
)  # fmt: skip
def test_a_yes_with_a_condition_is_no_yes(text: str) -> None:
    said = answer_of(text)

    assert said.verdict is None


@pytest.mark.parametrize(
    "text", ["ok", "ок", "хорошо", "ладно", "fine", "good", "ok thanks", "that is correct"]
)
def test_weak_words_agree_without_being_a_yes(text: str) -> None:
    said = answer_of(text)

    assert said.verdict is None
    assert said.is_weak


@pytest.mark.parametrize(
    ("text", "entity_id"),
    [
        ("2", "ent_b"),
        ("1.", "ent_a"),
        ("second", "ent_b"),
        ("the second one", "ent_b"),
        ("number two", "ent_b"),
        ("вторую", "ent_b"),
        ("второй", "ent_b"),
        ("номер два", "ent_b"),
        ("первое", "ent_a"),
        ("последний", "ent_b"),
        ("the last one", "ent_b"),
        ("the manga one", "ent_b"),
        ("Muzick", "ent_a"),
        ("музыки", "ent_a"),
        ("индексатор музыки", "ent_a"),
        ("манга", "ent_b"),
        ("мангу", "ent_b"),
        ("нет, мангу", "ent_b"),
        ("да, мангу", "ent_b"),
        ("the manga indexer", "ent_b"),
        ("индексатору манги", "ent_b"),
    ],
)
def test_a_choice_is_understood_by_number_ordinal_or_word(text: str, entity_id: str) -> None:
    option = chosen(hear(text).words, INDEXERS)

    assert option is not None
    assert option.id == entity_id


@pytest.mark.parametrize(
    "text",
    ["3", "third", "третий", "indexer", "индексатор", "the other thing", "restart manga", "0",
     "не мангу", "not manga", "anything but manga", "всё кроме манги"],
)  # fmt: skip
def test_what_fits_both_or_none_chooses_nothing(text: str) -> None:
    assert chosen(hear(text).words, INDEXERS) is None

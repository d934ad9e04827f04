"""What is a yes and what is none, in both languages: the lists Maven and its channels share."""

import pytest

from maven.plain_answer import Asked, Meaning, meaning_of
from tests.requirements import requirement

RESTART = Asked("restart", ("Vecna", "Векна"))
TWO_WORDS = Asked("restart", ("Muzick indexer", "Индексатор музыки"))


@requirement("arch.7")
@pytest.mark.parametrize(
    ("english", "russian", "meaning"),
    [
        ("yes", "да", "yes"),
        ("Yes!", "Да.", "yes"),
        ("yes please", "да, пожалуйста", "yes"),
        ("Maven, yes", "Мавен, да", "yes"),
        ("yes, do it", "да, давай", "yes"),
        ("go ahead", "действуй", "yes"),
        ("yes, restart it", "да, перезапусти её", "yes"),
        ("yes, restart", "да, перезапусти", "yes"),
        ("yes, restart Vecna please", "да, перезапусти Векну, пожалуйста", "yes"),
        ("yes?", "да?", "mixed"),
        ("sure?", "конечно?", "mixed"),
        ("go ahead?", "давай?", "mixed"),
        ("yes, restart it?", "да, перезапусти её?", "mixed"),
        ("yeah right", "да ну", "mixed"),
        ("yeah sure", "ага, конечно", "mixed"),
        ("yes ok", "да ладно", "mixed"),
        ("yes now", "да сейчас", "mixed"),
        ("yes well", "да пусть", "mixed"),
        ("yes...", "да…", "mixed"),
        ("yes :)", "да ;)", "mixed"),
        ("yes, thanks", "да, спасибо", "mixed"),
        ("yes but later", "да, но позже", "mixed"),
        ("yes, restart Nexus", "да, перезапусти Нексус", "mixed"),
        ("yes, restart vector", "да, перезапусти вектор", "mixed"),
        ("yes, restart everything", "да, перезапусти всё", "mixed"),
        ("of course not", "конечно же", "mixed"),
        ("ok", "ок", "weak"),
        ("fine thanks", "ладно, спасибо", "weak"),
        ("ok thanks", "хорошо", "weak"),
        ("good", "хорошо", "weak"),
        ("that is correct", "правильно", "weak"),
        ("no", "нет", "no"),
        ("no thanks", "нет, спасибо", "no"),
        ("not now", "не сейчас", "no"),
        ("no, don’t do it", "да нет, не надо", "no"),
        ("better not", "лучше не стоит", "no"),
        ("never mind", "передумал", "cancel"),
        ("no?", "нет?", "mixed"),
        ("is vecna healthy?", "как там векна?", "none"),
        ("yesterday", "давайте", "none"),
        ("thanks", "спасибо", "none"),
        ("please", "пожалуйста", "none"),
    ],
)
def test_both_languages_mean_the_same(english: str, russian: str, meaning: Meaning) -> None:
    assert [meaning_of(english, RESTART), meaning_of(russian, RESTART)] == [meaning, meaning]


@pytest.mark.parametrize("text", ["yes, restart it", "да, перезапусти", "yes, restart Vecna"])
def test_an_order_beside_a_yes_counts_only_where_it_was_asked_about(text: str) -> None:
    assert meaning_of(text) == "mixed"


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("yes, restart the indexer", "mixed"),
        ("yes, restart muzick", "mixed"),
        ("yes, restart muzick indexer", "yes"),
        ("да, перезапусти индексатор", "mixed"),
        ("да, перезапусти индексатор музыки", "yes"),
        ("да, перезапусти индексатор манги", "mixed"),
    ],
)
def test_a_name_beside_a_yes_is_the_whole_name(text: str, meaning: Meaning) -> None:
    assert meaning_of(text, TWO_WORDS) == meaning

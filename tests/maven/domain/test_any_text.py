"""Whatever is said, it is understood as something, and never as an order nobody gave."""

import re

from hypothesis import given
from hypothesis import strategies as st

from maven import sentences
from maven.domain.closed import answer_of, chosen
from maven.domain.dialogue import Option
from maven.domain.route import RULES, route
from maven.domain.utterance import hear, language_of

GRAMMAR = sentences.load()
RESTART = re.compile(
    r"restart|reboot|bounce|relaunch|перезапус|перезагру|рестарт|ребут|перестарт", re.IGNORECASE
)
WORDS = sorted({word for _, _, words in GRAMMAR.sentences() for word in words})
OPTIONS = [Option("ent_a", {"en": "Alpha"}), Option("ent_b", {"en": "Beta", "ru": "Бета"})]
anything = st.text(max_size=200) | st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)


@given(anything)
def test_any_text_has_exactly_one_route(text: str) -> None:
    utterance = hear(text)

    chosen_route = route(GRAMMAR.match(utterance), utterance)

    assert chosen_route.intent in RULES
    assert answer_of(text).verdict in {None, "yes", "no", "cancel"}
    assert language_of(utterance.words) in {None, "en", "ru"}


@given(anything)
def test_nothing_is_restarted_without_a_word_for_it(text: str) -> None:
    utterance = hear(text)

    chosen_route = route(GRAMMAR.match(utterance), utterance)

    assert chosen_route.intent != "restart" or RESTART.search(text)


@given(anything)
def test_what_is_chosen_was_offered(text: str) -> None:
    option = chosen(hear(text).words, OPTIONS)

    assert option is None or option in OPTIONS


@given(st.text(min_size=1, max_size=60))
def test_the_case_and_the_letter_yo_do_not_matter(text: str) -> None:
    said = "Всё в порядке? " + text

    folded = [word.folded for word in hear(said).words]

    assert folded[:3] == ["все", "в", "порядке"]

"""Sentences of both languages: each means one thing, and a question is never an order."""

import pytest

from maven import sentences
from maven.domain.fastpath import SLOT, BadTemplate, Grammar, Match, Tie
from maven.domain.route import RULES, Route, route, understand
from maven.domain.utterance import hear

GRAMMAR = sentences.load()
NAMES = ("vecna", "музик индексатор", "the Muzick indexer", "correx.git", "ent_01abc")


def understood(text: str) -> Route:
    """The route of a text."""
    utterance = hear(text)
    return route(understand(GRAMMAR, utterance), utterance)


@pytest.mark.parametrize(
    ("russian", "english", "intent", "name"),
    [
        ("Что требует внимания?", "What needs attention?", "attention", None),
        ("что сломалось", "what's broken", "attention", None),
        ("есть ли проблемы?", "are there any problems?", "attention", None),
        ("всё в порядке?", "is everything ok?", "attention", None),
        ("на что мне посмотреть", "what should I look at first", "attention", None),
        ("как там векна?", "how's vecna?", "health", ("векна", "vecna")),
        ("работает ли векна", "is vecna working", "health", ("векна", "vecna")),
        ("что с векной?", "what's wrong with vecna?", "health", ("векной", "vecna")),
        ("почему не отвечает векна", "why is vecna not responding", "health", ("векна", "vecna")),
        ("как она?", "how is it?", "health", ("", "")),
        ("покажи статус векны", "show me the status of vecna", "status", ("векны", "vecna")),
        ("логи векны", "vecna's logs", "logs", ("векны", "vecna")),
        ("а логи?", "and the logs?", "logs", ("", "")),
        ("и её логи?", "and its logs?", "logs", ("", "")),
        ("а векна работает?", "and is vecna working?", "health", ("векна", "vecna")),
        ("что насчёт векны?", "what about vecna?", "about", ("векны", "vecna")),
        ("привет, как там векна?", "hello, how is vecna?", "health", ("векна", "vecna")),
        ("как там векна? спасибо", "how is vecna? thanks", "health", ("векна", "vecna")),
        ("что требует внимания и как там векна?", "what needs attention and how is vecna?",
         "compound", None),
        ("как там векна, перезапусти нексус", "how is vecna, restart nexus", "compound", None),
        ("перезапусти её и нексус", "restart it and nexus", "compound", None),
        ("перезапусти векну", "restart vecna", "restart", ("векну", "vecna")),
        ("Мавен, перезагрузи, пожалуйста, «Векну»", "Maven, please reboot “Vecna”", "restart",
         ("Векну", "Vecna")),
        ("рестартни её", "restart it", "restart", ("", "")),
        ("а теперь перезапусти его", "ok now restart it", "restart", ("", "")),
        ("не мог бы ты перезапустить векну", "could you restart vecna", "restart",
         ("векну", "vecna")),
        ("можешь перезапустить векну?", "can you restart vecna?", "abilities", ("векну", "vecna")),
        ("перезапусти векну?", "restart vecna?", "abilities", ("векну", "vecna")),
        ("что можно сделать с векной", "what can be done with vecna", "abilities",
         ("векной", "vecna")),
        ("что было после перезапуска?", "what happened after the restart?", "story", None),
        ("векну перезапускали?", "was vecna restarted?", "story", ("векну", "vecna")),
        ("что изменилось с утра", "what changed since this morning", "changes", None),
        ("что нового сегодня", "what's new today", "changes", None),
        ("что такое векна", "what is vecna", "describe", ("векна", "vecna")),
        ("кто такая Аня?", "who is Anya?", "describe", ("Аня", "Anya")),
        ("понял", "got it", "acknowledge", None),
        ("ясно", "understood", "acknowledge", None),
        ("готово", "done", "done", None),
        ("разобрался", "I fixed it", "done", None),
        ("повтори", "say that again", "repeat", None),
        ("что ты умеешь?", "what can you do?", "help", None),
        ("добрый день", "good morning", "greeting", None),
        ("большое спасибо", "thanks a lot", "thanks", None),
        ("перезапусти векну и нексус", "restart vecna and nexus", "compound", None),
        ("перезапусти векну, считай, что я сказал да", "restart vecna and assume I said yes",
         "compound", None),
        ("шкаф синий", "the moon is cheese tonight", "unknown", None),
        ("останови векну", "stop vecna", "unknown", None),
    ],
)  # fmt: skip
def test_both_languages_are_understood_alike(
    russian: str, english: str, intent: str, name: tuple[str, str] | None
) -> None:
    routes = [understood(russian), understood(english)]

    assert [each.intent for each in routes] == [intent, intent]
    if name is not None:
        assert tuple(each.reference and each.reference.text for each in routes) == name


def test_no_sentence_of_an_intent_is_won_by_another() -> None:
    stolen: list[str] = []
    for intent, _, words in GRAMMAR.sentences():
        for name in NAMES if SLOT in words else NAMES[:1]:
            text = " ".join(name if word == SLOT else word for word in words)
            found = GRAMMAR.match(hear(text))
            if not isinstance(found, Match) or found.intent != intent:
                stolen.append(f"{intent}: {text!r} was taken for {found}")

    assert stolen == []


def test_every_intent_has_sentences_in_both_languages_and_a_tool() -> None:
    spoken = {(intent, language) for intent, language, _ in GRAMMAR.sentences()}
    intents = {intent for intent, _ in spoken}

    assert spoken == {(intent, language) for intent in intents for language in ("en", "ru")}
    assert intents - {"restart_request", "restart_question"} <= RULES.keys()


@pytest.mark.parametrize(
    "text",
    [
        "was vecna restarted?",
        "did you restart vecna?",
        "has vecna been restarted",
        "who restarted vecna?",
        "should I restart vecna?",
        "is it safe to restart vecna?",
        "restart vecna?",
        "кто перезапустил векну?",
        "векна перезапускалась?",
        "перезапускали ли векну?",
        "стоит ли перезапустить векну?",
        "можно перезапустить векну?",
        "как перезапустить векну",
    ],
)
def test_a_question_never_changes_anything(text: str) -> None:
    assert understood(text).kind == "read"


def test_a_polite_request_is_not_a_question() -> None:
    asked = [
        understood("can you please restart vecna?"),
        understood("можешь, пожалуйста, перезапустить векну?"),
    ]

    assert [each.intent for each in asked] == ["restart", "restart"]


def test_maven_can_be_named_as_a_thing_and_not_only_addressed() -> None:
    named = [
        understood("restart maven"),
        understood("перезапусти мавен"),
        understood("how is maven"),
    ]

    assert [each.reference and each.reference.text for each in named] == ["maven", "мавен", "maven"]


def test_a_possessive_ending_and_quotes_are_no_part_of_a_name() -> None:
    routes = [understood("show me vecna's logs"), understood("логи сервиса «Векна»")]

    assert [each.reference and each.reference.text for each in routes] == ["vecna", "Векна"]


def test_equally_good_sentences_of_two_intents_are_a_tie() -> None:
    grammar = Grammar()
    grammar.add("en", {"one": ["look {name}"], "other": ["look {name}"]}, {})

    assert grammar.match(hear("look here")) == Tie(("one", "other"))


@pytest.mark.parametrize("template", ["(a|b", "a]", "[a]", "<nowhere> b", "<loop>"])
def test_a_malformed_template_is_refused(template: str) -> None:
    with pytest.raises(BadTemplate):
        Grammar().add("en", {"one": [template]}, {"loop": "<loop>"})

"""Every outcome has words in both languages, and they keep to the facts."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import get_args

import msgspec
import pytest

from hexis.contract.execution import Execution, ExecutionState, Target
from maven.domain import outcome as of
from maven.domain.dialogue import (
    Known,
    Option,
    PendingChoice,
    PendingConfirmation,
    Told,
)
from maven.domain.phrase import phrase, phrase_news
from maven.domain.story import Story
from maven.domain.utterance import Language
from maven.domain.watch import News, Watch
from maven.domain.words import Moment
from nexus.contract import Alias, Entity
from praxis.contract import SourceState

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
VECNA = Known("ent_vecna", {"en": "Vecna", "ru": "Векна"}, "service.supervised")
DOWN = of.Missing("praxis", "unavailable")
WAITING = PendingConfirmation(
    confirmation_id="cnf_1",
    execution_id="exe_1",
    capability_id="cap_restart",
    action="restart",
    title={"en": "Restart", "ru": "Перезапустить"},
    target=VECNA,
    host_names={"en": "den", "ru": "логово"},
    risk="protected",
    expires_at=NOW + timedelta(minutes=2),
    expects_recovery=True,
)
CHOICE = PendingChoice(
    "restart", [Option("ent_a", {"en": "A", "ru": "А"}), Option("ent_b", {"en": "B"})], NOW
)
WATCH = Watch(
    execution_id="exe_1",
    requester="user:anna",
    conversation_id="home",
    turn_id="trn_1",
    correlation_id="cor_1",
    language="en",
    action="restart",
    target=VECNA,
    expects_recovery=True,
    created_at=NOW,
    give_up_at=NOW,
)


def execution(state: ExecutionState = "succeeded", action: str = "restart") -> Execution:
    """What Hexis answers."""
    return Execution(
        execution_id="exe_1",
        state=state,
        capability_id="cap_restart",
        capability_version="1",
        action=action,
        title={},
        target=Target(VECNA.entity_id, VECNA.type, VECNA.names),
        arguments={},
        requester="user:anna",
        risk="protected",
        created_at=NOW,
        expects_recovery=True,
        finished_at=NOW,
    )


STORY = Story("exe_1", "restart", VECNA, "user:anna", "succeeded", NOW, NOW, NOW, NOW)
SMALL_TALK = (
    "repeat", "help", "greeting", "thanks", "okay", "farewell", "compound", "qualified", "unknown",
)  # fmt: skip
OUTCOMES: list[of.Outcome] = [
    of.Attention((), 0, (), {}),
    of.AttentionUnread(DOWN, WAITING, (("restart", VECNA),)),
    of.Health(VECNA),
    of.Health(VECNA, missing=DOWN),
    *(of.Report(execution(action=action)) for action in ("status", "logs")),
    of.Report(execution("timed_out", "status")),
    of.Challenge(WAITING, can_confirm=True),
    of.Challenge(WAITING, can_confirm=False),
    of.Carried(execution("running"), "under_way"),
    of.Carried(execution("running"), "handed_over"),
    of.Carried(execution("running"), "stopping"),
    of.Carried(execution("running"), "unseen"),
    *(of.Carried(execution(state), "ended") for state in ("succeeded", "failed", "unknown")),
    of.YesLost(WAITING),
    of.YesRefused(WAITING, "assertion_needed", still_waits=True),
    of.YesRefused(WAITING, "never_heard_of", still_waits=False),
    of.Declined(WAITING, told_hexis=False),
    of.Lapsed(WAITING),
    of.NothingWaits("yes"),
    of.NothingWaits("cancel"),
    of.CalledOff(),
    of.AskAgain(WAITING),
    of.AskAgain(WAITING, "not_asked_last"),
    of.AskAgain(WAITING, "other_question"),
    of.PickOne(CHOICE),
    of.WhichOne(CHOICE, "x"),
    of.NoSuch("x"),
    of.NoReference("restart"),
    of.NamesUnread("x", of.Missing("nexus", "unavailable"), "restart"),
    of.CannotAct(VECNA, "restart", of.Missing("hexis", "unavailable"), of.Health(VECNA)),
    of.NoCapability(VECNA, "restart", ()),
    of.ActionRefused(VECNA, "restart", "entity_busy", "Wait."),
    of.StoryTold(None, (), None),
    of.StoryTold(STORY, (), VECNA),
    of.Changes(NOW, (), {}),
    of.Changes(NOW, (), {}, DOWN),
    of.Abilities(VECNA),
    of.Description(VECNA, None, of.Missing("nexus", "unavailable")),
    of.Handled(Told("itm_1", VECNA.names), "acknowledge"),
    of.Handled(Told("itm_1", VECNA.names), "done", still_active=True),
    of.NothingTold("done"),
    *(of.Talk(intent) for intent in SMALL_TALK),
]  # fmt: skip


def say(outcome: of.Outcome, language: Language) -> str:
    """The phrase for an outcome."""
    return phrase(outcome, None, Moment(NOW, UTC, language))


def test_the_outcomes_tried_here_are_all_there_are() -> None:
    assert {type(each) for each in OUTCOMES} == set(get_args(of.Outcome))


@pytest.mark.parametrize("outcome", OUTCOMES, ids=lambda each: type(each).__name__)
def test_every_outcome_has_whole_sentences_in_both_languages(outcome: of.Outcome) -> None:
    english, russian = say(outcome, "en"), say(outcome, "ru")

    assert not any("а" <= letter <= "я" for letter in english.lower())
    assert any("а" <= letter <= "я" for letter in russian.lower())
    assert english[:1].isupper()
    assert russian[:1].isupper() or russian[:1] == "«"
    for text in (english, russian):
        assert not {"None", "{", "}", "  ", ".."} & {
            piece for piece in ("None", "{", "}", "  ", "..") if piece in text
        }


def test_a_challenge_says_what_to_what_where_and_until_when() -> None:
    english, russian = say(OUTCOMES[7], "en"), say(OUTCOMES[7], "ru")

    assert all(fact in english for fact in ("restart", "Vecna", "den", "protected", "12:02:00"))
    assert "защищённое действие" in russian
    assert all(fact in russian for fact in ("перезапуск", "«Векна»", "на хосте логово", "12:02:00"))


@pytest.mark.parametrize("language", ["en", "ru"])
def test_success_of_a_command_is_never_called_recovery(language: Language) -> None:
    text = say(of.Carried(execution(), "ended"), language)

    assert not any(word in text for word in ("healthy again", "recovered", "снова в порядке"))
    assert "command succeeded" in text or "Команда выполнена" in text
    assert "not yet been seen healthy" in text or "пока не видно" in text


@pytest.mark.parametrize(
    ("story", "is_own", "english", "russian"),
    [
        (STORY, True,
         "You asked for the restart of Vecna at 12:00:00 and confirmed it at 12:00:00.",
         "Вы попросили перезапустить сервис «Векна» в 12:00:00 и подтвердили это в 12:00:00."),
        (STORY, False,
         "The restart of Vecna was asked for by anna at 12:00:00 and confirmed at 12:00:00.",
         "Перезапуск сервиса «Векна»: просьба от anna в 12:00:00, подтверждение в 12:00:00."),
        (replace(STORY, asked_at=None), True,
         "You confirmed the restart of Vecna at 12:00:00.",
         "Вы подтвердили перезапуск сервиса «Векна» в 12:00:00."),
        (replace(STORY, asked_at=None, confirmed_at=None), True,
         "You asked for the restart of Vecna; it began at 12:00:00.",
         "Вы попросили перезапустить сервис «Векна»; команда начата в 12:00:00."),
    ],
)  # fmt: skip
def test_a_story_says_who_asked_and_who_confirmed_and_when(
    story: Story, is_own: bool, english: str, russian: str
) -> None:
    outcome = of.StoryTold(story, (), VECNA, is_own)

    assert say(outcome, "en").startswith(english)
    assert say(outcome, "ru").startswith(russian)


@pytest.mark.parametrize(
    ("missing", "english", "russian"),
    [
        (of.Missing.of("hexis", "unavailable", "unreachable"),
         "Hexis, which carries things out, cannot be reached.",
         "Hexis, который выполняет действия, недоступен."),
        (of.Missing.of("hexis", "unavailable", "identity_unverifiable"),
         "Hexis answers, but cannot make sure what that is, because Nexus, which knows the names"
         " of things, cannot be reached.",
         "Hexis отвечает, но не может убедиться, о чём речь, потому что Nexus, который знает имена,"
         " недоступен."),
        (of.Missing.of("hexis", "unavailable", "store_failed"),
         "Hexis, which carries things out, could not answer (store_failed).",
         "Hexis, который выполняет действия, не смог ответить (store_failed)."),
        (of.Missing.of("hexis", "deadline_exceeded", None),
         "Hexis, which carries things out, did not answer in time.",
         "Hexis, который выполняет действия, не ответил вовремя."),
    ],
)  # fmt: skip
def test_how_a_part_is_missing_is_said_as_it_is(
    missing: of.Missing, english: str, russian: str
) -> None:
    outcome = of.Abilities(VECNA, missing=missing)

    assert say(outcome, "en").endswith(english)
    assert say(outcome, "ru").endswith(russian)


def test_success_of_a_command_comes_first_and_what_is_not_yet_seen_second() -> None:
    english = say(of.Carried(execution(), "ended"), "en")
    russian = say(of.Carried(execution(), "ended"), "ru")

    assert english.startswith("The command succeeded: the restart of Vecna. Vecna has not yet")
    assert russian == (
        "Команда выполнена: перезапуск сервиса «Векна». Здоров ли сервис «Векна», пока не видно;"
        " сообщу, когда увижу, что всё в порядке, или если этого не случится."
    )


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Vecna is a service. Also called shared memory, 7."),
        ("ru", "«Векна» — сервис. Другие названия: общая память, 7."),
    ],
)
def test_other_names_are_told_in_the_letters_of_the_answer(language: Language, words: str) -> None:
    aliases = [
        Alias(text=text, language="und", origin="declared")
        for text in ("shared memory", "общая память", "7")
    ]
    entity = Entity(VECNA.entity_id, VECNA.type, VECNA.names, "active", aliases=aliases)

    assert say(of.Description(VECNA, entity), language) == words


def test_words_agree_with_the_russian_word_for_the_kind() -> None:
    app = Known("ent_a", {"ru": "Почта"}, "application")

    told = phrase_news(
        News(msgspec.structs.replace(WATCH, target=app), "not_recovered", NOW, "succeeded"),
        Moment(NOW, UTC, "ru"),
    )

    assert told == (
        "Приложение «Почта» после перезапуска так и не замечено здоровым, хотя команда выполнена."
    )


def test_an_action_without_words_of_its_own_is_called_by_its_title() -> None:
    stop = msgspec.structs.replace(WAITING, action="stop", title={"ru": "Остановить"})

    assert "выполнено действие «Остановить» для сервиса «Векна» на хосте логово." in say(
        of.Challenge(stop, can_confirm=True), "ru"
    )


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "1 source is fresh"), ("ru", "1 свежий источник")],
)
def test_an_empty_attention_list_counts_what_it_rests_on(language: Language, words: str) -> None:
    source = SourceState(
        source="health:vecna",
        kind="health",
        entity_id="ent_vecna",
        freshness="fresh",
        expected_every_s=1,
        last_observed_at=NOW - timedelta(seconds=1),
        last_state="ok",
        last_change_at=None,
    )

    assert words in say(of.Attention((), 0, (source,), {}), language)


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "cannot tell"), ("ru", "сказать нельзя")],
)
def test_no_sources_is_not_nothing(language: Language, words: str) -> None:
    assert words in say(OUTCOMES[0], language)


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(
    "news",
    [
        News(WATCH, "recovered", NOW, "succeeded"),
        News(WATCH, "not_recovered", NOW, "succeeded"),
        News(WATCH, "not_recovered", NOW, "unknown"),
        News(WATCH, "execution_finished", NOW, "failed"),
        News(WATCH, "execution_finished", NOW, "unknown"),
        News(WATCH, "execution_finished", NOW, "unknown", process_started_at=NOW),
    ],
    ids=lambda news: f"{news.kind}-{news.state}",
)
def test_news_names_the_thing(news: News, language: Language) -> None:
    text = phrase_news(news, Moment(NOW, UTC, language))

    assert VECNA.name(language) in text or "перезапуск" in text
    assert "None" not in text

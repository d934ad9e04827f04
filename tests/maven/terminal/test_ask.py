"""`maven ask`: one utterance, its answer and its exit status."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from kit.errors import FailedPrecondition, InvalidArgument, PermissionDenied
from maven.contract import Answer, Choice, TakeTurn
from tests.maven.terminal.conftest import Maven
from tests.maven.terminal.scripted import Home, answer


async def test_ask_prints_the_answer_and_nothing_else(home: Home, maven: Maven) -> None:
    home.maven.script["что требует внимания?"] = lambda turn: answer(turn, "Ничего.\nВсё свежо.")

    async with home.serving():
        ran = await maven("ask", "что требует внимания?")

    assert (ran.status, ran.out, ran.err) == (0, "Ничего.\nВсё свежо.\n", "")


async def test_ask_carries_an_assertion_that_hexis_verifies(home: Home, maven: Maven) -> None:
    async with home.serving():
        await maven("ask", "yes")

    [turn], [call] = home.maven.turns, home.maven.calls
    sworn = home.verified(call.channel_assertion or "")
    assert sworn.turn_id == turn.turn_id == call.causation_id
    assert (
        (sworn.requester, sworn.channel)
        == ("user:anna", "terminal")
        == (
            call.requester,
            turn.channel,
        )
    )
    assert datetime.now(UTC) - sworn.issued_at < timedelta(seconds=30)


async def test_every_ask_is_a_new_turn_of_the_same_conversation(home: Home, maven: Maven) -> None:
    async with home.serving():
        await maven("ask", "restart vecna")
        await maven("ask", "yes")
        await maven("ask", "yes", "--conversation", "other")

    here = f"terminal-{os.getsid(0)}"
    assert [turn.conversation_id for turn in home.maven.turns] == [here, here, "other"]
    assert len({turn.turn_id for turn in home.maven.turns}) == 3


async def test_ask_reads_the_utterance_from_its_input(home: Home, maven: Maven) -> None:
    async with home.serving():
        ran = await maven("ask", "-", given="как там векна?\n")

    assert ran.out == "You said: как там векна?\n"


async def test_ask_shows_the_whole_answer_as_json(home: Home, maven: Maven) -> None:
    async with home.serving():
        ran = await maven("ask", "hello", "--json")

    assert msgspec.json.decode(ran.out, type=Answer).turn_id == home.maven.turns[0].turn_id


async def test_choices_are_listed_when_the_words_do_not_name_them(home: Home, maven: Maven) -> None:
    def which(turn: TakeTurn) -> Answer:
        choices = [
            Choice(number=1, label="Indexer on attic", entity_id="ent_0000000001"),
            Choice(number=2, label="Indexer on cellar", entity_id="ent_0000000002"),
        ]
        return msgspec.structs.replace(
            answer(turn, "Which one?"), expects="choice", choices=choices
        )

    home.maven.script["restart the indexer"] = which
    async with home.serving():
        ran = await maven("ask", "restart the indexer")

    assert ran.out == "Which one?\n  1. Indexer on attic\n  2. Indexer on cellar\n"


async def test_an_answer_cannot_drive_the_terminal(home: Home, maven: Maven) -> None:
    hostile = "\x1b]0;owned\x07 \x9b31m \u202egnp\r ok\ttab"
    home.maven.script["show logs"] = lambda turn: answer(turn, hostile)

    async with home.serving():
        plain = await maven("ask", "show logs")
        as_json = await maven("ask", "show logs", "--json")

    for out in (plain.out, as_json.out):
        assert not set(out) & set("\x1b\x07\x9b\u202e\r")
    assert "\\u001b]0;owned\\u0007 \\u009b31m \\u202egnp\\u000d ok\ttab" in plain.out
    assert msgspec.json.decode(as_json.out, type=Answer).text == hostile


async def test_ask_without_maven_says_the_way_out(maven: Maven) -> None:
    ran = await maven("ask", "hello")

    assert ran.status == 69
    assert ran.out == ""
    assert ran.err.startswith("unavailable: maven cannot be reached at unix:///")
    assert "`make up`" in ran.err
    assert ran.err.count("\n") == 1


async def test_ask_exits_by_the_canonical_code(home: Home, maven: Maven) -> None:
    def fail(error: Exception) -> Answer:
        raise error

    home.maven.script["a"] = lambda _: fail(InvalidArgument("Too odd.", field="text"))
    home.maven.script["b"] = lambda _: fail(PermissionDenied("Not you."))
    home.maven.script["c"] = lambda _: fail(FailedPrecondition("Not\x1b now."))

    async with home.serving():
        ran = [await maven("ask", text) for text in ("a", "b", "c", "  ")]

    assert [each.status for each in ran] == [2, 77, 6, 2]
    assert [each.err for each in ran] == [
        "invalid_argument (text): Too odd.\n",
        "permission_denied: Not you.\n",
        "failed_precondition: Not\\u001b now.\n",
        'invalid_argument: Say something, as in: maven ask "what needs attention?"\n',
    ]


async def test_ask_whose_answer_is_lost_says_that_the_outcome_is_unknown(
    home: Home, maven: Maven
) -> None:
    home.maven.held.clear()

    async with home.serving():
        ran = await maven("ask", "restart vecna", "--timeout-s", "0.5")
        home.maven.held.set()

    assert ran.status == 76
    assert ran.err.startswith("outcome_unknown: ")
    assert f"maven trace {home.maven.turns[0].turn_id}" in ran.err
    assert len(home.maven.turns) == 1


@pytest.mark.parametrize(
    ("words", "lang", "says"),
    [
        (("ask", "please " * 400), "C.UTF-8", "That is too long: I listen to 2000 characters"),
        (("ask", "пожалуйста " * 400), "C.UTF-8", "Слишком длинно: за один раз"),
        (("ask", " "), "ru_RU.UTF-8", "Скажите что-нибудь, например"),
        (("trace", "nosuch"), "C.UTF-8", "There is no such turn. Give its id"),
        (("trace", "nosuch"), "ru_RU.UTF-8", "Такой реплики нет. Назовите её id"),
    ],
)
async def test_what_cannot_be_said_gets_a_sentence_with_the_way_out(
    home: Home, maven: Maven, words: tuple[str, ...], lang: str, says: str
) -> None:
    async with home.serving():
        ran = await maven(*words, LANG=lang)

    assert ran.status == 2
    assert ran.err.startswith(f"invalid_argument: {says}")
    assert home.maven.turns == []


async def test_two_terminals_have_two_conversations(home: Home, maven: Maven) -> None:
    async with home.serving():
        await maven("ask", "hello")
        await maven("ask", "hello", new_session=True)

    assert len({turn.conversation_id for turn in home.maven.turns}) == 2

"""Which question a yes answers: the one shown last, if Hexis vouches for it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from hexis.contract import CONTRACT as HEXIS
from hexis.contract.execution import Confirmation, ConfirmationList, ListConfirmations, Target
from kit.daemon import Running
from kit.server import Hosted
from kit.testing import grants, hosting
from kit.trace import Call
from maven.contract import Answer, Language, Proposal, TakeTurn
from maven.plain_answer import is_plain_yes
from maven.terminal.question import Question
from tests.maven.terminal.conftest import Maven
from tests.maven.terminal.scripted import Home, answer
from tests.requirements import requirement

_THIS = "cnf_0000000001"


def _later() -> datetime:
    return datetime.now(UTC) + timedelta(minutes=2)


class WaitingHexis:
    """A Hexis that waits for a yes to one thing, and does nothing else."""

    def __init__(self, **names: str) -> None:
        self.waiting = Confirmation(
            confirmation_id=_THIS,
            state="pending",
            execution_id="exe_0000000001",
            capability_id="cap_supervisor_restart",
            capability_version="1",
            action="restart",
            title={"en": "Restart", "ru": "Перезапустить"},
            target=Target(
                entity_id="ent_0000000001",
                type="service.supervised",
                names=names,
                host_names={"en": "attic"},
            ),
            arguments={},
            requester="user:anna",
            risk="protected",
            issued_at=datetime.now(UTC),
            expires_at=_later(),
        )

    async def list_confirmations(self, request: ListConfirmations, call: Call) -> ConfirmationList:
        return ConfirmationList([self.waiting] if call.requester == "user:anna" else [])

    def __getattr__(self, operation: str) -> Any:
        return _never


async def _never(request: object, call: Call) -> object:
    raise NotImplementedError


@asynccontextmanager
async def serving(home: Home, hexis: WaitingHexis) -> AsyncGenerator[None]:
    """The scripted Maven beside a Hexis that waits."""

    @asynccontextmanager
    async def opened() -> AsyncGenerator[Running]:
        known = grants(home.path / "hexis" / "grants.json", "hexis", home.terminal)
        yield Running(hosted=Hosted(contract=HEXIS, service=hexis, grants=known))

    async with home.serving(), hosting(opened(), home.path / "run" / "hexis.sock"):
        yield


def asks(turn: TakeTurn, text: str, language: Language = "en") -> Answer:
    """An answer that asks for a yes."""
    proposal = Proposal(
        confirmation_id=_THIS,
        action="restart",
        target="Vecna",
        host="attic",
        risk="protected",
        expires_at=_later(),
    )
    return msgspec.structs.replace(
        answer(turn, text), expects="confirmation", proposal=proposal, language=language
    )


def answered(home: Home) -> str:
    """The question that the last utterance said yes to."""
    return home.verified(home.maven.calls[-1].channel_assertion or "").answers


@requirement("arch.7", "invariant.6")
@pytest.mark.parametrize(
    ("order", "question", "yes"),
    [
        ("restart vecna", "This will restart Vecna on attic. Go on?", "Yes!"),
        ("перезапусти векну", "Будет перезапуск сервиса «Векна» на хосте attic.", "да, давай"),
    ],
)
async def test_a_plain_yes_answers_the_question_shown_last_even_by_another_command(
    home: Home, maven: Maven, order: str, question: str, yes: str
) -> None:
    home.maven.script[order] = lambda turn: asks(turn, question)

    async with serving(home, WaitingHexis(en="Vecna", ru="Векна")):
        asked = await maven("ask", order)
        unasked = answered(home)
        kept = list((home.path / "maven" / "terminal").iterdir())
        modes = [path.stat().st_mode & 0o777 for path in kept]
        await maven("ask", yes)

    assert (asked.out, asked.err) == (f"{question}\n", "")
    assert unasked == ""
    assert answered(home) == _THIS
    assert modes == [0o600]


@pytest.mark.parametrize("said", ["no", "нет", "yes?", "hello", "да?", "yes but later", "спасибо"])
async def test_whatever_is_no_plain_yes_answers_nothing(
    home: Home, maven: Maven, said: str
) -> None:
    home.maven.script["restart vecna"] = lambda turn: asks(turn, "Restart Vecna on attic?")

    async with serving(home, WaitingHexis(en="Vecna")):
        await maven("ask", "restart vecna")
        await maven("ask", said)

    assert answered(home) == ""


async def test_a_yes_answers_nothing_once_another_answer_was_shown_or_elsewhere(
    home: Home, maven: Maven
) -> None:
    home.maven.script["restart vecna"] = lambda turn: asks(turn, "Restart Vecna on attic?")

    async with serving(home, WaitingHexis(en="Vecna")):
        await maven("ask", "restart vecna")
        await maven("ask", "yes", "--conversation", "other")
        elsewhere = answered(home)
        await maven("ask", "yes", ECOSYSTEM_REQUESTER="user:boris")
        by_another = answered(home)
        await maven("ask", "hello")
        await maven("ask", "yes")

    assert (elsewhere, by_another, answered(home)) == ("", "", "")
    assert list((home.path / "maven" / "terminal").iterdir()) == []


@requirement("arch.7", "invariant.6")
@pytest.mark.parametrize(
    ("language", "case", "says"),
    [
        ("en", "another target", "Hexis does not vouch"),
        ("ru", "another host", "Хексис не подтверждает"),
        ("en", "another question", "Hexis does not vouch"),
        ("ru", "no question", "Хексис не подтверждает"),
        ("en", "another action", "Hexis does not vouch"),
        ("ru", "another action", "Хексис не подтверждает"),
    ],
)
async def test_a_question_that_hexis_does_not_ask_gets_no_yes(
    home: Home, maven: Maven, language: Language, case: str, says: str
) -> None:
    told = "Restart Vecna on cellar?" if case == "another host" else "Restart Vecna on attic?"
    home.maven.script["restart vecna"] = lambda turn: asks(turn, told, language)
    hexis = WaitingHexis(en="Praxis" if case == "another target" else "Vecna")
    if case == "another question":
        hexis.waiting = msgspec.structs.replace(hexis.waiting, confirmation_id="cnf_0000000002")
    if case == "another action":
        looks = "Show the log of Vecna on attic?"
        home.maven.script["restart vecna"] = lambda turn: asks(turn, looks, language)
    if case == "no question":
        home.maven.script["restart vecna"] = lambda turn: asks(turn, "Shall I go on?", language)

    async with serving(home, hexis):
        asked = await maven("ask", "restart vecna")
        await maven("ask", "yes")

    assert asked.err.count("\n") == 1
    assert says in asked.err
    assert answered(home) == ""


async def test_a_question_that_cannot_be_checked_gets_no_yes(home: Home, maven: Maven) -> None:
    home.maven.script["restart vecna"] = lambda turn: asks(turn, "Restart Vecna on attic?")

    async with home.serving():
        asked = await maven("ask", "restart vecna")
        await maven("ask", "yes")

    assert "will not count" in asked.err
    assert answered(home) == ""


async def test_a_chat_answers_what_it_has_shown(home: Home, maven: Maven) -> None:
    home.maven.script["restart vecna"] = lambda turn: asks(turn, "Restart Vecna on attic?")

    async with serving(home, WaitingHexis(en="Vecna")):
        ran = await maven("chat", given="restart vecna\nда\n")

    assert ran.err == ""
    assert answered(home) == _THIS


@pytest.mark.parametrize(
    "text",
    ["yes", " YES. ", "y", "yep!", "go ahead", "do it", "Yes, please.", "yes, do it!",
     "да", "Да!", "ага", "подтверждаю", "давай", "да, давай", "давай, пожалуйста"],
)  # fmt: skip
def test_a_plain_yes_is_known_in_both_languages(text: str) -> None:
    assert is_plain_yes(text)


@pytest.mark.parametrize(
    "text",
    ["", "yes?", "да?", "yes no", "no", "нет", "yes but", "not yes", "yes restart nexus", "please",
     "don't do it", "не давай", "да нет", "yes" * 40, "yes; no", "yesyes", "ok",
     "ну давай", "y\u0435s"],
)  # fmt: skip
def test_what_is_no_plain_yes_is_none(text: str) -> None:
    assert not is_plain_yes(text)


async def test_a_question_settled_elsewhere_is_known_to_be_so(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ECOSYSTEM_HOME", str(home.path))
    question = Question(home.path / "maven" / "terminal", "user:anna", "home")
    hexis = WaitingHexis(en="Vecna")

    async with serving(home, hexis):
        waits = await question.still_waits(_THIS, "terminal")
        hexis.waiting = msgspec.structs.replace(hexis.waiting, confirmation_id="cnf_0000000002")
        replaced = await question.still_waits(_THIS, "terminal")
    unknown = await question.still_waits(_THIS, "terminal")

    assert (waits, replaced, unknown) == (True, False, None)

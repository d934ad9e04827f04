"""With a part stopped, an answer says what is known and what is not, and why."""

import re
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from tests.ecosystem.driver import Ecosystem, eventually
from tests.requirements import requirement

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]
ATTENTION = ("what needs attention?", "что требует внимания?")
HEALTH = ("is vecna healthy?", "как там векна?")
RESTART = ("restart vecna", "перезапусти векну")
LANGUAGES = pytest.mark.parametrize("tongue", [0, 1], ids=["en", "ru"])
UNREACHED = "cannot be reached|недоступ"
NOTHING = "^(Nothing needs|Ничего не требует)"


@contextmanager
def without(ecosystem: Ecosystem, *programs: str) -> Generator[None]:
    """These parts are stopped while the block runs."""
    ecosystem.supervisor("stop", *programs)
    try:
        yield
    finally:
        ecosystem.supervisor("start", *programs)
        eventually(
            lambda: all(ecosystem.run(program, "health").returncode == 0 for program in programs),
            20,
            "the parts are back",
        )


def executions(ecosystem: Ecosystem) -> str:
    """Everything Hexis was ever asked to do."""
    return ecosystem.run("hexis", "list-executions", "--json").stdout


@LANGUAGES
@requirement("arch.11", "invariant.9")
def test_without_praxis_attention_is_unknown_and_never_empty(
    ecosystem: Ecosystem, tongue: int
) -> None:
    with without(ecosystem, "praxis"):
        attention = ecosystem.ask(ATTENTION[tongue])
        health = ecosystem.ask(HEALTH[tongue])
        restart = ecosystem.ask(RESTART[tongue])
        ecosystem.ask("no")

    assert re.search(rf"Praxis.*({UNREACHED})", attention)
    assert not re.search(NOTHING, attention)
    assert re.search(rf"Praxis.*({UNREACHED})", health)
    assert re.search("Go ahead|Подтвержд", restart)


@LANGUAGES
@requirement("arch.11", "invariant.9", "invariant.5")
def test_without_nexus_nothing_named_is_acted_on(ecosystem: Ecosystem, tongue: int) -> None:
    before = executions(ecosystem)
    with without(ecosystem, "nexus"):
        attention = ecosystem.ask(ATTENTION[tongue])
        restart = ecosystem.ask(RESTART[tongue], "--conversation", f"outage{tongue}")
        again = ecosystem.ask(("yes", "да")[tongue], "--conversation", f"outage{tongue}")

    assert not re.search(rf"Praxis.*({UNREACHED})", attention)
    assert re.search(rf"Nexus.*({UNREACHED})", restart)
    assert re.search("Nothing is waiting|Ничего не ждёт", again)
    assert executions(ecosystem) == before


@LANGUAGES
@requirement("arch.11", "invariant.9")
def test_without_hexis_the_state_is_told_and_no_action_is_queued(
    ecosystem: Ecosystem, tongue: int
) -> None:
    before = executions(ecosystem)
    with without(ecosystem, "hexis"):
        health = ecosystem.ask(HEALTH[tongue])
        restart = ecosystem.ask(RESTART[tongue])
        again = ecosystem.ask(("yes", "да")[tongue])

    assert re.search("is healthy|в порядке", health)
    assert re.search(rf"Hexis.*({UNREACHED})", restart)
    assert re.search("Praxis", restart)
    assert re.search("Nothing is waiting|Ничего не ждёт", again)
    assert executions(ecosystem) == before


@LANGUAGES
@requirement("arch.11", "arch.15")
def test_with_all_three_stopped_maven_still_answers(ecosystem: Ecosystem, tongue: int) -> None:
    with without(ecosystem, "nexus", "praxis", "hexis"):
        attention = ecosystem.ask(ATTENTION[tongue])
        health = ecosystem.ask(HEALTH[tongue], "--conversation", f"dark{tongue}")
        restart = ecosystem.ask(RESTART[tongue], "--conversation", f"dark{tongue}")
        greeting = ecosystem.ask(("hello", "привет")[tongue])
        remembered = ecosystem.ask(("repeat", "повтори")[tongue])

    assert re.search(rf"Praxis.*({UNREACHED})", attention)
    assert re.search(UNREACHED, health)
    assert re.search(rf"Nexus.*({UNREACHED})", restart)
    assert greeting
    assert remembered == greeting


@requirement("arch.16")
def test_without_maven_the_others_answer_their_own_commands(ecosystem: Ecosystem) -> None:
    ecosystem.supervisor("stop", "mavend")
    try:
        resolved = ecosystem.run("nexus", "resolve", "векну")
        attention = ecosystem.run("praxis", "attention", "--json")
        capabilities = ecosystem.run("hexis", "caps")
        asked = ecosystem.run("maven", "ask", "hello")
    finally:
        ecosystem.supervisor("start", "mavend")

    assert resolved.returncode == 0
    assert "health:vecna" in attention.stdout
    assert "cap_supervisor_restart" in capabilities.stdout
    assert asked.returncode == 69
    assert "make up" in asked.stderr

"""The whole dialogue on real processes, in both languages, spoken as a person speaks."""

import re
import socket
from dataclasses import dataclass

import pytest

from tests.ecosystem.driver import Ecosystem, eventually
from tests.requirements import requirement

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]
HOST = re.escape(socket.gethostname())


@dataclass(frozen=True)
class Tongue:
    """What is said in one language, and patterns of what is answered."""

    name: str
    attention: str
    quiet: str
    trouble: str
    restart_it: str
    challenge: str
    yes: str
    succeeded: str
    nothing_waits: str
    recovered: str
    what_happened: str
    story: str
    restart: dict[str, str]
    got_it: str
    noted: str
    done: str
    resolved: str


ENGLISH = Tongue(
    name="en",
    attention="what needs attention?",
    quiet=r"Nothing needs attention: 5 sources are fresh",
    trouble=r"Vecna has not been answering since \d\d:\d\d:\d\d",
    restart_it="restart it",
    challenge=rf"This will restart “Vecna” on {HOST}\..*protected.*until \d\d:\d\d:\d\d",
    yes="yes",
    succeeded=r"command succeeded.*not yet been seen healthy",
    nothing_waits=r"Nothing is waiting for a yes, so I did nothing",
    recovered=r"Vecna is healthy again.*\d\d:\d\d:\d\d",
    what_happened="what happened after the restart?",
    story=r"asked for .* at \d\d:\d\d:\d\d.*succeeded at \d\d:\d\d:\d\d"
    r".*seen healthy at \d\d:\d\d:\d\d",
    restart={
        "praxis": "restart praxis",
        "nexus": "restart nexus",
        "hexis": "restart hexis",
        "mavend": "restart maven",
    },
    got_it="got it",
    noted=r"acknowledged",
    done="done",
    resolved=r"marked as resolved",
)
RUSSIAN = Tongue(
    name="ru",
    attention="что требует внимания?",
    quiet=r"Ничего не требует внимания: 5 свежих источников",
    trouble=r"«Векна» не отвечает с \d\d:\d\d:\d\d",
    restart_it="перезапусти её",
    challenge=rf"перезапуск сервиса «Векна» на хосте {HOST}\..*защищённ.*до \d\d:\d\d:\d\d",
    yes="да",
    succeeded=r"команда выполнена.*здоров.*пока не видно",
    nothing_waits=r"Ничего не ждёт подтверждения",
    recovered=r"«Векна» снова в порядке.*\d\d:\d\d:\d\d",
    what_happened="что произошло после перезапуска?",
    story=r"попросили .* в \d\d:\d\d:\d\d.*успешно в \d\d:\d\d:\d\d"
    r".*снова в порядке: это видно с \d\d:\d\d:\d\d",
    restart={
        "praxis": "перезапусти праксис",
        "nexus": "перезапусти нексус",
        "hexis": "перезапусти хексис",
        "mavend": "перезапусти мавена",
    },
    got_it="понял",
    noted=r"принято к сведению",
    done="готово",
    resolved=r"решённ",
)
both = pytest.mark.parametrize("tongue", [ENGLISH, RUSSIAN], ids=lambda tongue: tongue.name)


def wait_for_trouble(ecosystem: Ecosystem, within_s: float) -> None:
    """Until Praxis lists the killed part."""

    def look() -> bool:
        return (
            "kind: health\n"
            in ecosystem.run("praxis", "list-items", "--operational", "active").stdout
        )

    eventually(look, within_s, "the item")


@both
@requirement("arch.1", "arch.3", "arch.5", "arch.7", "arch.8", "arch.9", "arch.20", "invariant.5")
@requirement("phase.3.execution-request", "phase.5.integration-harness")
def test_a_killed_part_is_seen_restarted_on_a_yes_and_said_to_be_well_again(
    ecosystem: Ecosystem, tongue: Tongue
) -> None:
    eventually(lambda: re.search(tongue.quiet, ecosystem.ask(tongue.attention)), 20, "all is quiet")
    chat = ecosystem.chat()
    chat.say(tongue.attention)
    chat.hear(tongue.quiet)
    before = ecosystem.pid("vecna")

    ecosystem.kill("vecna")
    wait_for_trouble(ecosystem, within_s=5)
    chat.say(tongue.attention)
    chat.hear(tongue.trouble)
    chat.say(tongue.restart_it)
    chat.hear(tongue.challenge)
    untouched = ecosystem.pid("vecna")
    chat.say(tongue.yes)
    chat.hear(tongue.succeeded)
    chat.hear(tongue.recovered)
    after = ecosystem.pid("vecna")
    chat.say(tongue.yes)
    chat.hear(tongue.nothing_waits)
    chat.say(tongue.what_happened)
    chat.hear(tongue.story)

    assert untouched == 0
    assert after not in (0, before)
    assert ecosystem.pid("vecna") == after
    assert re.search(tongue.quiet, ecosystem.ask(tongue.attention))


@both
@pytest.mark.parametrize("program", ["praxis", "nexus", "hexis", "mavend"])
@requirement("arch.8", "invariant.7")
def test_each_other_part_can_be_the_one_restarted(
    ecosystem: Ecosystem, tongue: Tongue, program: str
) -> None:
    names = {"praxis": "Prax|Пракс", "nexus": "Nex|Некс", "hexis": "Hex|Хекс", "mavend": "Mav|Мав"}
    chat = ecosystem.chat()
    chat.say(tongue.restart[program])
    chat.hear(rf"({names[program]}).*{HOST}")
    before = ecosystem.pid(program)

    chat.say(tongue.yes)
    chat.hear(rf"({names[program]}).*(healthy again|снова в порядке)", within_s=30)
    chat.say(tongue.yes)
    chat.hear(tongue.nothing_waits)
    chat.say(tongue.what_happened)
    chat.hear(tongue.story)

    assert ecosystem.pid(program) not in (0, before)


@both
@requirement("arch.4", "invariant.7")
def test_got_it_acknowledges_and_done_resolves(ecosystem: Ecosystem, tongue: Tongue) -> None:
    ecosystem.kill("vecna")
    wait_for_trouble(ecosystem, within_s=5)
    ecosystem.ask(tongue.attention)
    surfaced = ecosystem.run("praxis", "list-items", "--operational", "active").stdout

    noted = ecosystem.ask(tongue.got_it)
    acknowledged = ecosystem.run("praxis", "list-items", "--operational", "active").stdout
    done = ecosystem.ask(tongue.done)
    resolved = ecosystem.run("praxis", "list-items", "--operational", "active").stdout
    ecosystem.up()
    eventually(
        lambda: (
            "total: 0" in ecosystem.run("praxis", "list-items", "--operational", "active").stdout
        ),
        10,
        "the part is seen well again",
    )

    assert "attention: surfaced" in surfaced
    assert re.search(tongue.noted, noted, re.IGNORECASE)
    assert "attention: acknowledged" in acknowledged
    assert re.search(tongue.resolved, done, re.IGNORECASE)
    assert "attention: resolved" in resolved


@requirement("arch.2", "invariant.5")
def test_a_shared_name_is_asked_about_and_the_choice_is_understood(ecosystem: Ecosystem) -> None:
    for english, russian in (("Muzick", "Музик"), ("Manga", "Манга")):
        done = ecosystem.run(
            "nexus",
            *("create-entity", "--type", "service.supervised"),
            *("--names", f"en={english} indexer", "--names", f"ru=Индексатор {russian}"),
            *("--external", f"supervisor={english.lower()}-indexer"),
        )
        assert done.returncode == 0, done.stderr
    runs = ecosystem.run("hexis", "runs").stdout

    which = ecosystem.ask("restart the indexer")
    unbegun = ecosystem.run("hexis", "runs").stdout
    chosen = ecosystem.ask("the manga one")
    ecosystem.ask("no")
    russian_which = ecosystem.ask("перезапусти индексатор")
    russian_chosen = ecosystem.ask("мангу")
    ecosystem.ask("нет")

    assert "1." in which
    assert "2." in which
    assert unbegun == runs
    assert "restart “Manga indexer”" in chosen
    assert "2." in russian_which
    assert "«Индексатор Манга»" in russian_chosen

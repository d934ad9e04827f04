"""The journal of a real systemd manager, and journals that are closed, odd or too large."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from kit.clock import SystemClock
from kit.errors import Unavailable
from kit.testing import FrozenClock
from praxis.contract.looks import JournalLook
from praxis.sources import Reading
from praxis.sources.journal import JournalSource
from tests.praxis.systemd_manager import SystemdManager

RUNNING = "[Service]\nExecStart=/bin/sleep 600\n"
FAILED = "d9b373ed55a64feb8242e02dbe79a49c"
STARTED = "39f53479d3a045ac8e11786248231fbf"


def follow(manager: SystemdManager, *units: str) -> JournalSource:
    look = JournalLook(units=list(units), scope="user", stable_s=0)
    return JournalSource(look, SystemClock(), manager.journalctl)


async def news(source: JournalSource) -> list[Reading]:
    """What the journal tells next, within bounds."""
    async with asyncio.timeout(30):
        while not (readings := await source.poll()):
            pass
    return readings


async def test_failures_are_told_once_and_a_start_that_lasts_is_well(
    manager: SystemdManager,
) -> None:
    manager.write_unit("j-falls.service", "[Service]\nExecStart=/bin/sh -c 'exit 7'\n")
    manager.write_unit("j-other.service", "[Service]\nExecStart=/bin/sh -c 'exit 7'\n")
    source = follow(manager, "j-falls.service")

    before = await source.poll()
    manager.systemctl("start", "j-falls.service", "j-other.service")
    told = await news(source)
    while told[-1].state != "problem":  # the start itself may be seen before the end
        told += await news(source)
    again = await source.poll()
    anew = await follow(manager, "j-falls.service").poll()
    manager.write_unit("j-falls.service", RUNNING)
    manager.systemctl("start", "j-falls.service")
    mended = await news(source)

    assert before == again == []
    assert {reading.key for reading in told} == {"j-falls.service"}
    assert told[-1].summary == "j-falls.service has failed: exit-code"
    assert [each.event_id for each in anew if each.state == "problem"] == [told[-1].event_id]
    assert [(each.state, each.key) for each in mended] == [("ok", "j-falls.service")]


async def test_what_others_write_in_the_name_of_systemd_is_not_believed(
    manager: SystemdManager,
) -> None:
    manager.write_unit("j-calm.service", RUNNING)
    source = follow(manager, "j-calm.service")

    manager.write_journal(
        MESSAGE="x", MESSAGE_ID=FAILED, USER_UNIT="j-calm.service", UNIT_RESULT="forged"
    )
    manager.systemctl("start", "j-calm.service")
    told = await news(source)

    assert [reading.state for reading in told] == ["ok"]


class Journal:
    """A program in place of journalctl that prints what a test wants."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.clock = FrozenClock()
        program = folder / "journalctl"
        program.write_text(f'#!/bin/sh\necho "$@" >>{folder}/asked\n. {folder}/script\n', "ascii")
        program.chmod(0o700)
        look = JournalLook(units=["a.service"], timeout_s=5)
        self.source = JournalSource(look, self.clock, (str(program),))

    def runs(self, script: str) -> None:
        (self._folder / "script").write_text(script, "utf-8")

    def prints(self, *entries: dict[str, object]) -> None:
        text = "".join(f"{json.dumps(entry)}\n" for entry in entries)
        (self._folder / "entries").write_text(text, "utf-8")
        self.runs(f"cat {self._folder}/entries")

    def entry(self, number: int, message_id: str, **more: object) -> dict[str, object]:
        at = self.clock.now().timestamp() + number
        return {
            "__CURSOR": f"s=1;i={number}",
            "__REALTIME_TIMESTAMP": str(int(at * 1e6)),
            "MESSAGE_ID": message_id,
            "UNIT": "a.service",
            **more,
        }

    @property
    def asked(self) -> str:
        return (self._folder / "asked").read_text("utf-8").splitlines()[-1]


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path)


async def test_a_start_counts_only_when_it_has_lasted(journal: Journal) -> None:
    journal.prints(journal.entry(1, FAILED), journal.entry(2, STARTED))
    (failed,) = await journal.source.poll()
    journal.prints()
    journal.clock.advance(5)
    early = await journal.source.poll()
    journal.prints(journal.entry(1, FAILED), journal.entry(2, STARTED))
    journal.clock.advance(10)
    again = await journal.source.poll()
    journal.prints()
    journal.clock.advance(20)
    (lasting,) = await journal.source.poll()

    assert (failed.state, failed.event_id, early) == ("problem", "s=1;i=1", [])
    assert [reading.state for reading in again] == ["problem"]
    assert (lasting.state, lasting.observed_at) == ("ok", journal.clock.now())
    assert "--after-cursor=s=1;i=2" in journal.asked


async def test_a_storm_of_failures_is_one_reading_with_its_count(journal: Journal) -> None:
    journal.prints(*(journal.entry(number, FAILED) for number in range(50)))

    (reading,) = await journal.source.poll()

    assert (reading.details["failures"], reading.event_id) == ("50", "s=1;i=49")


async def test_hostile_text_is_one_bounded_line(journal: Journal) -> None:
    journal.prints(journal.entry(1, FAILED, UNIT_RESULT="\x1b[31m\u202e\n" + "x" * 10_000))

    (reading,) = await journal.source.poll()

    assert len(reading.summary) <= 400
    assert reading.summary.isprintable()
    assert all(len(value) <= 200 and value.isprintable() for value in reading.details.values())


async def test_a_journal_that_is_closed_to_praxis_is_no_good_news(journal: Journal) -> None:
    journal.runs("echo 'Hint: You are currently not seeing messages from other users' >&2")

    with pytest.raises(Unavailable, match="closed to Praxis"):
        await journal.source.poll()


@pytest.mark.parametrize(
    "script",
    ["echo nonsense", "head -c 9000000 /dev/zero", "exit 1", 'echo \'{"__CURSOR":"a","x":1}\''],
)
async def test_a_journal_that_cannot_be_read_says_nothing(journal: Journal, script: str) -> None:
    journal.runs(script)

    with pytest.raises(Unavailable):
        await journal.source.poll()


async def test_a_cursor_that_the_journal_no_longer_knows_is_let_go(journal: Journal) -> None:
    journal.prints(journal.entry(1, FAILED))
    await journal.source.poll()
    journal.runs("echo 'Failed to seek to cursor: Invalid argument' >&2; exit 1")

    with pytest.raises(Unavailable):
        await journal.source.poll()
    journal.prints()
    await journal.source.poll()

    assert "--since=-600s" in journal.asked

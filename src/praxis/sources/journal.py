"""Follow what systemd writes in the journal about units that fail and units that start."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import msgspec

from kit.clock import Clock
from kit.errors import Unavailable
from praxis.contract.looks import JournalLook
from praxis.sources import Reading
from praxis.sources.program import environment, output_of
from praxis.sources.verdict import bad, good

_FAILED = {
    "d9b373ed55a64feb8242e02dbe79a49c": "has failed",
    "be02cf6855d2428ba40df7e9d022f03d": "could not be started",
    "fe6faa94e7774663a0da52717891d8ef": "ran out of memory",
}
_STARTED = "39f53479d3a045ac8e11786248231fbf"
_STOPPED = "9d1aaa27d60140bd96365438aad20286"
_FIELDS = ("MESSAGE_ID", "UNIT", "USER_UNIT", "UNIT_RESULT", "JOB_RESULT")
_LARGEST = 8 << 20
_LOOK_BACK_S = 600.0
"""How far the first look goes back; what it finds a second time has the same event id."""
_LONGEST_CURSOR = 180


class Entry(msgspec.Struct):
    """A line of `journalctl --output=json`; its numbers are texts."""

    cursor: str = msgspec.field(name="__CURSOR")
    at_us: str = msgspec.field(name="__REALTIME_TIMESTAMP")
    message_id: str = msgspec.field(name="MESSAGE_ID", default="")
    system_unit: str = msgspec.field(name="UNIT", default="")
    user_unit: str = msgspec.field(name="USER_UNIT", default="")
    unit_result: str = msgspec.field(name="UNIT_RESULT", default="")
    job_result: str = msgspec.field(name="JOB_RESULT", default="")

    @property
    def at(self) -> datetime:
        """When it was written."""
        return datetime.fromtimestamp(int(self.at_us) / 1e6, UTC)


@dataclass(slots=True)
class _Seen:
    """What the journal has told of one unit since the last look."""

    failure: Entry | None = None
    failures: int = 0
    start: Entry | None = None
    """The start that nothing has ended yet; kept until it counts as well."""


class JournalSource:
    """The journal of the machine or of the person."""

    def __init__(
        self, look: JournalLook, clock: Clock, program: Sequence[str] = ("journalctl",)
    ) -> None:
        self._look = look
        self._clock = clock
        self._program = program
        self._cursor: str | None = None
        self._starts: dict[str, Entry] = {}

    async def poll(self) -> list[Reading]:
        """Read what is new: failures, and starts that have lasted.

        Raises:
            Unavailable: The journal cannot be read, or not by Praxis.
        """
        at = self._clock.now()
        try:
            told = await output_of(
                self._command(),
                timeout_s=self._look.timeout_s,
                largest=_LARGEST,
                environment=environment(),
            )
        except Unavailable as error:
            if error.reason == "too_much" or "cursor" in error.message:
                self._cursor = None
            raise
        if "not seeing messages" in told.complaints or "No journal files" in told.complaints:
            raise Unavailable(
                "The journal is closed to Praxis; make its user a member of `systemd-journal`.",
                reason="not_readable",
            )
        entries = parse(told.text)
        if entries:
            self._cursor = entries[-1].cursor
        return self._told(entries, at)

    def close(self) -> None:
        """Nothing is held between looks."""

    def _command(self) -> list[str]:
        is_system = self._look.scope == "system"
        # Anybody may write any text into the journal, but not under systemd's own process.
        writer = ("_PID=1",) if is_system else ("_COMM=systemd", f"_UID={os.getuid()}")
        since = f"--since=-{max(_LOOK_BACK_S, 2 * self._look.every_s):.0f}s"
        name = "UNIT" if is_system else "USER_UNIT"
        return [
            *(
                *self._program,
                "--no-pager",
                "--output=json",
                f"--output-fields={','.join(_FIELDS)}",
            ),
            since if self._cursor is None else f"--after-cursor={self._cursor}",
            *writer,
            *(f"MESSAGE_ID={each}" for each in (*_FAILED, _STARTED, _STOPPED)),
            *(f"{name}={unit}" for unit in self._look.units),
        ]

    def _told(self, entries: list[Entry], at: datetime) -> list[Reading]:
        seen: dict[str, _Seen] = {}
        for entry in entries:
            unit = entry.user_unit or entry.system_unit
            if unit not in self._look.units:
                continue
            of_unit = seen.setdefault(unit, _Seen(start=self._starts.get(unit)))
            of_unit.start = entry if entry.message_id == _STARTED else None
            if entry.message_id in _FAILED:
                of_unit.failure = entry
                of_unit.failures += 1
        readings: list[Reading] = []
        for unit, of_unit in seen.items():
            self._starts.pop(unit, None)
            if of_unit.start is not None:
                self._starts[unit] = of_unit.start
            if of_unit.failure is not None:
                readings.append(_failure(unit, of_unit.failure, of_unit.failures))
        stable = timedelta(seconds=self._look.stable_s)
        lasting = [unit for unit, start in self._starts.items() if at - start.at >= stable]
        for unit in lasting:
            event_id = f"{self._starts.pop(unit).cursor}@lasting"
            said = f"{unit} has started and runs"
            readings.append(good(at, said, key=unit, subject=unit, event_id=event_id))
        return readings


def parse(text: str) -> list[Entry]:
    """The entries that journalctl printed.

    Raises:
        Unavailable: They are none.
    """
    try:
        entries = msgspec.json.Decoder(Entry).decode_lines(text)
        return [entry for entry in entries if entry.at and len(entry.cursor) <= _LONGEST_CURSOR]
    except (ValueError, OverflowError, RecursionError) as error:
        raise Unavailable("journalctl printed no entries of a journal.") from error


def _failure(unit: str, entry: Entry, failures: int) -> Reading:
    result = entry.unit_result or entry.job_result
    said = f"{unit} {_FAILED[entry.message_id]}" + (f": {result}" if result else "")
    return bad(
        entry.at,
        "failed",
        said,
        details={"result": result, "failures": str(failures)},
        key=unit,
        subject=unit,
        event_id=entry.cursor,
    )

"""Follow the transcripts of coding agents: what is new in each file, and what it comes to."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from io import FileIO
from pathlib import Path

from kit.clock import Clock
from kit.errors import FailedPrecondition
from praxis.contract.agent_looks import TranscriptLook
from praxis.dialects.agents import Session
from praxis.domain.told import Report
from praxis.sources import Reading
from praxis.sources.transcript_lines import TRANSCRIPTS, Transcript

_PIECE = 1 << 16
_LONGEST_LINE = 1 << 20
"""A longer line is passed over; what it says is lost, and nothing else is."""
_PAST = 1 << 18
"""Bytes of a file's end that are read when it is first seen."""
_MOST_NEW = 1 << 24
"""Bytes of one file that one look reads; the rest is left for the next."""
_MOST_FILES = 200
_MOST_ENTRIES = 20_000
_DEEPEST = 8


@dataclass(slots=True)
class _File:
    """How far a file has been read."""

    inode: int
    transcript: Transcript
    offset: int = 0
    part: bytearray = field(default_factory=bytearray)
    """The line that has only begun."""
    is_passing_over: bool = False
    last: Report | None = None


class TranscriptSource:
    """All transcripts below a folder, each a session of its own."""

    def __init__(self, look: TranscriptLook, clock: Clock) -> None:
        self._clock = clock
        self._agent = look.agent
        self._folder = Path(look.folder)
        self._recent = timedelta(hours=look.recent_h)
        self._files: dict[Path, _File] = {}

    async def poll(self) -> list[Reading]:
        """What has been written since the last look; of what is first seen, how it stands.

        Raises:
            FailedPrecondition: There is no such folder, or it may not be read.
        """
        return await asyncio.to_thread(self._look, self._clock.now())

    def close(self) -> None:
        """Nothing is held open between looks."""

    def _look(self, now: datetime) -> list[Reading]:
        readings: list[Reading] = []
        found = self._recent_files(now)
        for path in found:
            # What cannot be read, or goes away meanwhile, tells nothing.
            with suppress(OSError):
                readings += [_reading(report, now) for report in self._news_of(path)]
        for path in [each for each in self._files if each not in found]:
            file = self._files[path]
            if not path.exists():
                del self._files[path]
                if file.last is not None:
                    readings.append(_reading(_gone(file.last), now))
        return readings

    def _recent_files(self, now: datetime) -> list[Path]:
        """The files written to of late, the latest first."""
        since = (now - self._recent).timestamp()
        try:
            written = [each for each in _transcripts_below(self._folder) if each[0] >= since]
        except OSError as error:
            raise FailedPrecondition(
                f"{self._folder} cannot be read: {error.strerror}.", field="folder"
            ) from error
        return [path for _, path in sorted(written, reverse=True)[:_MOST_FILES]]

    def _news_of(self, path: Path) -> list[Report]:
        # A pipe in the place of a file must not keep the look waiting.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb", buffering=0) as opened:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return []
            file = self._files.get(path)
            if file is None or file.inode != status.st_ino or status.st_size < file.offset:
                self._files[path] = file = _File(status.st_ino, TRANSCRIPTS[self._agent](path.stem))
                if status.st_size > 2 * _PAST:
                    _take(file, (opened.read(_PAST) or b"").split(b"\n", 1)[0], 0)
                    file.offset, file.is_passing_over = status.st_size - _PAST, True
                return _reports(file, opened, status.st_size)[-1:]
            return _reports(file, opened, status.st_size)


def _reports(file: _File, opened: FileIO, size: int) -> list[Report]:
    """What the lines come to that have been written since."""
    opened.seek(file.offset)
    until = min(size, file.offset + _MOST_NEW)
    told = [_take(file, line, offset) for offset, line in _lines(file, opened, until)]
    return [report for report in told if report is not None]


def _take(file: _File, line: bytes, offset: int) -> Report | None:
    report = file.transcript.take(line, f"{file.inode}:{offset}")
    file.last = report or file.last
    return report


def _lines(file: _File, opened: FileIO, until: int) -> Iterator[tuple[int, bytes]]:
    """Each line that has come to its end, and where it begins."""
    while file.offset < until and (piece := opened.read(min(_PIECE, until - file.offset))):
        file.offset += len(piece)
        *ended, rest = piece.split(b"\n")
        at = file.offset - len(piece)
        for each in ended:
            begins = at - len(file.part)
            at += len(each) + 1
            line, file.part = bytes(file.part) + each, bytearray()
            if not file.is_passing_over and len(line) <= _LONGEST_LINE:
                yield begins, line
            file.is_passing_over = False
        if not file.is_passing_over:
            file.part += rest
            if len(file.part) > _LONGEST_LINE:
                file.part, file.is_passing_over = bytearray(), True


def _transcripts_below(folder: Path) -> Iterator[tuple[float, Path]]:
    """When each was written to, and the file; links lead nowhere.

    Raises:
        OSError: The folder itself cannot be read.
    """
    waiting, seen = [(folder, 0)], 0
    while waiting:
        here, depth = waiting.pop()
        try:
            entries = list(os.scandir(here))
        except OSError:
            if here == folder:
                raise
            continue
        for entry in entries:
            seen += 1
            if seen > _MOST_ENTRIES:
                return
            if entry.is_dir(follow_symlinks=False) and depth < _DEEPEST:
                waiting.append((Path(entry.path), depth + 1))
            elif entry.name.endswith(".jsonl") and entry.is_file(follow_symlinks=False):
                with suppress(OSError):
                    yield entry.stat(follow_symlinks=False).st_mtime, Path(entry.path)


def _gone(last: Report) -> Report:
    """The session whose transcript is no longer there."""
    agent, folder = last.details.get("agent", ""), last.details.get("folder", "")
    session = Session(agent=agent, key=last.key, signal="transcript", folder=folder)
    return session.ended("transcript removed")


def _reading(report: Report, now: datetime) -> Reading:
    at = report.observed_at
    at = now if at is None else at if at.tzinfo else at.replace(tzinfo=UTC)
    return Reading(
        state=report.state,
        severity=report.severity,
        summary=report.summary,
        observed_at=min(at, now),
        key=report.key,
        kind=report.kind,
        event_id=report.event_id,
        weight=report.weight,
        subject=report.subject,
        details=report.details,
    )

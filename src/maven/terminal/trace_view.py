"""A turn as a tree: stages and external calls with the fields of section 13 (architecture)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from itertools import groupby

from kit.render import columns_of, cut, padded, visible_line
from maven.contract import TraceEntry, TurnRecord

Paint = Callable[[str, str], str]
"""Give a text a tone: `said`, `quiet`, `error`, `ok`, `fallback`, `name`."""
_TONES = {"said": 1, "quiet": 2, "error": 31, "ok": 32, "fallback": 33, "name": 36}
_BAR = 24
"""Columns of the time line."""
_ROOM_FOR_BARS = 96
"""Width from which the time line is drawn."""


def coloured(text: str, tone: str) -> str:
    """The text in the colour of its tone."""
    return f"\x1b[{_TONES[tone]}m{text}\x1b[0m"


def plain(text: str, tone: str) -> str:
    """The text as it is."""
    return text


def trace_view(record: TurnRecord, paint: Paint, width: int | None) -> str:
    """The turn for a person; `width` cuts long summaries, None shows them whole."""
    shown = _Shown(record, paint, width)
    return "\n".join([*shown.head(), "", *shown.tree(), "", *shown.tail()])


class _Shown:
    """One turn on its way to the page."""

    def __init__(self, record: TurnRecord, paint: Paint, width: int | None) -> None:
        self._record = record
        self._paint = paint
        self._width = width
        self._bars = width is not None and width >= _ROOM_FOR_BARS
        entries = record.trace
        self._names = max((columns_of(_name(entry)) for entry in entries), default=0)
        self._correlation = _shared([entry.correlation_id for entry in entries])
        self._causation = _shared([entry.causation_id for entry in entries])
        ends = [_offset_ms(entry.started_at, record.at) + entry.duration_ms for entry in entries]
        self._whole_ms = max([record.duration_ms, *ends, 0.001])

    def head(self) -> list[str]:
        record = self._record
        rows = [
            ("turn", record.turn_id),
            ("correlation", self._correlation or "differs, see below"),
            ("causation", self._causation or "differs, see below"),
            ("asked by", f"{record.requester} through {record.channel}"),
            ("conversation", record.conversation_id),
            ("at", record.at.astimezone().strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]),
            ("took", _took(record.duration_ms)),
        ]
        said = self._paint(f"› {visible_line(record.text)}", "said")
        return [
            said,
            *(f"  {self._quiet(padded(key, 13))} {visible_line(row)}" for key, row in rows),
        ]

    def tree(self) -> list[str]:
        stages = [
            (stage, list(entries))
            for stage, entries in groupby(self._record.trace, key=lambda entry: entry.stage)
        ]
        lines: list[str] = []
        for number, (stage, entries) in enumerate(stages, 1):
            last = number == len(stages)
            lines.append(f"{'└─' if last else '├─'} {self._paint(visible_line(stage), 'said')}")
            for position, entry in enumerate(entries, 1):
                stem = "   " if last else "│  "
                lines += self._entry(entry, stem, last=position == len(entries))
        return lines or ["(no trace was kept)"]

    def tail(self) -> list[str]:
        answer = self._record.answer
        degraded = [self._paint(f"  without {', '.join(answer.degraded)}", "fallback")]
        said = [f"  {visible_line(line)}" for line in answer.text.splitlines()]
        return [*said, *(degraded if answer.degraded else [])]

    def _entry(self, entry: TraceEntry, stem: str, *, last: bool) -> list[str]:
        status = visible_line(entry.status)
        columns = [
            self._paint(padded(_name(entry), self._names), "name"),
            self._paint(padded(status, 8), entry.status),
            f"{_took(entry.duration_ms):>8}",
            self._quiet(padded(visible_line(entry.contract_version), 10)),
        ]
        if self._bars:
            columns.append(self._quiet(self._bar(entry)))
        details = [
            ("error", entry.error_code, "error"),
            ("fallback", entry.fallback_reason, "fallback"),
            ("→", entry.request_summary, "quiet"),
            ("←", entry.response_summary, "quiet"),
            ("correlation", "" if self._correlation else entry.correlation_id, "quiet"),
            ("causation", "" if self._causation else entry.causation_id, "quiet"),
        ]
        below = f"{stem}{'   ' if last else '│  '}  "
        return [
            f"{stem}{'└─' if last else '├─'} {'  '.join(columns)}".rstrip(),
            *(
                below + self._paint(self._fit(f"{key} {visible_line(value)}", len(below)), tone)
                for key, value, tone in details
                if value
            ),
        ]

    def _bar(self, entry: TraceEntry) -> str:
        """When it began and how long it took, within the whole turn."""
        begins = _offset_ms(entry.started_at, self._record.at) / self._whole_ms
        start = min(_BAR - 1, max(0, int(begins * _BAR)))
        length = max(1, round(entry.duration_ms / self._whole_ms * _BAR))
        return " " * start + "▪" * min(length, _BAR - start)

    def _fit(self, text: str, used: int) -> str:
        return text if self._width is None else cut(text, max(20, self._width - used))

    def _quiet(self, text: str) -> str:
        return self._paint(text, "quiet")


def _name(entry: TraceEntry) -> str:
    return visible_line(f"{entry.service}.{entry.operation}")


def _shared(values: list[str]) -> str:
    return values[0] if len(set(values)) == 1 else ""


def _offset_ms(at: datetime, start: datetime) -> float:
    return (at - start).total_seconds() * 1000


def _took(milliseconds: float) -> str:
    if milliseconds >= 1000:
        return f"{milliseconds / 1000:.2f} s"
    return f"{milliseconds:.0f} ms" if milliseconds >= 10 else f"{milliseconds:.1f} ms"

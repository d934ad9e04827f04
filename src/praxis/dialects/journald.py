"""The journal of systemd as JSON: units that fail, give up, restart, and end well.

That a start job is done shows only that it was carried out: the unit may fail a second later.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

from praxis.contract import ObservedState, Severity
from praxis.dialects import Delivery, Unfit, bounded
from praxis.dialects.decoding import decoded, one_or_several, since_epoch
from praxis.domain.told import Beat, Report, Told

_Entry = dict[str, Any]
_SEPARATOR = b"\x1e"
"""Stands before each entry in `json-seq`."""
_FAILED = "d9b373ed55a64feb8242e02dbe79a49c"
_JOB_FAILED = "be02cf6855d2428ba40df7e9d022f03d"
_OUT_OF_MEMORY = "fe6faa94e7774663a0da52717891d8ef"
_ENDED_WELL = "7ad2d189f7e94e70a38c781354912448"
_STARTED = "39f53479d3a045ac8e11786248231fbf"
_STARTING = "7d4958e842da4a758f6c1cdc7b36dcc5"
_RESTARTING = "5eb03494b6584870a536b337290809b3"
_STATES: dict[str, ObservedState] = {
    _FAILED: "problem",
    _JOB_FAILED: "problem",
    _OUT_OF_MEMORY: "problem",
    _ENDED_WELL: "ok",
    _STARTED: "progress",
    _STARTING: "progress",
    _RESTARTING: "progress",
}
_JOB_RESULTS = frozenset({"failed", "timeout", "dependency", "assert", "invalid"})
_GAVE_UP = "Start request repeated too quickly"
_FINISHED = "Finished "
"""Begins the message of a start job of a unit that is done when it has run."""
_EVIDENCE = {
    "result": "UNIT_RESULT",
    "job_result": "JOB_RESULT",
    "exit_code": "EXIT_CODE",
    "exit_status": "EXIT_STATUS",
    "restarts": "N_RESTARTS",
    "host": "_HOSTNAME",
}


class Journald:
    """A unit by its name: however often it starts and fails, it is one item."""

    name = "journald"

    def read(self, delivery: Delivery) -> Told:
        """Reports of units; a beat where the entries tell of none.

        Raises:
            Unfit: It is no entry of a journal.
        """
        told: Told = []
        for prefix, entry in _entries(delivery.body):
            report = _report(entry, prefix)
            told += [report] if report else []
        return told or [Beat()]


def _entries(body: bytes) -> list[tuple[str, _Entry]]:
    """One entry over several lines, one a line, or a list of them."""
    pieces = [line for line in body.replace(_SEPARATOR, b"\n").split(b"\n") if line.strip()]
    if len(pieces) > 1 and all(line.strip()[-1:] == b"}" for line in pieces):
        return [(f"[{index}].", decoded(line, _Entry)) for index, line in enumerate(pieces)]
    return one_or_several(body.replace(_SEPARATOR, b""), _Entry)


def _report(entry: _Entry, prefix: str) -> Report | None:
    at = _time(entry, prefix)
    cursor = _text(entry, "__CURSOR", prefix)
    message = _text(entry, "MESSAGE", prefix)
    message_id = _text(entry, "MESSAGE_ID", prefix)
    if at is None and not message_id and not cursor:
        raise Unfit("It is missing.", f"{prefix}__REALTIME_TIMESTAMP")
    unit = _text(entry, "UNIT", prefix)
    is_user = not unit
    unit = unit or _text(entry, "USER_UNIT", prefix)
    state = _state(message_id, message, _text(entry, "JOB_RESULT", prefix))
    if not unit or state is None:
        return None
    has_given_up = _GAVE_UP in message
    evidence = {name: _text(entry, field, prefix) for name, field in _EVIDENCE.items()}
    evidence["run"] = _text(entry, "INVOCATION_ID", prefix) or _text(
        entry, "USER_INVOCATION_ID", prefix
    )
    severity: Severity = "error" if state == "problem" else "info"
    return Report(
        key=bounded.key(*(("user",) if is_user else ()), unit),
        kind="service",
        state=state,
        severity=severity,
        summary=bounded.summary(message, f"{unit}: {evidence['result'] or state}"),
        observed_at=at,
        event_id=bounded.key(cursor) if cursor else None,
        weight=1 if has_given_up else 0,
        subject=bounded.line(unit, 200),
        group=bounded.line(unit, 200),
        details=bounded.details({"unit": unit} | evidence),
    )


def _state(message_id: str, message: str, job_result: str) -> ObservedState | None:
    """What an entry of the service manager says of its unit; None for nothing."""
    if _GAVE_UP in message or job_result in _JOB_RESULTS:
        return "problem"
    if message_id == _STARTED and message.startswith(_FINISHED):
        return "ok"
    return _STATES.get(message_id)


def _time(entry: _Entry, prefix: str) -> datetime | None:
    name = "__REALTIME_TIMESTAMP"
    stamp = _text(entry, name, prefix)
    if not stamp:
        return None
    if not stamp.isascii() or not stamp.isdigit() or len(stamp) > 20:
        raise Unfit("It is no number of microseconds.", f"{prefix}{name}")
    return since_epoch(int(stamp) / 1_000_000, f"{prefix}{name}")


def _text(entry: _Entry, name: str, prefix: str) -> str:
    """A field as text: bytes come as numbers, a field given several times as a list."""
    value = entry.get(name)
    if isinstance(value, list):
        numbers = cast("list[Any]", value)
        if numbers and all(type(each) is int and 0 <= each < 256 for each in numbers):
            return bytes(numbers).decode("utf-8", "replace")
        value = _text({name: numbers[0]}, name, prefix) if numbers else None
    if value is None:
        return ""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise Unfit("It is neither text nor bytes.", f"{prefix}{name}")
    return value

"""Pings as Healthchecks takes them: what was done, in the path; what came of it, after a slash."""

from __future__ import annotations

import re

from praxis.contract import ObservedState, Severity
from praxis.dialects import Delivery, Unfit, bounded
from praxis.domain.told import Report, Told

_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_PING_KEY = re.compile(r"[A-Za-z0-9_-]{16,64}")
_SLUG = re.compile(r"[a-z0-9_-]{1,100}")
_STATUS = re.compile(r"[0-9]{1,3}")
_METHODS = frozenset({"GET", "HEAD", "POST"})
_SIGNALS: dict[str, tuple[ObservedState, Severity, str]] = {
    "": ("ok", "info", "done"),
    "start": ("progress", "info", "started"),
    "fail": ("problem", "error", "failed"),
    "log": ("info", "info", "wrote to its log"),
}


class Healthchecks:
    """A routine that says when it starts, when it is done and when it failed."""

    name = "healthchecks"

    def read(self, delivery: Delivery) -> Told:
        """One report of the routine; a ping bears no time of its own.

        Raises:
            Unfit: Its path names no check, or no signal.
        """
        if delivery.method.upper() not in _METHODS:
            raise Unfit("A ping is a GET, a HEAD or a POST.", "method")
        routine, signal = _split(delivery.path)
        state, severity, what = _meant(signal)
        run = delivery.query.get("rid", "")
        if run and not _UUID.fullmatch(run):
            raise Unfit("The run is no UUID.", "rid")
        output = delivery.body.decode("utf-8", "replace")
        return [
            Report(
                key=bounded.key(routine),
                kind="routine",
                state=state,
                severity=severity,
                summary=bounded.line(f"{routine} {what}"),
                event_id=bounded.key(routine, run, signal or "done") if run else None,
                subject=bounded.line(routine, 200),
                details=bounded.details({"run": run, "output": output}),
            )
        ]


def _split(path: str) -> tuple[str, str]:
    """The check, by its UUID or by project key and slug, and the signal."""
    parts = path.strip("/").split("/")
    if _UUID.fullmatch(parts[0]):
        check, rest = parts[0].lower(), parts[1:]
    elif len(parts) > 1 and _PING_KEY.fullmatch(parts[0]) and _SLUG.fullmatch(parts[1]):
        check, rest = f"{parts[0]}/{parts[1]}", parts[2:]
    else:
        raise Unfit("The path is UUID or KEY/SLUG, and then perhaps a signal.", "path")
    if len(rest) > 1:
        raise Unfit("The path goes on after the signal.", "path")
    return check, rest[0] if rest else ""


def _meant(signal: str) -> tuple[ObservedState, Severity, str]:
    if signal in _SIGNALS:
        return _SIGNALS[signal]
    if not _STATUS.fullmatch(signal) or int(signal) > 255:
        raise Unfit("The signal is start, fail, log or an exit status up to 255.", "path")
    if int(signal) == 0:
        return _SIGNALS[""]
    return ("problem", "error", f"failed with exit status {int(signal)}")

"""Ask systemd how a unit is; well is only what is loaded, active, has a run and keeps it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from kit.clock import Clock
from kit.errors import Unavailable
from praxis.contract import Severity
from praxis.contract.looks import UnitLook
from praxis.sources import Reading
from praxis.sources.program import environment, output_of
from praxis.sources.verdict import bad, good

_SHOWN = (
    "LoadState",
    "ActiveState",
    "SubState",
    "Result",
    "Type",
    "InvocationID",
    "NRestarts",
    "ExecMainStatus",
    "ActiveEnterTimestamp",
)
_CRASHES = 2
"""Restarts since it last was calm that make a crash loop; one may be an accident."""
_TIME = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?:\.\d+)? UTC$")


class UnitSource:
    """One unit of the machine or of the person."""

    def __init__(self, look: UnitLook, clock: Clock, program: str = "systemctl") -> None:
        self._look = look
        self._clock = clock
        self._program = program
        self._calm: int | None = None
        """How often it had been restarted when it last was calm."""

    async def poll(self) -> list[Reading]:
        """Ask once; empty while the unit starts, stops or has not yet stayed up for long.

        Raises:
            Unavailable: systemd cannot be asked.
        """
        at = self._clock.now()
        command = [
            *(self._program, "--no-pager", "--no-ask-password", f"--{self._look.scope}", "show"),
            *(f"--property={','.join(_SHOWN)}", "--", self._look.unit),
        ]
        told = await output_of(
            command, timeout_s=self._look.timeout_s, largest=64 << 10, environment=environment()
        )
        rows = (row.partition("=") for row in told.text.splitlines())
        shown = {name: value for name, _, value in rows}
        if not shown.get("LoadState") or not shown.get("ActiveState"):
            raise Unavailable(f"{self._program} does not tell how {self._look.unit} is.")
        reading = judge(shown, at, timedelta(seconds=self._look.stable_s))
        written = shown.get("NRestarts", "")
        restarts = int(written) if written.isdecimal() else 0
        if self._calm is None or restarts < self._calm or (reading and reading.state == "ok"):
            self._calm = restarts
        if reading is None and restarts - self._calm >= _CRASHES:
            reading = _crashing(shown, at)
        return [reading] if reading is not None else []

    def close(self) -> None:
        """Nothing is held between looks."""


def judge(shown: Mapping[str, str], at: datetime, stable: timedelta) -> Reading | None:
    """What the properties of a unit mean; None where they settle nothing yet.

    `Result=success` alone proves nothing: a unit that does not exist has it too.
    """
    load, active, sub = shown["LoadState"], shown["ActiveState"], shown.get("SubState", "")
    if load != "loaded":
        reason = load.replace("-", "_")
        return bad(at, reason, _UNLOADED.get(load, f"is not loaded: {load}"), _grave(load))
    details = _details(shown)
    run = shown.get("InvocationID") or None
    if active == "failed":
        return bad(at, "failed", f"has failed: {details['result']}", details=details)
    if active == "activating" and sub.startswith("auto-restart"):
        return _crashing(shown, at)
    if run is None and active != "inactive":
        return None
    since = _instant(shown.get("ActiveEnterTimestamp", ""))
    if active in {"active", "reloading"}:
        if since is None or at - since < stable:
            return None
        return good(at, f"is active ({sub})", instance_id=run, started_at=since)
    if active == "inactive":
        if shown.get("Type") == "oneshot":
            is_done = run is not None and details["result"] == "success"
            return good(at, "has done its work", instance_id=run) if is_done else None
        return bad(at, "stopped", "is stopped", "warning", details)
    return None


def _details(shown: Mapping[str, str]) -> dict[str, str]:
    return {
        "result": shown.get("Result", ""),
        "exit_status": shown.get("ExecMainStatus", ""),
        "restarts": shown.get("NRestarts", ""),
    }


def _crashing(shown: Mapping[str, str], at: datetime) -> Reading:
    said = f"crashes and is restarted again and again, {shown.get('NRestarts')} times so far"
    return bad(at, "crash_loop", said, details=_details(shown))


_UNLOADED = {
    "not-found": "does not exist",
    "masked": "is masked",
    "bad-setting": "has a file that systemd does not understand",
    "error": "has a file that cannot be read",
}


def _grave(load: str) -> Severity:
    return "warning" if load == "masked" else "error"


def _instant(shown: str) -> datetime | None:
    found = _TIME.search(shown)
    return datetime.fromisoformat(found[1]).replace(tzinfo=UTC) if found else None

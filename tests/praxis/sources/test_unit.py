"""Units of a real systemd user manager that run, crash, crash again and again, or do not exist."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from kit.clock import SystemClock
from kit.errors import Unavailable
from kit.testing import FrozenClock
from praxis.contract.looks import UnitLook
from praxis.sources import Reading
from praxis.sources.unit import UnitSource, judge
from tests.praxis.systemd_manager import SystemdManager

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
LOOPING = "[Service]\nExecStart=/bin/sh -c 'exit 3'\nRestart=always\nRestartSec=60\n"
RUNNING = "[Service]\nExecStart=/bin/sleep 600\n"


def look(unit: str, stable_s: float = 0) -> UnitSource:
    return UnitSource(UnitLook(unit=unit, scope="user", stable_s=stable_s), SystemClock())


async def until(source: UnitSource, state: str, reason: str = "") -> Reading:
    """Look again and again, within bounds, until the unit is so."""
    async with asyncio.timeout(30):
        while True:
            for reading in await source.poll():
                if reading.state == state and reading.details.get("reason", "") == reason:
                    return reading


async def test_a_unit_that_runs_is_well_and_each_run_is_another_instance(
    manager: SystemdManager,
) -> None:
    manager.write_unit("runs.service", RUNNING)
    source = look("runs.service")

    manager.systemctl("start", "runs.service")
    first = await until(source, "ok")
    manager.systemctl("restart", "runs.service")
    second = await until(source, "ok")

    assert first.summary == "is active (running)"
    assert first.instance_id is not None
    assert first.instance_id != second.instance_id
    assert first.started_at is not None
    assert abs(SystemClock().now() - first.started_at) < timedelta(minutes=5)


async def test_a_unit_that_starts_and_then_crashes_again_and_again_is_a_problem(
    manager: SystemdManager,
) -> None:
    manager.write_unit("loops.service", LOOPING)

    manager.systemctl("start", "loops.service")
    reading = await until(look("loops.service"), "problem", "crash_loop")

    assert reading.severity == "error"
    assert reading.details["exit_status"] == "3"


async def test_a_unit_that_has_failed_is_a_problem_and_well_when_it_is_mended(
    manager: SystemdManager,
) -> None:
    manager.write_unit("fails.service", "[Service]\nExecStart=/bin/sh -c 'exit 7'\n")
    source = look("fails.service")

    manager.systemctl("start", "fails.service")
    failed = await until(source, "problem", "failed")
    manager.write_unit("fails.service", RUNNING)
    manager.systemctl("restart", "fails.service")
    mended = await until(source, "ok")

    assert failed.details["result"] == "exit-code"
    assert failed.details["exit_status"] == "7"
    assert mended.observed_at > failed.observed_at


async def test_a_unit_that_does_not_exist_is_a_problem_though_its_result_is_success(
    manager: SystemdManager,
) -> None:
    shown = manager.systemctl("show", "--property=Result", "nosuch.service")

    reading = await until(look("nosuch.service"), "problem", "not_found")

    assert shown.strip() == "Result=success"
    assert reading.summary == "does not exist"


async def test_a_unit_that_is_stopped_is_a_warning(manager: SystemdManager) -> None:
    manager.write_unit("stops.service", RUNNING)
    manager.systemctl("start", "stops.service")
    manager.systemctl("stop", "stops.service")

    reading = await until(look("stops.service"), "problem", "stopped")

    assert reading.severity == "warning"


async def test_a_task_that_has_done_its_work_is_well(manager: SystemdManager) -> None:
    manager.write_unit("backup.service", "[Service]\nType=oneshot\nExecStart=/bin/true\n")
    # Something must hold a unit that has ended in memory, as its timer does.
    manager.write_unit("backup.timer", "[Timer]\nOnCalendar=yearly\n")
    manager.systemctl("start", "backup.timer")
    before = await look("backup.service").poll()

    manager.systemctl("start", "backup.service")
    after = await until(look("backup.service"), "ok")

    assert before == []
    assert after.summary == "has done its work"


async def test_where_no_manager_runs_nothing_is_said_of_the_unit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)

    with pytest.raises(Unavailable, match="systemctl"):
        await look("any.service").poll()


@pytest.mark.parametrize(
    ("script", "wanted"),
    [
        ("sleep 60", "did not end within"),
        ("head -c 200000 /dev/zero", "printed more than"),
        ("echo nonsense", "does not tell"),
        ("printf 'Failed\\033[31m: no bus' >&2; exit 1", r"failed: Failed\\u001b\[31m: no bus$"),
    ],
)
async def test_a_program_that_hangs_floods_or_fails_says_nothing_of_the_unit(
    tmp_path: Path, script: str, wanted: str
) -> None:
    program = tmp_path / "systemctl"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="ascii")
    program.chmod(0o700)
    checked = UnitLook(unit="a.service", timeout_s=2.0)
    if "sleep" in script:
        checked = UnitLook(unit="a.service", timeout_s=0.1)

    with pytest.raises(Unavailable, match=wanted):
        await UnitSource(checked, FrozenClock(), str(program)).poll()


async def test_a_unit_that_is_always_seen_running_and_never_for_long_crashes_in_a_loop(
    tmp_path: Path,
) -> None:
    program, looks = tmp_path / "systemctl", tmp_path / "looks"
    properties = "LoadState=loaded\nActiveState=active\nInvocationID=1\n"
    program.write_text(
        f"#!/bin/sh\necho >>{looks}\nprintf '{properties}'\n"
        f'echo "ActiveEnterTimestamp=Mon 2026-11-30 11:59:59 UTC"\n'
        f'echo "NRestarts=$(wc -l <{looks})"\n',
        encoding="ascii",
    )
    program.chmod(0o700)
    source = UnitSource(UnitLook(unit="a.service"), FrozenClock(), str(program))

    first, second, third = [await source.poll() for _ in range(3)]

    assert first == second == []
    assert third[0].details["reason"] == "crash_loop"
    assert third[0].summary.endswith("3 times so far")


def shown(**more: str) -> Mapping[str, str]:
    running = {
        "LoadState": "loaded",
        "ActiveState": "active",
        "SubState": "running",
        "Result": "success",
        "Type": "simple",
        "InvocationID": "0123456789abcdef0123456789abcdef",
        "NRestarts": "0",
        "ActiveEnterTimestamp": "Mon 2026-11-30 11:00:00 UTC",
    }
    return {**running, **more}


@pytest.mark.parametrize(
    ("more", "wanted"),
    [
        ({}, ("ok", "")),
        ({"ActiveEnterTimestamp": "Mon 2026-11-30 11:59:55 UTC"}, None),
        ({"ActiveEnterTimestamp": ""}, None),
        ({"InvocationID": ""}, None),
        ({"ActiveState": "reloading"}, ("ok", "")),
        ({"ActiveState": "activating", "SubState": "start-pre"}, None),
        ({"ActiveState": "activating", "SubState": "auto-restart"}, ("problem", "crash_loop")),
        (
            {"ActiveState": "activating", "SubState": "auto-restart-queued"},
            ("problem", "crash_loop"),
        ),
        ({"ActiveState": "deactivating"}, None),
        ({"ActiveState": "failed", "Result": "oom-kill"}, ("problem", "failed")),
        ({"ActiveState": "inactive"}, ("problem", "stopped")),
        ({"ActiveState": "inactive", "Type": "oneshot"}, ("ok", "")),
        ({"ActiveState": "inactive", "Type": "oneshot", "InvocationID": ""}, None),
        ({"LoadState": "masked", "ActiveState": "inactive"}, ("problem", "masked")),
        ({"LoadState": "bad-setting"}, ("problem", "bad_setting")),
        ({"LoadState": "strange"}, ("problem", "strange")),
    ],
)
def test_what_the_properties_of_a_unit_mean(
    more: dict[str, str], wanted: tuple[str, str] | None
) -> None:
    reading = judge(shown(**more), NOW, timedelta(seconds=10))

    assert (reading and (reading.state, reading.details.get("reason", ""))) == wanted

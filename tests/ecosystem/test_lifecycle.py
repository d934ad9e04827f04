"""`up`, `down` and `doctor` as a new user meets them."""

import os
import signal
import stat
from pathlib import Path

import pytest

from tests.ecosystem.driver import Ecosystem, eventually

PARTS = ("nexus", "praxis", "hexis", "vecna", "maven")
pytestmark = pytest.mark.slow


def test_up_ends_with_every_part_healthy_and_down_leaves_nothing(fresh: Ecosystem) -> None:
    said = fresh.up()
    pids = [fresh.pid(program) for program in ("nexus", "praxis", "hexis", "vecna", "mavend")]
    control = fresh.home / "run" / "supervisor.sock"
    mode = stat.S_IMODE(control.stat().st_mode)

    stopped = fresh.down()

    assert "All parts are healthy: hexis, maven, nexus, praxis, vecna" in said
    assert mode == 0o600
    assert stopped.strip() == "Everything is stopped."
    assert all(pids)
    assert [pid for pid in pids if Path(f"/proc/{pid}").exists()] == []
    assert list((fresh.home / "run").iterdir()) == []


def test_a_second_up_finds_the_first(fresh: Ecosystem) -> None:
    fresh.up()
    before = fresh.pid("vecna")

    said = fresh.up()

    assert "runs already" in said
    assert fresh.pid("vecna") == before


def test_up_starts_again_what_has_died(fresh: Ecosystem) -> None:
    fresh.up()
    fresh.kill("vecna")
    eventually(lambda: fresh.pid("vecna") == 0, 5, "the supervisor sees the death")

    said = fresh.up()

    assert "vecna" in said
    assert fresh.pid("vecna") != 0


def test_up_repairs_what_a_killed_supervisor_leaves_behind(fresh: Ecosystem) -> None:
    fresh.up()
    supervisor = int((fresh.home / "run" / "supervisord.pid").read_text())
    parts = [fresh.pid(program) for program in ("nexus", "praxis", "hexis", "vecna", "mavend")]

    os.kill(supervisor, signal.SIGKILL)
    said = fresh.up()

    assert "All parts are healthy" in said
    assert [pid for pid in parts if Path(f"/proc/{pid}").exists()] == []


def test_restart_on_crash_brings_a_killed_part_back(new_home: Path) -> None:
    ecosystem = Ecosystem(new_home, ECOSYSTEM_RESTART_ON_CRASH="true")
    ecosystem.up()
    before = ecosystem.pid("vecna")

    ecosystem.kill("vecna")

    try:
        eventually(lambda: ecosystem.pid("vecna") not in (0, before), 15, "vecna is back")
    finally:
        ecosystem.down()


def test_doctor_finds_nothing_wrong_and_then_what_is(fresh: Ecosystem) -> None:
    fresh.up()
    well = fresh.run("ecosystem", "doctor")
    fresh.kill("vecna")
    eventually(lambda: fresh.pid("vecna") == 0, 5, "the supervisor sees the death")
    (fresh.home / "credentials" / "cli").chmod(0o644)

    ill = fresh.run("ecosystem", "doctor")

    assert well.returncode == 0, well.stdout
    assert "WRONG" not in well.stdout
    assert ill.returncode == 1
    assert "run `make up`" in ill.stdout
    assert "chmod 600" in ill.stdout


def test_doctor_speaks_russian_where_the_person_does(fresh: Ecosystem) -> None:
    fresh.environment["LANG"] = "ru_RU.UTF-8"

    said = fresh.run("ecosystem", "doctor").stdout

    assert "выполните `make up`" in said


def test_a_home_that_is_too_deep_is_refused_with_the_way_out(new_home: Path) -> None:
    deep = Ecosystem(new_home / ("d" * 120))

    done = deep.run("ecosystem", "up")

    assert done.returncode != 0
    assert "ECOSYSTEM_HOME" in done.stderr

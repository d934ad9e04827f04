"""`up`, `down` and `doctor` as a new user meets them."""

import os
import signal
import stat
from pathlib import Path

import pytest

from kit.auth import Secret
from tests.ecosystem.driver import Ecosystem, eventually, living

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
    assert living(pids) == []
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

    assert said.startswith("Put right: vecna.")
    assert fresh.pid("vecna") != 0


def test_up_repairs_what_a_killed_supervisor_leaves_behind(fresh: Ecosystem) -> None:
    fresh.up()
    supervisor = int((fresh.home / "run" / "supervisord.pid").read_text())
    parts = [fresh.pid(program) for program in ("nexus", "praxis", "hexis", "vecna", "mavend")]

    os.kill(supervisor, signal.SIGKILL)
    said = fresh.up()

    assert "All parts are healthy" in said
    assert living(parts) == []


def test_up_starts_anew_a_part_whose_socket_is_gone(fresh: Ecosystem) -> None:
    fresh.up()
    before = fresh.pid("praxis")
    (fresh.home / "run" / "praxis.sock").unlink()

    said = fresh.up()

    assert "Put right: praxis." in said
    assert fresh.pid("praxis") not in (0, before)


def test_up_makes_lost_credentials_anew_and_every_part_uses_them(fresh: Ecosystem) -> None:
    fresh.up()
    for path in (fresh.home / "credentials").iterdir():
        path.unlink()
    ill = fresh.run("ecosystem", "doctor")

    said = fresh.up()

    assert ill.returncode == 1
    assert "Put right: hexis, maven, nexus, praxis, vecna." in said
    eventually(
        lambda: "5 sources are fresh" in fresh.ask("what needs attention?"),
        15,
        "Praxis hears of everyone again",
    )
    assert "Vecna is healthy" in fresh.ask("is vecna healthy?")


@pytest.mark.parametrize("name", ["50% off", "100%(here)s", "it's", 'a "b"', "дом", "a;b #c"])
def test_a_home_may_have_any_printable_name(new_home: Path, name: str) -> None:
    ecosystem = Ecosystem(new_home / name)

    try:
        said = ecosystem.up()
    finally:
        ecosystem.down()

    assert "All parts are healthy" in said


def test_a_part_is_restarted_by_the_name_a_person_knows(fresh: Ecosystem) -> None:
    fresh.up()

    known = fresh.run("ecosystem", "restart", "maven")
    unknown = fresh.run("ecosystem", "restart", "nosuch")

    assert known.stdout == "maven runs again.\n"
    assert unknown.returncode == 2
    assert "nexus, praxis, hexis, vecna, maven" in unknown.stderr


def test_a_rotated_secret_is_dead_at_once_and_the_doctor_says_who_holds_it(
    fresh: Ecosystem,
) -> None:
    fresh.up()
    old = fresh.secrets["cli"].token_for("nexus")

    fresh.run("ecosystem", "rotate", "cli")
    fresh.run("ecosystem", "rotate", "mavend")
    still_works = fresh.run("nexus", "resolve", "vecna")
    said = fresh.run("ecosystem", "doctor").stdout
    fresh.run("ecosystem", "restart", "maven")

    assert Secret.load(fresh.home / "credentials" / "cli").token_for("nexus") != old
    assert still_works.returncode == 0
    assert "ecosystem restart maven" in said
    assert "WRONG" not in fresh.run("ecosystem", "doctor").stdout


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
    well = fresh.run("ecosystem", "doctor")  # at once: the supervisor still calls them starting
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

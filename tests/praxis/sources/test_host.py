"""This machine's disks, memory and load, and a kernel that tells what a test wants."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.errors import Unavailable
from kit.testing import FrozenClock
from praxis.contract.looks import AtLeast, AtMost, HostLook
from praxis.domain.thresholds import Band
from praxis.sources.host import HostSource, Room, room_of


def proc(folder: Path, *, available: int = 500, load: float = 0.1) -> Path:
    cores = os.cpu_count() or 1
    (folder / "meminfo").write_text(
        f"MemTotal: 1000 kB\nMemAvailable: {available} kB\nHugePages_Total: 0\n", encoding="ascii"
    )
    (folder / "loadavg").write_text(f"9.0 {load * cores} 9.0 1/1 1\n", encoding="ascii")
    return folder


async def states(source: HostSource) -> dict[str | None, str]:
    return {reading.key: reading.state for reading in await source.poll()}


async def test_this_machine_tells_of_its_root_memory_and_load() -> None:
    generous = AtLeast(problem_below=0, ok_from=0)
    look = HostLook(
        disk_free=generous,
        memory_available=generous,
        load_per_core=AtMost(problem_above=1000, ok_to=1000),
    )

    readings = await HostSource(look, FrozenClock()).poll()

    kinds = {reading.key: reading.kind for reading in readings}
    assert kinds == {"disk:/": "host.disk", "memory": "host.memory", "load": "host.load"}
    assert {reading.state for reading in readings} == {"ok"}


async def test_a_full_disk_is_a_problem_that_says_how_full() -> None:
    look = HostLook(disk_free=AtLeast(problem_below=100, ok_from=100))

    readings = await HostSource(look, FrozenClock()).poll()

    (disk,) = [reading for reading in readings if reading.key == "disk:/"]
    assert (disk.state, disk.details["reason"]) == ("problem", "disk_scarce")
    assert disk.summary.endswith("free on /")


async def test_a_disk_that_is_not_mounted_is_a_problem_of_its_own(tmp_path: Path) -> None:
    look = HostLook(mounts=("/", str(tmp_path), "/nonexistent"))

    readings = await HostSource(look, FrozenClock()).poll()

    reasons = {reading.key: reading.details.get("reason") for reading in readings}
    assert reasons[f"disk:{tmp_path}"] == reasons["disk:/nonexistent"] == "not_mounted"
    assert "memory" in reasons


async def test_a_disk_that_never_answers_holds_up_nothing_and_one_thread() -> None:
    answered, asked = threading.Event(), list[str]()

    def hang(path: str) -> Room:
        asked.append(path)
        if path != "/":
            answered.wait(30)
        return room_of("/")

    look = HostLook(mounts=("/", "/mnt/dead"), timeout_s=0.05)
    source = HostSource(look, FrozenClock(), room_of=hang)

    readings = [reading for _ in range(3) for reading in await source.poll()]
    answered.set()

    dead = [reading for reading in readings if reading.key == "disk:/mnt/dead"]
    assert [reading.details["reason"] for reading in dead] == ["timeout"] * 3
    assert asked.count("/mnt/dead") == 1
    assert sum(reading.key == "memory" for reading in readings) == 3


async def test_between_the_thresholds_the_last_verdict_stands(tmp_path: Path) -> None:
    source = HostSource(HostLook(mounts=()), FrozenClock(), proc=proc(tmp_path, available=70))
    fresh = await states(source)
    seen: list[str] = []
    for available in (110, 70, 40, 70, 99, 100, 70):
        proc(tmp_path, available=available)
        seen.append((await states(source))["memory"])

    assert "memory" not in fresh
    assert seen == ["ok", "ok", "problem", "problem", "problem", "ok", "ok"]


async def test_a_high_load_is_a_problem(tmp_path: Path) -> None:
    source = HostSource(HostLook(mounts=()), FrozenClock(), proc=proc(tmp_path, load=2.5))

    assert (await states(source))["load"] == "problem"
    proc(tmp_path, load=1.0)
    assert (await states(source))["load"] == "ok"


@pytest.mark.parametrize("said", [b"", b"MemTotal: 0 kB\nMemAvailable: 0 kB\n", b"\xff"])
async def test_a_kernel_that_does_not_tell_is_no_sign_of_health(
    tmp_path: Path, said: bytes
) -> None:
    proc(tmp_path)
    (tmp_path / "meminfo").write_bytes(said)

    with pytest.raises(Unavailable):
        await HostSource(HostLook(mounts=()), FrozenClock(), proc=tmp_path).poll()


@given(st.lists(st.floats(0, 100)), st.floats(0, 50), st.floats(0, 50))
def test_a_problem_ends_only_at_the_threshold_for_its_end(
    values: list[float], problem: float, gap: float
) -> None:
    band = Band(problem, problem + gap, high_is_good=True)
    before: bool | None = None
    for value in values:
        verdict = band.judge(value)
        if verdict and not before:
            assert value >= problem + gap
        if verdict is False and before is not False:
            assert value < problem
        before = verdict


@pytest.mark.parametrize(
    "said",
    [
        '{"look":"host","disk_free":{"problem_below":10,"ok_from":5}}',
        '{"look":"host","load_per_core":{"problem_above":1,"ok_to":2}}',
    ],
)
def test_a_way_back_before_the_way_there_is_refused(said: str) -> None:
    with pytest.raises(msgspec.ValidationError, match="ok_"):
        msgspec.json.decode(said, type=HostLook)

"""Praxis looks by itself: real trouble becomes items, one failing look harms no other."""

import asyncio
import os
import socket
import tempfile
from collections.abc import AsyncGenerator, Generator
from datetime import datetime
from pathlib import Path
from typing import cast

import pytest
import pytest_asyncio

from kit.clock import SystemClock
from kit.errors import InvalidArgument, PermissionDenied
from praxis.contract import (
    ListItems,
    ListSources,
    Observe,
    PutSource,
)
from praxis.contract.agent_looks import PaneLook
from praxis.contract.looks import AtLeast, HostLook, HttpCheck, RepositoryLook, UnitLook
from tests.praxis.conftest import World
from tests.praxis.sources.test_http_check import start
from tests.praxis.systemd_manager import SystemdManager, systemd_manager
from tests.requirements import requirement

EVERY_S = 0.1


@pytest_asyncio.fixture
async def awake(folder: Path) -> AsyncGenerator[World]:
    """Praxis is served, and time goes on."""
    world = World(folder, SystemClock())
    await world.start()
    yield world
    await world.stop()


@pytest.fixture
def manager() -> Generator[SystemdManager]:
    with (
        tempfile.TemporaryDirectory(prefix="sd", dir="/tmp") as name,
        systemd_manager(Path(name)) as manager,
    ):
        yield manager


@requirement("praxis.sources.pull", "praxis.measured.real")
async def test_a_web_server_that_is_killed_is_an_item_and_recovers_when_it_is_back(
    awake: World, tmp_path: Path
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    check = HttpCheck(address=f"http://127.0.0.1:{port}", every_s=EVERY_S, failures=2)
    server = await start(port, tmp_path)
    await awake.praxis.put_source(PutSource("http:nas", "http", 60, look=check))

    server.kill()
    await server.wait()
    opened = await awake.until("item_opened")
    server = await start(port, tmp_path)
    await awake.until("item_recovered", after=opened.cursor)
    server.kill()
    await server.wait()

    (item,) = (await awake.praxis.list_items(ListItems(source="http:nas"))).items
    assert (item.kind, item.severity, item.operational) == ("http", "error", "recovered")
    reasons = [each.details["reason"] for each in item.evidence if each.state == "problem"]
    assert reasons[0] == "refused"


@requirement("praxis.sources.pull")
async def test_a_look_that_fails_degrades_its_own_source_alone(
    awake: World, tmp_path: Path
) -> None:
    full = AtLeast(problem_below=100, ok_from=100)
    host = HostLook(disk_free=full, every_s=EVERY_S)
    gone = RepositoryLook(folder=str(tmp_path / "nowhere"), every_s=EVERY_S)
    await awake.praxis.put_source(PutSource("repo:gone", "repository", 0.2, look=gone))
    await awake.praxis.put_source(PutSource("host:here", "host", 60, look=host))

    silent = await awake.until("source_stale")

    stand = {each.source: each for each in (await awake.praxis.list_sources(ListSources())).sources}
    assert stand["repo:gone"].freshness == "never"
    assert stand["host:here"].freshness == "fresh"
    assert silent.source == "repo:gone"
    assert silent.details["trouble"]
    keys = {item.key for item in (await awake.praxis.list_items(ListItems())).items}
    assert {"disk:/", "source:repo:gone"} <= keys


@requirement("praxis.measured.real")
async def test_a_unit_that_crash_loops_is_one_item_of_a_real_manager(
    awake: World, manager: SystemdManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in manager.environment.items():
        monkeypatch.setenv(name, value)
    manager.write_unit(
        "loop.service",
        "[Unit]\nStartLimitIntervalSec=60\nStartLimitBurst=5\n"
        "[Service]\nExecStart=/bin/sh -c 'sleep 0.2; exit 3'\nRestart=always\nRestartSec=0.1\n",
    )
    look = UnitLook("loop.service", scope="user", every_s=EVERY_S, stable_s=30)
    await awake.praxis.put_source(PutSource("unit:loop", "service", 60, look=look))

    manager.systemctl("start", "loop.service")
    await awake.until("item_opened")

    items = (await awake.praxis.list_items(ListItems(source="unit:loop"))).items
    assert [(item.operational, item.episodes) for item in items] == [("active", 1)]


@requirement("praxis.measured.real")
async def test_a_pane_that_waits_at_a_prompt_is_an_item_of_a_real_tmux(
    awake: World, tmp_path: Path
) -> None:
    server = f"eco-{os.getpid()}"
    question = "printf 'Remove everything? [y/N] '; read answer"
    try:
        await run(
            "tmux", "-L", server, "-f", "/dev/null", "new-session", "-d", "sh", "-c", question
        )
    except FileNotFoundError:
        pytest.skip("tmux is not installed (apt install tmux)")
    try:
        look = PaneLook(socket=server, still=1, every_s=EVERY_S)
        await awake.praxis.put_source(PutSource("panes", "agent", 60, look=look))
        await awake.until("item_opened")
    finally:
        await run("tmux", "-L", server, "kill-server")

    (item,) = (await awake.praxis.list_items(ListItems(source="panes"))).items
    assert item.kind == "agent.waiting"
    assert "Remove everything?" in item.title


async def test_what_praxis_looks_at_nobody_else_reports_for(awake: World) -> None:
    look = HostLook(every_s=60)
    await awake.praxis.put_source(PutSource("host:here", "host", 120, look=look))

    with pytest.raises(PermissionDenied):
        await awake.praxis.observe(Observe("host:here", "host", "problem", "forged"))


async def test_a_source_is_looked_at_again_after_a_restart(awake: World) -> None:
    full = AtLeast(problem_below=100, ok_from=100)
    host = HostLook(disk_free=full, every_s=EVERY_S)
    await awake.praxis.put_source(PutSource("host:here", "host", 60, look=host))
    await awake.until("item_opened")

    await awake.restart()
    started = awake.clock.now()
    async with asyncio.timeout(10):
        while not await looked_at(awake, "host:here", started):  # noqa: ASYNC110 - no event tells
            await asyncio.sleep(EVERY_S)

    items = (await awake.praxis.list_items(ListItems(source="host:here"))).items
    assert [(item.operational, item.episodes) for item in items if item.key == "disk:/"] == [
        ("active", 1)
    ]


async def looked_at(world: World, source: str, since: datetime) -> bool:
    listed = (await world.praxis.list_sources(ListSources())).sources
    return any(
        each.source == source and each.last_observed_at and each.last_observed_at > since
        for each in listed
    )


async def run(*command: str) -> None:
    process = await asyncio.create_subprocess_exec(*command)
    await process.wait()


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"expected_every_s": 1}, "expected_every_s"),
        ({"expected_every_s": None}, "expected_every_s"),
        ({"source": "praxis"}, "source"),
    ],
)
async def test_a_look_that_cannot_be_is_refused_by_its_field(
    awake: World, given: dict[str, object], field: str
) -> None:
    request = {"source": "host:x", "kind": "host", "expected_every_s": 120} | given

    with pytest.raises(InvalidArgument) as refused:
        await awake.praxis.put_source(
            PutSource(**cast("dict[str, str]", request), look=HostLook(every_s=60))  # pyright: ignore
        )

    assert refused.value.field == field
    assert (await awake.praxis.list_sources(ListSources())).sources == []

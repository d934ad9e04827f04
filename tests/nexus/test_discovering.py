"""`nexus discover` looks at the host and proposes; a person accepts or rejects."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.nexus.conftest import Run
from tests.nexus.test_discovery import RECORDED, clone, http, peer, systemctl
from tests.requirements import requirement


@pytest.fixture
def host(folder: Path, tmp_path: Path, prepared: dict[str, str]) -> Path:
    """A folder with repositories, on a host whose systemctl and Docker answer."""
    systemctl(tmp_path)
    prepared["PATH"] = f"{tmp_path}:{prepared['PATH']}"
    prepared["DOCKER_HOST"] = f"unix://{folder}/docker.sock"
    prepared["XDG_RUNTIME_DIR"] = str(folder)
    clone(tmp_path / "src/correx", '[remote "origin"]\nurl = https://a:b@github.com/o/correx\n')
    clone(tmp_path / "src/Рецепты", "")
    return tmp_path / "src"


@requirement("nexus.surface.discovery")
async def test_what_is_found_is_proposed_and_waits_for_an_answer(
    shell: Run, folder: Path, host: Path
) -> None:
    with peer(folder / "docker.sock", http(RECORDED)):
        first = await shell("discover", "all", "--under", str(host))

    assert first.status == 0, first
    assert "systemd: 4 found, proposed: 4, known: 0, pending: 0, rejected: 0" in first.output
    assert "git: 2 found, proposed: 2" in first.output
    assert "containers: 2 found, proposed: 2" in first.output
    assert (await shell("resolve", "correx")).status == 4

    listed = await shell("list-proposals", "--system", "git", "--json")
    correx, recipes = msgspec.json.decode(listed.output)["proposals"]
    await shell("accept-proposal", correx["proposal_id"])
    await shell("reject-proposal", recipes["proposal_id"])
    second = await shell("discover", "git", "--under", str(host))

    assert "git: 2 found, proposed: 0, known: 1, pending: 0, rejected: 1" in second.output
    assert (await shell("resolve", "коррекс")).status == 0


async def test_a_plan_proposes_nothing_and_json_is_for_programs(shell: Run, host: Path) -> None:
    planned = await shell("discover", "git", "--under", str(host), "--plan")
    listed = await shell("discover", "--under", str(host), "--plan", "--json")

    assert "correx  (repository.git)  git:github.com/o/correx" in planned.output
    assert [each["source"] for each in msgspec.json.decode(listed.output)] == [
        "systemd",
        "git",
        "containers",
    ]
    assert "a:b" not in listed.output
    proposals = await shell("list-proposals", "--json")
    assert msgspec.json.decode(proposals.output)["proposals"] == []


async def test_a_source_that_was_named_has_to_be_there(shell: Run, host: Path) -> None:
    named = await shell("discover", "containers")
    git = await shell("discover", "git")
    every = await shell("discover")
    aside = await shell("discover", "systemd", "--under", str(host))

    assert (named.status, git.status, every.status, aside.status) == (69, 2, 0, 2)
    assert "--under FOLDER" in git.complaint
    assert "containers: Neither Docker nor Podman listens here." in every.complaint


async def test_proposals_are_completed(shell: Run, host: Path) -> None:
    await shell("discover", "git", "--under", str(host))

    words = {"COMP_WORDS": "nexus accept-proposal prp_", "COMP_CWORD": "2"}
    done = await shell(**words, _NEXUS_COMPLETE="bash_complete")

    assert [line[:10] for line in done.output.splitlines()] == ["plain,prp_"] * 2

"""The parts keep apart on the real processes: own databases, own sockets, no network, no cloud."""

import os
import shutil
import subprocess
from pathlib import Path

import psutil
import pytest

from ecosystem.parts import PARTS
from tests.ecosystem.driver import BIN, Ecosystem
from tests.requirements import requirement

pytestmark = pytest.mark.slow


def open_files(pid: int) -> set[Path]:
    """The files a process holds open."""
    folder = Path(f"/proc/{pid}/fd")
    return {entry.readlink() for entry in folder.iterdir() if entry.is_symlink()}


@requirement("arch.12", "invariant.1", "invariant.2")
def test_each_part_opens_its_own_database_and_no_other(ecosystem: Ecosystem) -> None:
    ecosystem.ask("what needs attention?")
    opened = {
        part.name: {
            file.relative_to(ecosystem.home).parts[0]
            for file in open_files(ecosystem.pid(part.program))
            if ".db" in file.name
        }
        for part in PARTS
    }

    assert opened == {part.name: {part.name} for part in PARTS}


@requirement("arch.20", "invariant.11")
def test_no_part_opens_a_network_socket(ecosystem: Ecosystem) -> None:
    ecosystem.ask("is vecna healthy?")

    sockets = {
        part.name: psutil.Process(ecosystem.pid(part.program)).net_connections(kind="inet")
        for part in PARTS
    }

    assert sockets == {part.name: [] for part in PARTS}


@requirement("arch.20", "invariant.11")
@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("unshare"), reason="needs root")
def test_everything_works_on_a_machine_without_any_network(fresh: Ecosystem) -> None:
    done = subprocess.run(
        [shutil.which("unshare") or "", "--net", BIN / "ecosystem", "up"],
        env=fresh.environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    answer = fresh.ask("what needs attention?")

    assert done.returncode == 0, done.stderr
    assert "5 sources are fresh" in answer


@requirement("arch.17")
def test_every_part_says_which_contract_it_speaks(ecosystem: Ecosystem) -> None:
    said = {part.name: ecosystem.run(part.name, "meta", "--json").stdout for part in PARTS}

    assert all(f'"contract": "{part.contract}"' in said[part.name] for part in PARTS)

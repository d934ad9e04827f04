"""Real git repositories: tended, neglected, broken, and a hostile one that would run its code."""

from __future__ import annotations

import os
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

from kit.clock import SystemClock
from kit.errors import FailedPrecondition, ServiceError, Unavailable
from kit.testing import FrozenClock
from praxis.contract.looks import RepositoryLook
from praxis.sources import Reading
from praxis.sources.repository import RepositorySource, ci


class Tree:
    """A working tree with a remote beside it."""

    def __init__(self, folder: Path) -> None:
        self.remote, self.folder = folder / "remote.git", folder / "tree"
        subprocess.run(["git", "init", "-q", "--bare", str(self.remote)], check=True)
        subprocess.run(
            ["git", "clone", "-q", str(self.remote), str(self.folder)],
            check=True,
            capture_output=True,
        )
        self.write("a.txt", "one\n")
        self.git("checkout", "-q", "-b", "main")
        self.commit("first")
        self.git("push", "-q", "-u", "origin", "main")

    def git(self, *arguments: str) -> str:
        who = ["-c", "user.name=Test", "-c", "user.email=test@localhost"]
        done = subprocess.run(
            ["git", *who, *arguments],
            cwd=self.folder,
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"},
        )
        return done.stdout

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text, encoding="utf-8")
        return path

    def commit(self, message: str) -> None:
        self.git("add", "--all")
        self.git("commit", "-q", "-m", message)


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


async def seen(folder: Path, **more: object) -> dict[str | None, Reading]:
    look = RepositoryLook(folder=str(folder), **{"patience_h": 0, **more})  # pyright: ignore[reportArgumentType]
    readings = await RepositorySource(look, SystemClock()).poll()
    return {reading.key: reading for reading in readings}


def problems(readings: dict[str | None, Reading]) -> set[str | None]:
    return {key for key, reading in readings.items() if reading.state == "problem"}


async def test_a_tended_repository_is_well_in_all(tree: Tree) -> None:
    readings = await seen(tree.folder)

    assert set(readings) == {"detached", "behind", "unpushed", "dirty", "lock"}
    assert {reading.state for reading in readings.values()} == {"ok"}
    assert readings["dirty"].kind == "repository.dirty"


async def test_what_lies_about_is_a_problem_only_when_nobody_is_at_work(tree: Tree) -> None:
    tree.write("a.txt", "two\n")
    tree.write("файл.txt", "new\n")

    at_work = await seen(tree.folder, patience_h=24)
    left = await seen(tree.folder)

    assert "dirty" not in at_work
    assert left["dirty"].details["files"] == "2"
    assert "a.txt" in left["dirty"].summary
    tree.commit("second")
    assert problems(await seen(tree.folder)) == {"unpushed"}


async def test_commits_on_any_branch_that_are_nowhere_else_are_told(tree: Tree) -> None:
    tree.git("checkout", "-q", "-b", "idea")
    tree.write("a.txt", "two\n")
    tree.commit("second")
    tree.git("checkout", "-q", "main")

    readings = await seen(tree.folder)
    tree.git("push", "-q", "origin", "idea")

    assert readings["unpushed"].details["commits"] == "1"
    assert problems(await seen(tree.folder)) == set()


async def test_a_repository_without_a_remote_has_nothing_to_push(tree: Tree) -> None:
    tree.git("remote", "remove", "origin")

    assert set(await seen(tree.folder)) == {"detached", "dirty", "lock"}


async def test_being_behind_and_on_no_branch_are_problems(tree: Tree, tmp_path: Path) -> None:
    tree.write("a.txt", "two\n")
    tree.commit("second")
    tree.git("push", "-q")
    tree.git("reset", "-q", "--hard", "HEAD~1")
    behind = await seen(tree.folder)
    tree.git("checkout", "-q", "--detach")
    detached = await seen(tree.folder)

    assert behind["behind"].details == {"reason": "behind", "commits": "1"}
    assert problems(behind) == {"behind"}
    assert problems(detached) == {"detached"}


async def test_a_lock_that_was_left_behind_is_a_problem(tree: Tree) -> None:
    lock = tree.write(".git/index.lock", "")
    fresh = await seen(tree.folder)
    old = SystemClock().now() - timedelta(minutes=11)
    os.utime(lock, (old.timestamp(), old.timestamp()))

    assert "lock" not in fresh
    assert problems(await seen(tree.folder)) == {"lock"}


async def test_a_linked_working_tree_is_looked_at_as_well(tree: Tree, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    tree.git("worktree", "add", "-q", "-b", "side", str(linked))
    (linked / "a.txt").write_text("three\n", encoding="utf-8")

    readings = await seen(linked)

    assert problems(readings) == {"dirty"}
    assert readings["detached"].summary == "is on side"


async def test_a_repository_that_would_run_its_own_code_runs_nothing(
    tree: Tree, tmp_path: Path
) -> None:
    ran = tmp_path / "ran"
    program = tmp_path / "evil.sh"
    program.write_text(f'#!/bin/sh\necho "$0" >>{ran}\ncat\n', encoding="ascii")
    program.chmod(0o755)
    included = tmp_path / "included"
    included.write_text(f"[core]\n\tfsmonitor = {program}\n", encoding="ascii")
    tree.write(".gitattributes", "* filter=evil diff=evil\n")
    tree.write("sub/x", "y\n")
    tree.commit("second")
    for name in ("fsmonitor", "sshCommand", "pager", "editor", "askPass", "alternateRefsCommand"):
        tree.git("config", f"core.{name}", str(program))
    for name in ("filter.evil.clean", "filter.evil.smudge", "filter.evil.process"):
        tree.git("config", name, str(program))
    for name in ("diff.external", "diff.evil.command", "diff.evil.textconv", "credential.helper"):
        tree.git("config", name, str(program))
    tree.git("config", "alias.status", f"!{program}")
    tree.git("config", "include.path", str(included))
    for hook in ("post-index-change", "reference-transaction", "pre-commit"):
        tree.write(f".git/hooks/{hook}", program.read_text("ascii")).chmod(0o755)
    tree.write("a.txt", "changed\n")
    os.utime(tree.folder / "sub/x")
    ran.unlink(missing_ok=True)

    readings = await seen(tree.folder)

    assert not ran.exists()
    assert "dirty" in problems(readings)
    tree.git("-c", "alias.status=", "diff", "--name-only", "HEAD")
    assert ran.exists()  # a plain git would have run it


async def test_looking_changes_nothing_in_the_repository(tree: Tree) -> None:
    os.utime(tree.folder / "a.txt")
    before = {path: path.lstat().st_mtime_ns for path in tree.folder.rglob("*")}

    await seen(tree.folder)

    assert {path: path.lstat().st_mtime_ns for path in tree.folder.rglob("*")} == before


async def test_a_name_of_a_file_cannot_break_out_of_its_line(tree: Tree) -> None:
    tree.write("\x1b[31m\u202e\nевил", "x")

    said = (await seen(tree.folder))["dirty"].summary

    assert said.isprintable()
    assert "евил" in said


async def test_what_is_no_repository_cannot_be_looked_at(tree: Tree, tmp_path: Path) -> None:
    (tree.folder / "inside").mkdir()
    for folder in (tree.folder / "inside", tmp_path / "missing", tmp_path):
        with pytest.raises(FailedPrecondition, match="not the working tree"):
            await seen(folder)


async def test_a_repository_that_is_broken_or_too_slow_is_no_good_news(tree: Tree) -> None:
    index = tree.folder / ".git" / "index"
    index.unlink()
    os.mkfifo(index)
    with pytest.raises(Unavailable, match="did not end"):
        await seen(tree.folder, timeout_s=1)
    index.unlink()
    index.write_bytes(b"DIRC nonsense")
    with pytest.raises(Unavailable, match="git failed"):
        await seen(tree.folder)


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("success\n", ("ok", None)),
        ('{"status": "completed", "conclusion": "success"}', ("ok", None)),
        ('{"status": "completed", "conclusion": "failure"}', ("problem", "ci_failed")),
        ("FAILED at step 3", ("problem", "ci_failed")),
        ('{"state": "pending"}', None),
        ('{"status": "in_progress", "conclusion": null}', None),
        ("", ("problem", "ci_unknown")),
        ("\x1b[31m" * 100, ("problem", "ci_unknown")),
        ("[" * 5000, ("problem", "ci_unknown")),
        (None, ("problem", "ci_missing")),
    ],
)
def test_what_ci_left_behind(said: str | None, wanted: tuple[str, str | None] | None) -> None:
    readings = ci(said, FrozenClock().now())

    told = [(reading.state, reading.details.get("reason")) for reading in readings]
    assert told == ([wanted] if wanted else [])
    assert all(reading.summary.isprintable() for reading in readings)


async def test_the_status_file_of_ci_is_read_in_the_folder_alone(
    tree: Tree, tmp_path: Path
) -> None:
    tree.write("ci/status", "failed")
    outside = tmp_path / "outside"
    outside.write_text("success", encoding="ascii")
    (tree.folder / "link").symlink_to(outside)
    os.mkfifo(tree.folder / "fifo")

    assert (await seen(tree.folder, ci_file="ci/status"))["ci"].severity == "error"
    for name in ("link", "../outside", "fifo"):
        with pytest.raises(ServiceError):
            await seen(tree.folder, ci_file=name)

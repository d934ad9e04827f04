"""Look at a git working tree: what lies about in it, what is not pushed, what CI left behind."""

from __future__ import annotations

import asyncio
import os
import stat
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from kit.clock import Clock
from kit.errors import FailedPrecondition
from praxis.contract import Severity
from praxis.contract.looks import RepositoryLook
from praxis.sources import Reading
from praxis.sources.bare_git import BareGit, own_git_dir, repository_in, settings_of
from praxis.sources.verdict import bad, good, line

_LOCK_PATIENCE = timedelta(minutes=10)
_MOST_PATHS = 500
"""Changed files that are looked at to tell when the last change was made."""
_LARGEST_STATUS = 64 << 10
_PASSED = frozenset({"success", "successful", "passed", "pass", "ok", "green", "0"})
_RUNNING = frozenset({"pending", "running", "queued", "in_progress", "waiting"})
_FAILED = frozenset(
    {"failure", "failed", "fail", "error", "errored", "red", "timed_out", "cancelled", "broken"}
)


@dataclass(frozen=True, slots=True)
class Status:
    """What `git status --porcelain=v2 --branch` says."""

    branch: str
    has_commits: bool
    upstream: str
    behind: int
    changed: list[str]


class RepositorySource:
    """One working tree."""

    def __init__(self, look: RepositoryLook, clock: Clock) -> None:
        self._look = look
        self._clock = clock
        self._folder = Path(look.folder)
        self._patience = timedelta(hours=look.patience_h)

    async def poll(self) -> list[Reading]:
        """Look once.

        Raises:
            ServiceError: There is no repository, or git cannot read it.
        """
        at, ends_at = self._clock.now(), asyncio.get_running_loop().time() + self._look.timeout_s
        repository = await asyncio.to_thread(repository_in, self._folder)
        settings = await settings_of(repository, ends_at)
        with ExitStack() as stack:
            opened = own_git_dir(repository, settings)
            git_dir = await asyncio.to_thread(stack.enter_context, opened)
            git = BareGit(self._folder, git_dir, ends_at)
            try:
                status = parse(await git(*_STATUS))
                unpushed = await git(*_UNPUSHED) if status.has_commits else ""
                remotes = await git("for-each-ref", "--count=1", "refs/remotes")
            finally:
                await asyncio.to_thread(stack.close)
        readings = [*_detached(status, at), *_behind(status, at)]
        if remotes.strip():
            readings += self._unpushed(unpushed.split(), at)
        readings += await asyncio.to_thread(self._on_disk, status, repository.own, at)
        return readings

    def close(self) -> None:
        """Nothing is held between looks."""

    def _unpushed(self, times: list[str], at: datetime) -> list[Reading]:
        if not times:
            return [_well(at, "unpushed", "everything is pushed")]
        newest = datetime.fromtimestamp(max(map(int, times)), UTC)
        said = f"commits nowhere but here: {len(times)}, the newest of {newest:%Y-%m-%d}"
        details = {"commits": str(len(times)), "newest": newest.isoformat()}
        return self._when_old(newest, at, "unpushed", said, details)

    def _on_disk(self, status: Status, git_dir: Path, at: datetime) -> list[Reading]:
        readings = self._dirty(status, git_dir, at)
        locked_at = _changed_at(git_dir / "index.lock")
        if locked_at is None:
            readings.append(_well(at, "lock", "no lock is left"))
        elif at - locked_at >= _LOCK_PATIENCE:
            said = f"index.lock is there since {locked_at:%Y-%m-%d %H:%M} UTC"
            readings.append(_ill(at, "lock", said))
        if self._look.ci_file:
            readings += ci(_status_in(self._folder, self._look.ci_file), at)
        return readings

    def _dirty(self, status: Status, git_dir: Path, at: datetime) -> list[Reading]:
        if not status.changed:
            return [_well(at, "dirty", "nothing is uncommitted")]
        paths = (self._folder / path for path in status.changed[:_MOST_PATHS])
        times = [changed for path in paths if (changed := _changed_at(path)) is not None]
        newest = max(times, default=_changed_at(git_dir / "index") or at)
        said = f"files not committed: {len(status.changed)}, such as {status.changed[0]}"
        details = {"files": str(len(status.changed)), "newest": newest.isoformat()}
        return self._when_old(newest, at, "dirty", said, details)

    def _when_old(
        self, newest: datetime, at: datetime, key: str, said: str, details: dict[str, str]
    ) -> list[Reading]:
        """A problem where nothing has been done for long; else somebody is at work."""
        if at - newest < self._patience:
            return []
        return [_ill(at, key, said, details=details)]


_STATUS = (
    *("status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal"),
    *("--ignore-submodules=all", "--no-renames"),
)
_UNPUSHED = ("log", "--format=%ct", "--max-count=1000", "--branches", "HEAD", "--not", "--remotes")


def parse(text: str) -> Status:
    """What git status printed."""
    heads: dict[str, str] = {}
    changed: list[str] = []
    for entry in text.split("\0"):
        if entry.startswith("# "):
            name, _, value = entry[2:].partition(" ")
            heads[name] = value
        elif entry[:2] in {"1 ", "u ", "? "}:
            fields = {"1": 8, "u": 10, "?": 1}[entry[0]]
            changed.append(entry.split(" ", fields)[-1])
    behind = heads.get("branch.ab", "").rpartition("-")[2]
    return Status(
        branch=heads.get("branch.head", ""),
        has_commits=heads.get("branch.oid") != "(initial)",
        upstream=heads.get("branch.upstream", ""),
        behind=int(behind) if behind.isdecimal() else 0,
        changed=changed,
    )


def ci(said: str | None, at: datetime) -> list[Reading]:
    """What the status file means; None where there is none.

    It holds a word, or JSON with one as its `conclusion`, `state` or `status`.
    """
    if said is None:
        return [_ill(at, "ci", "the status file of CI is missing", "ci_missing")]
    words = _words(said)
    word = next((each for each in words if each in _PASSED | _FAILED | _RUNNING), None)
    if word is None:
        return [_ill(at, "ci", f"CI left what means nothing: {line(said, 60)}", "ci_unknown")]
    if word in _RUNNING:
        return []
    if word in _PASSED:
        return [_well(at, "ci", "CI has passed")]
    return [_ill(at, "ci", f"CI has failed: {word}", "ci_failed", severity="error")]


def _words(said: str) -> list[str]:
    try:
        found = msgspec.json.decode(said, type=dict[str, object])
    except (msgspec.DecodeError, RecursionError):
        return said.lower().split()[:1]
    return [str(found.get(name) or "").lower() for name in ("conclusion", "state", "status")]


def _detached(status: Status, at: datetime) -> list[Reading]:
    if status.branch == "(detached)":
        return [_ill(at, "detached", "HEAD is on no branch")]
    return [_well(at, "detached", f"is on {status.branch}")]


def _behind(status: Status, at: datetime) -> list[Reading]:
    if not status.upstream:
        return []
    if status.behind:
        said = f"commits behind {status.upstream}: {status.behind}, as of the last fetch"
        details = {"commits": str(status.behind)}
        return [_ill(at, "behind", said, details=details)]
    return [_well(at, "behind", f"holds all of {status.upstream}, as of the last fetch")]


def _well(at: datetime, key: str, said: str) -> Reading:
    return good(at, said, key=key, kind=f"repository.{key}")


def _ill(
    at: datetime,
    key: str,
    said: str,
    reason: str = "",
    *,
    severity: Severity = "warning",
    details: dict[str, str] | None = None,
) -> Reading:
    kind = f"repository.{key}"
    return bad(at, reason or key, said, severity, details, key=key, kind=kind)


def _changed_at(path: Path) -> datetime | None:
    try:
        return datetime.fromtimestamp(path.lstat().st_mtime, UTC)
    except (OSError, ValueError, OverflowError):
        return None


def _status_in(folder: Path, name: str) -> str | None:
    """The text of a file below the folder, or None where there is none.

    Raises:
        FailedPrecondition: It is no small plain file below the folder.
    """
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise FailedPrecondition(f"{name} leads out of {folder}.", field="ci_file")
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise FailedPrecondition(f"{path} is no plain file.", field="ci_file")
            return file.read(_LARGEST_STATUS).decode(errors="replace")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise FailedPrecondition(f"{path}: {error.strerror}.", field="ci_file") from error

"""Ask git about a working tree without letting the repository say a word in it.

What a repository's configuration can make git run (filters, monitors, hooks, helpers, includes) is
no danger where git never reads it. So git is given a git directory of our own: links to objects,
references and index of the real one, and a configuration with only what changes an answer.
"""

from __future__ import annotations

import asyncio
import os
import re
import stat
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kit.errors import FailedPrecondition, Unavailable
from praxis.sources.program import environment, output_of

_LARGEST_FILE = 256 << 10
_MOST_ENTRIES = 1000
_LEFT_OUT = frozenset(
    {"commondir", "config", "config.worktree", "gitdir", "HEAD", "hooks", "index.lock", "modules"}
)
_CARRIED = re.compile(
    r"core\.(filemode|ignorecase|symlinks|autocrlf|eol|precomposeunicode|sparsecheckout"
    r"|sparsecheckoutcone|repositoryformatversion)"
    r"|extensions\.(objectformat|refstorage)|index\.sparse"
    r"|branch\..+\.(remote|merge)|remote\..+\.fetch"
)
"""Settings that change what git answers, and can make it run nothing."""
_LARGEST_OUTPUT = 8 << 20
_GIT = ("git", "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")


@dataclass(frozen=True, slots=True)
class Repository:
    """Where a working tree keeps what git knows of it."""

    folder: Path
    own: Path
    """The git directory of this working tree."""
    shared: Path
    """That of the repository; the same but in a linked working tree."""


def repository_in(folder: Path) -> Repository:
    """The repository whose working tree is exactly this folder.

    Raises:
        FailedPrecondition: There is none.
    """
    own = folder / ".git"
    try:
        if not own.is_dir():
            said = _read(own).strip()
            if not said.startswith("gitdir: "):
                raise ValueError
            own = folder / said.removeprefix("gitdir: ")
        named = _read(own / "commondir").strip() if (own / "commondir").is_file() else "."
        shared = own / named
        if not (shared / "objects").is_dir() or not (own / "HEAD").is_file():
            raise ValueError
    except (OSError, ValueError) as error:
        raise FailedPrecondition(
            f"{folder} is not the working tree of a git repository.", field="folder"
        ) from error
    return Repository(folder, own, shared)


class BareGit:
    """Runs git on one working tree with a git directory of our own."""

    def __init__(self, folder: Path, git_dir: Path, ends_at: float) -> None:
        self._folder = folder
        self._git_dir = git_dir
        self._ends_at = ends_at

    async def __call__(self, *arguments: str) -> str:
        """What git prints.

        Raises:
            Unavailable: It fails, takes too long or prints too much.
        """
        return await _git(
            [f"--git-dir={self._git_dir}", f"--work-tree={self._folder}", *arguments],
            self._ends_at,
            str(self._folder),
        )


async def settings_of(repository: Repository, ends_at: float) -> list[tuple[str, str]]:
    """What of a repository's configuration may be carried over, read as a plain file.

    Raises:
        Unavailable: It cannot be read.
    """
    file = repository.shared / "config"
    listing = ["config", f"--file={file}", "--no-includes", "--null", "--list"]
    told = await _git(listing, ends_at, str(repository.folder))
    pairs = (entry.partition("\n") for entry in told.split("\0"))
    return [
        (name, value if is_given else "true")
        for name, is_given, value in pairs
        if _CARRIED.fullmatch(name)
    ]


@contextmanager
def own_git_dir(repository: Repository, settings: list[tuple[str, str]]) -> Generator[Path]:
    """A git directory of our own for the block.

    Raises:
        Unavailable: The real one cannot be read.
    """
    with tempfile.TemporaryDirectory(prefix="praxis-git-") as name:
        made = Path(name)
        try:
            (made / "HEAD").write_text(_read(repository.own / "HEAD"), "utf-8")
            # A linked working tree has some things of its own and shares the rest.
            for folder in dict.fromkeys((repository.own, repository.shared)):
                with os.scandir(folder) as entries:
                    _link(folder, [entry.name for entry in entries], made)
            (made / "config").write_text(_written(settings), "utf-8")
        except (OSError, ValueError) as error:
            raise Unavailable(f"{repository.own} cannot be read.") from error
        yield made


def _link(folder: Path, names: list[str], made: Path) -> None:
    if len(names) > _MOST_ENTRIES:
        raise ValueError(f"more than {_MOST_ENTRIES} entries")
    for name in names:
        place = made / name
        if name not in _LEFT_OUT and not place.is_symlink():
            place.symlink_to((folder / name).absolute())


def _written(settings: list[tuple[str, str]]) -> str:
    lines = ["[core]", "bare = false"]
    for name, value in settings:
        section, _, rest = name.partition(".")
        middle, _, key = rest.rpartition(".")
        quoted = middle.replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'[{section} "{quoted}"]' if middle else f"[{section}]")
        text = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        lines.append(f'{key} = "{text}"')
    return "\n".join(lines) + "\n"


async def _git(arguments: list[str], ends_at: float, folder: str) -> str:
    alone = {
        **environment(("PATH",)),
        "HOME": "/nonexistent",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ALLOW_PROTOCOL": "",
    }
    told = await output_of(
        [*_GIT, *arguments],
        timeout_s=max(0.01, ends_at - asyncio.get_running_loop().time()),
        largest=_LARGEST_OUTPUT,
        environment=alone,
        folder=folder,
    )
    return told.text


def _read(path: Path) -> str:
    """A small plain file; what is no such file could make the reader wait for ever."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(f"{path} is no plain file")
        return file.read(_LARGEST_FILE).decode(errors="surrogateescape")

"""Git repositories below folders, told from their files alone: no program is run."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Sequence
from pathlib import Path

from kit.errors import InvalidArgument
from nexus.contract import Discovery
from nexus.discovery import MOST, Sight
from nexus.discovery.naming import discovery
from nexus.remote_url import external_id_of

SYSTEM = "git"
_DEEPEST = 6
_MOST_FOLDERS = 50_000
_LARGEST_CONFIG = 256 << 10
_NOT_ENTERED = frozenset({"node_modules", "site-packages", "__pycache__", "vendor", "target"})
_SECTION = re.compile(r'\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\\n]|\\.)*)")?\s*\]')
_SETTING = re.compile(r"([A-Za-z][A-Za-z0-9-]*)\s*=\s*(.*)")


def look(folders: Sequence[Path]) -> Sight:
    """The repositories below folders; links are not followed.

    Raises:
        InvalidArgument: One of the folders is none.
    """
    sight = Sight()
    found: dict[str, Discovery] = {}
    left = _MOST_FOLDERS
    for folder in folders:
        if not folder.is_dir():
            raise InvalidArgument(f"{folder} is no folder.", field="under")
        repositories, left = below(folder.absolute(), left)
        for path in repositories:
            seen = _described(path)
            if seen is None:
                sight.remarks.append(f"{str(path)!a} has no name that can be spoken")
            else:
                found.setdefault(seen.external_id, seen)
    if left == 0:
        sight.remarks.append(f"only the first {_MOST_FOLDERS} folders were searched; name fewer")
    sight.discoveries = list(found.values())[:MOST]
    return sight


def below(folder: Path, most: int) -> tuple[list[Path], int]:
    """The repositories below a folder, and how many of `most` folders may still be entered.

    Folders six deep are entered, hidden ones and those of installed packages not, nor is what lies
    inside a repository.
    """
    found: list[Path] = []
    ahead = [(folder, 0)]
    while ahead and most:
        current, depth = ahead.pop()
        most -= 1
        try:
            with os.scandir(current) as entries:
                inside = {each.name: each for each in entries}
        except OSError:
            continue
        if _is_repository(inside):
            found.append(current)
        elif depth < _DEEPEST:
            ahead += [
                (current / name, depth + 1)
                for name, each in sorted(inside.items(), reverse=True)
                if name[0] != "." and name not in _NOT_ENTERED and _is_folder(each)
            ]
    return found, most


def remotes_in(config: str) -> dict[str, str]:
    """Name of each remote to its address, from the text of a git configuration.

    What it includes from elsewhere is not read.
    """
    remotes: dict[str, str] = {}
    name: str | None = None
    for raw in config.replace("\\\n", "").splitlines():
        line = raw.strip()
        section = _SECTION.match(line)
        if section:
            is_remote = section[1].lower() == "remote" and section[2] is not None
            name = re.sub(r"\\(.)", r"\1", section[2]) if is_remote else None
            line = line[section.end() :].strip()
        setting = _SETTING.match(line)
        if name is not None and setting and setting[1].lower() == "url":
            remotes.setdefault(name, _unquoted(setting[2]))
    return remotes


def _described(path: Path) -> Discovery | None:
    inner = path / ".git"
    remotes = remotes_in(_config_of(inner if inner.is_dir() else path))
    ordered = [remotes[name] for name in sorted(remotes, key=lambda each: each != "origin")]
    known = next(filter(None, map(external_id_of, ordered)), None)
    folder_name = path.name.removesuffix(".git")
    name = known.rpartition("/")[2] if known else folder_name
    return discovery(
        SYSTEM,
        known or str(path),
        "repository.git",
        folder_name if folder_name.lower() == name.lower() else name,
        aliases=[name, folder_name],
        evidence=f"repository in {path}",
    )


def _config_of(folder: Path) -> str:
    """The configuration of a repository, where it is a plain file of a usual size."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        with os.fdopen(os.open(folder / "config", flags), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return ""
            return file.read(_LARGEST_CONFIG).decode(errors="replace")
    except OSError:
        return ""


def _is_repository(inside: dict[str, os.DirEntry[str]]) -> bool:
    """Whether a folder is a working tree, or a repository without one.

    A `.git` that is a file belongs to a working tree or submodule of a repository elsewhere.
    """
    if ".git" in inside:
        return _is_folder(inside[".git"])
    return {"HEAD", "config", "objects", "refs"} <= inside.keys() and _is_folder(inside["objects"])


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _unquoted(value: str) -> str:
    """A value of a git configuration without its quotes and comment."""
    kept, quoted, escaped = "", False, False
    for each in value:
        if escaped:
            kept, escaped = kept + each, False
        elif each == "\\":
            escaped = True
        elif each == '"':
            quoted = not quoted
        elif each in "#;" and not quoted:
            break
        else:
            kept += each
    return kept.strip()

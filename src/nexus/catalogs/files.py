"""Find the files of a catalog and read them within bounds; what leads elsewhere is not followed."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path

from kit.errors import InvalidArgument, ResourceExhausted

LARGEST = 64 << 20
"""Bytes of all files together, at most."""
_MOST_FOLDERS = 10_000
_DEEPEST = 32


class Shelf:
    """Reads files until they are too large together."""

    def __init__(self) -> None:
        self._left = LARGEST

    def text(self, path: Path) -> str:
        """What a file holds.

        Raises:
            InvalidArgument: It cannot be read, or is not UTF-8.
            ResourceExhausted: The files are too large together.
        """
        if path.exists() and not path.is_file():
            raise InvalidArgument(f"{path} is no file and no folder.", field="file")
        try:
            with path.open("rb") as file:
                raw = file.read(self._left + 1)
        except OSError as error:
            raise InvalidArgument(
                f"{path} cannot be read: {error.strerror}.", field="file"
            ) from error
        self._left -= len(raw)
        if self._left < 0:
            raise ResourceExhausted(
                f"{path}: a catalog of more than {LARGEST >> 20} MiB is not read; divide it into "
                "several catalogs and apply one after the other.",
                field="file",
            )
        try:
            return raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = raw.count(b"\n", 0, error.start) + 1
            raise InvalidArgument(
                f"{path}:{line}: this is not UTF-8; save the file as UTF-8.", field="file"
            ) from error


def below(folder: Path, suffixes: Collection[str], remarks: list[str]) -> list[Path]:
    """The files below a folder that end so, in order of their paths.

    Hidden ones and links are not read: what a link inside the folder leads to is found where it is,
    and what leads outside is told in `remarks`.

    Raises:
        InvalidArgument: A folder cannot be listed.
        ResourceExhausted: There are too many folders.
    """
    root = real(folder)
    found: list[Path] = []
    ahead = [(folder, 0)]
    seen = 0
    while ahead:
        current, depth = ahead.pop()
        seen += 1
        if seen > _MOST_FOLDERS or depth > _DEEPEST:
            raise ResourceExhausted(
                f"{current}: more than {_MOST_FOLDERS} folders, or folders {_DEEPEST} deep, are "
                "not searched; name the folders that hold the catalog.",
                field="file",
            )
        for entry in _listed(current):
            path = current / entry.name
            if entry.is_symlink():
                if path.suffix in suffixes and not real(path).is_relative_to(root):
                    remarks.append(f"{path}: a link that leads out of {folder} is not followed")
            elif entry.is_dir(follow_symlinks=False):
                ahead.append((path, depth + 1))
            elif path.suffix in suffixes and entry.is_file(follow_symlinks=False):
                found.append(path)
    return sorted(found)


def real(path: Path) -> Path:
    """Where a path leads, links followed; a circle of links leads to itself."""
    return Path(os.path.realpath(path))


def _listed(folder: Path) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            yield from (entry for entry in entries if not entry.name.startswith("."))
    except OSError as error:
        raise InvalidArgument(
            f"{folder} cannot be listed: {error.strerror}.", field="file"
        ) from error

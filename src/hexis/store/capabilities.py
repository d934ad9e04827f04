"""Provider files in a folder, read again when they change; each whole, or not at all."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import structlog

from hexis.domain.capability import Definition, read_provider
from kit.errors import InvalidArgument

_log = structlog.get_logger()
_LARGEST_FILE = 1 << 20
_MOST_FILES = 100
Check = Callable[[Definition], None]
"""An executor's own look at a definition; it raises `InvalidArgument`."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What the provider files declare."""

    definitions: Mapping[str, Definition] = field(default_factory=dict[str, Definition])
    disabled: list[str] = field(default_factory=list[str])
    """Files refused whole, each with the reason."""

    def get(self, capability_id: str) -> Definition | None:
        """One capability."""
        return self.definitions.get(capability_id)


_Stamp = tuple[tuple[str, int, int, int, int, int, int], ...]


class Folder:
    """The provider files of one folder as they are now."""

    def __init__(self, path: Path, checks: Mapping[str, Check]) -> None:
        """Look at a folder; nothing is read yet.

        Args:
            path: Where the provider files are; a missing folder declares nothing.
            checks: The executors there are, and how each checks a definition.
        """
        self.latest = Capabilities()
        """What was read last."""
        self._path = path
        self._checks = checks
        self._stamp: _Stamp | None = None
        self._reading = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1, "providers")
        """Its own, so that no executor that hangs keeps a look at the files waiting."""

    async def current(self) -> Capabilities:
        """What the files declare now: a look at their dates, and a reading where one changed."""
        async with self._reading:
            loop = asyncio.get_running_loop()
            self.latest = await loop.run_in_executor(self._thread, self._read)
            return self.latest

    def close(self) -> None:
        """Let go of the thread."""
        self._thread.shutdown(wait=False)

    def _read(self) -> Capabilities:
        stamp = tuple(map(_stamp, [self._path, *_files(self._path)]))
        if stamp == self._stamp:
            return self.latest
        read = load_folder(self._path, self._checks)
        for reason in read.disabled:
            _log.error("provider_disabled", reason=reason)
        self._stamp = stamp
        return read


def load_folder(folder: Path, checks: Mapping[str, Check]) -> Capabilities:
    """Read the `*.toml` of a folder, in the order of their names.

    Args:
        folder: Where the provider files are; a missing folder declares nothing.
        checks: The executors there are, and how each checks a definition.
    """
    definitions: dict[str, Definition] = {}
    disabled: list[str] = []
    paths = _files(folder)
    if len(paths) > _MOST_FILES:
        return Capabilities({}, [f"{folder}: It holds more than {_MOST_FILES} provider files."])
    for path in paths:
        try:
            found = read_provider(_read(path))
            for definition in found:
                _check(definition, definitions, checks)
        except InvalidArgument as error:
            disabled.append(f"{path}: {error.message}")
        else:
            definitions.update({definition.id: definition for definition in found})
    return Capabilities(definitions, disabled)


def _files(folder: Path) -> list[Path]:
    return sorted(islice(folder.glob("*.toml"), _MOST_FILES + 1))


def _stamp(path: Path) -> tuple[str, int, int, int, int, int, int]:
    """What changes with the contents of a file or with who may write it."""
    try:
        status = path.stat()
    except OSError:
        return (path.name, 0, 0, 0, 0, 0, 0)
    return (
        path.name,
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_size,
        status.st_ino,
        status.st_mode,
        status.st_uid,
    )


def _check(
    definition: Definition, known: Mapping[str, Definition], checks: Mapping[str, Check]
) -> None:
    if definition.id in known:
        raise InvalidArgument(f"{definition.id} is declared by another file already.")
    check = checks.get(definition.executor)
    if check is None:
        raise InvalidArgument(f"{definition.id}: there is no executor {definition.executor!r}.")
    check(definition)


def _read(path: Path) -> str:
    """The text, if nobody else could have written it."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise InvalidArgument(f"It cannot be opened: {error.strerror}.") from error
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise InvalidArgument("It is not a regular file.")
        for what, facts in (("It", status), ("Its folder", path.parent.stat())):
            if facts.st_mode & 0o022:
                raise InvalidArgument(f"{what} can be written by others; run `chmod go-w`.")
            if facts.st_uid not in {0, os.geteuid()}:
                raise InvalidArgument(f"{what} belongs to another user.")
        data = file.read(_LARGEST_FILE + 1)
    if len(data) > _LARGEST_FILE:
        raise InvalidArgument(f"It is larger than {_LARGEST_FILE} bytes.")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise InvalidArgument(f"It is not UTF-8: {error}.") from error

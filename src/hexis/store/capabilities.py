"""Provider files in a folder: each loads whole, or is disabled with the reason."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hexis.domain.capability import Definition, read_provider
from kit.errors import InvalidArgument

_LARGEST_FILE = 1 << 20
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


def load_folder(folder: Path, checks: Mapping[str, Check]) -> Capabilities:
    """Read every `*.toml` of a folder, in the order of their names.

    Args:
        folder: Where the provider files are; a missing folder declares nothing.
        checks: The executors there are, and how each checks a definition.
    """
    definitions: dict[str, Definition] = {}
    disabled: list[str] = []
    for path in sorted(folder.glob("*.toml")):
        try:
            found = read_provider(_read(path))
            for definition in found:
                _check(definition, definitions, checks)
        except InvalidArgument as error:
            disabled.append(f"{path}: {error.message}")
        else:
            definitions.update({definition.id: definition for definition in found})
    return Capabilities(definitions, disabled)


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

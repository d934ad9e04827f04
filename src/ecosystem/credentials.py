"""Give every program its secret and every part its list of who may do what."""

from __future__ import annotations

from pathlib import Path

import msgspec

from ecosystem.parts import OWNER, PARTS, PERMISSIONS, PROGRAMS
from kit.auth import Grant, Secret, grant, save_grants, write_private
from kit.errors import InvalidArgument
from kit.local import person


def ensure(home: Path) -> list[str]:
    """Make what is missing, and name the programs whose secret is new."""
    new = [program for program in PROGRAMS if not (home / "credentials" / program).exists()]
    secrets = {program: _secret(home, program) for program in PROGRAMS}
    owner = _owner(home)
    for part in PARTS:
        save_if_changed(home / part.name / "grants.json", grants_for(part.name, secrets, owner))
    return new


def rotate(home: Path, program: str) -> None:
    """Replace one program's secret; parts know the new one at once, the old one is dead.

    Raises:
        InvalidArgument: There is no such program.
    """
    if program not in PROGRAMS:
        raise InvalidArgument(
            f"There is no program {program!r}; there are {', '.join(PROGRAMS)}.", field="program"
        )
    Secret.create(program).save(home / "credentials" / program)
    ensure(home)


def grants_for(part: str, secrets: dict[str, Secret], owner: str) -> list[Grant]:
    """Everything one part allows, by the table of permissions."""
    return [
        grant(
            secrets[permission.program],
            part,
            scopes=list(permission.scopes),
            speaks_for=[owner if who == OWNER else who for who in permission.speaks_for],
            channel=permission.channel,
        )
        for permission in PERMISSIONS
        if permission.part == part
    ]


def save_if_changed(path: Path, grants: list[Grant]) -> None:
    """Write a part's grants unless the file holds them already."""
    try:
        known = msgspec.json.decode(path.read_bytes(), type=list[Grant])
    except (OSError, msgspec.DecodeError):
        known = None
    if known != grants:
        save_grants(path, grants)


def _secret(home: Path, program: str) -> Secret:
    path = home / "credentials" / program
    if not path.exists():
        Secret.create(program).save(path)
    return Secret.load(path)


def _owner(home: Path) -> str:
    """The person this ecosystem belongs to: whoever started it first."""
    path = home / "config" / "owner"
    try:
        return path.read_text("utf-8").strip()
    except FileNotFoundError:
        owner = person()
        write_private(path, f"{owner}\n".encode())
        return owner

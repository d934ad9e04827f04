"""Services that systemd keeps, of the machine and of the person."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from kit.errors import ServiceError, Unavailable
from nexus.contract import Discovery
from nexus.discovery import MOST, Sight
from nexus.discovery.naming import discovery
from nexus.discovery.running import output_of

Scope = Literal["system", "user"]
SYSTEMS: dict[Scope, str] = {"system": "systemd", "user": "systemd-user"}
"""Whose units they are, and the system their ids belong to."""
_OWN_FOLDERS = ("/etc/systemd/", "/usr/local/lib/systemd/", "/.config/systemd/")
"""Where a person puts units; those of packages are elsewhere."""
_PLUMBING = re.compile(
    r"(?:systemd-|user@|user-runtime-dir@|modprobe@|lvm2-|dracut-|plymouth-|initrd-|kmod-"
    r"|(?:(?:console|container|serial)-)?getty|autovt@|dbus(?:-broker)?\.|polkit|emergency\.|rescue\.)"
)
_ESCAPED = re.compile(r"(?:\\x[0-9a-f]{2})+")


class Unit(msgspec.Struct):
    """A row of `systemctl list-units --output=json`."""

    unit: Annotated[str, Meta(max_length=300)]
    load: str = ""
    active: str = ""
    sub: str = ""
    description: str = ""


def look(program: str = "systemctl") -> Sight:
    """The services of the machine and of the person; one of the two may be missing.

    Raises:
        Unavailable: Neither can be listed.
    """
    sight = Sight()
    failures: list[ServiceError] = []
    for scope in SYSTEMS:
        try:
            units, files = _ask(program, scope)
        except ServiceError as error:
            failures.append(error)
            sight.remarks.append(f"units of the {scope} are not seen: {error.message}")
            continue
        sight.discoveries += proposed(units, files, scope, sight.remarks.append)
    if len(failures) == len(SYSTEMS):
        raise failures[0]
    del sight.discoveries[MOST:]
    return sight


def parse(text: str) -> list[Unit]:
    """The rows that systemctl printed.

    Raises:
        Unavailable: They are none; systemctl may be too old.
    """
    try:
        return msgspec.json.decode(text, type=list[Unit])
    except (msgspec.DecodeError, RecursionError) as error:
        raise Unavailable(f"systemctl printed no list of units: {error}.") from error


def files_of(text: str) -> dict[str, str]:
    """Unit to the file that declares it, from `systemctl show`."""
    files: dict[str, str] = {}
    for block in text.split("\n\n"):
        shown: dict[str, str] = {}
        for line in block.splitlines():
            name, _, value = line.partition("=")
            shown[name] = value
        if shown.get("Id") and shown.get("FragmentPath"):
            files[shown["Id"]] = shown["FragmentPath"]
    return files


def proposed(
    units: list[Unit], files: Mapping[str, str], scope: Scope, remark: Callable[[str], object]
) -> list[Discovery]:
    """The services that a person would speak of.

    Those are the ones a person has put there, running or not, and of the others those that run or
    have failed; what only holds a login, a device or the start of the machine together is left out.
    """
    found: list[Discovery] = []
    for unit in units:
        if not _is_spoken_of(unit, files.get(unit.unit, "")):
            continue
        stem = _readable(unit.unit.removesuffix(".service"))
        seen = discovery(
            SYSTEMS[scope],
            unit.unit,
            "service.systemd",
            stem,
            aliases=[stem],
            description=unit.description if unit.description != unit.unit else "",
            evidence=f"{scope} unit {unit.unit}, {unit.active} ({unit.sub})",
        )
        if seen is None:
            remark(f"unit {unit.unit[:80]!r} has no name that can be spoken")
        else:
            found.append(seen)
    return found


def _ask(program: str, scope: Scope) -> tuple[list[Unit], dict[str, str]]:
    start = [program, "--no-pager", "--no-ask-password", f"--{scope}"]
    listing = [*start, "list-units", "--type=service", "--all", "--full", "--output=json"]
    units = parse(output_of(listing))
    try:
        text = output_of([*start, "show", "--property=Id,FragmentPath", "--", "*.service"])
    except Unavailable:
        text = ""
    return units, files_of(text)


def _is_spoken_of(unit: Unit, file: str) -> bool:
    if not unit.unit.endswith(".service") or unit.load != "loaded" or _PLUMBING.match(unit.unit):
        return False
    is_own = any(folder in file for folder in _OWN_FOLDERS)
    return is_own or unit.sub in {"running", "auto-restart"} or unit.active == "failed"


def _readable(name: str) -> str:
    r"""The name without systemd's escapes: `\x2d` is a dash."""

    def written(match: re.Match[str]) -> str:
        return bytes.fromhex(match[0].replace("\\x", "")).decode(errors="replace")

    return _ESCAPED.sub(written, name)

"""Look at everything that commonly goes wrong, and say what to do about it."""

from __future__ import annotations

import asyncio
import os
import shutil
import stat
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from ecosystem.parts import CLI, PARTS, PROGRAMS, Part
from ecosystem.supervision import RUNNING, Control, Process
from kit.client import AnyClient
from kit.contract import MetaReply, Nothing
from kit.errors import ServiceError, Unavailable
from kit.local import address_of, language_here, person, secret_of, socket_path

_SKEW_S = 2.0
_LEAST_FREE = 500 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at."""

    level: Literal["well", "wrong"]
    subject: str
    texts: tuple[str, str]
    """In English and Russian: what is so, and the way out when it is wrong."""

    def line(self) -> str:
        """For a person, in their language."""
        mark = "ok   " if self.level == "well" else "WRONG"
        return f"{mark}  {self.subject:12}  {self.texts[language_here() == 'ru']}"


def examine(home: Path) -> list[Finding]:
    """Every check, in the order in which one would look."""
    return [
        *_folders(home),
        *_credentials(home),
        _disk(home),
        *_supervisor(home),
        *asyncio.run(_parts()),
    ]


def _well(subject: str, english: str, russian: str) -> Finding:
    return Finding("well", subject, (english, russian))


def _wrong(subject: str, english: str, russian: str) -> Finding:
    return Finding("wrong", subject, (english, russian))


def _folders(home: Path) -> list[Finding]:
    if home.is_dir() and not os.access(home, os.R_OK | os.X_OK):
        return [
            _wrong(
                "state",
                f"{home} belongs to another user; set ECOSYSTEM_HOME to a folder of your own.",
                f"{home} принадлежит другому; задайте в ECOSYSTEM_HOME свою папку.",
            )
        ]
    if not home.is_dir():
        return [
            _wrong(
                "state",
                f"{home} does not exist; run `make up`.",
                f"{home} не существует; выполните `make up`.",
            )
        ]
    open_ones = [
        folder
        for folder in (home, *(path for path in home.iterdir() if path.is_dir()))
        if stat.S_IMODE(folder.stat().st_mode) & 0o077
    ]
    return [
        _wrong(
            "state",
            f"others may enter {folder}; run `chmod 700 {folder}`.",
            f"в {folder} могут войти другие; выполните `chmod 700 {folder}`.",
        )
        for folder in open_ones
    ] or [
        _well(
            "state",
            f"{home}, for its owner alone",
            f"{home}, только для владельца",
        )
    ]


def _credentials(home: Path) -> list[Finding]:
    findings: list[Finding] = []
    for program in PROGRAMS:
        try:
            secret_of(program)
        except ServiceError as error:
            findings.append(_wrong("credentials", error.message, f"{program}: {error.message}"))
    return findings or [
        _well(
            "credentials",
            f"{len(PROGRAMS)} programs, each with a secret only its owner reads",
            f"программ: {len(PROGRAMS)}, секрет каждой читает только владелец",
        )
    ]


def _disk(home: Path) -> Finding:
    existing = next(path for path in (home, *home.parents) if path.exists())
    free = shutil.disk_usage(existing).free
    amount = f"{free / 2**30:.1f} GiB"
    if free < _LEAST_FREE:
        return _wrong(
            "disk",
            f"only {amount} free below {existing}; free some, writes will soon fail.",
            f"в {existing} свободно лишь {amount}; освободите место, иначе запись остановится.",
        )
    return _well("disk", f"{amount} free", f"свободно {amount}")


def _supervisor(home: Path) -> list[Finding]:
    control = Control(home)
    try:
        processes = {process.program: process for process in control.processes()}
    except Unavailable as error:
        return [_wrong("supervisor", error.message, f"супервизор не отвечает: {error.message}")]
    return [
        _well("supervisor", f"pid {control.pid()}", f"pid {control.pid()}"),
        *(
            _stopped(home, part, processes.get(part.program))
            for part in PARTS
            if not _runs(processes.get(part.program))
        ),
        *(
            _outdated(part)
            for part in PARTS
            if _runs(processes.get(part.program))
            and _has_old_secret(home, part, processes[part.program])
        ),
    ]


def _has_old_secret(home: Path, part: Part, process: Process) -> bool:
    """Whether its secret was replaced after it had started."""
    path = home / "credentials" / part.program
    return not path.exists() or path.stat().st_mtime > process.started_at + 1


def _outdated(part: Part) -> Finding:
    command = f"ecosystem restart {part.name}"
    return _wrong(
        part.name,
        f"it uses a secret that was replaced since; run `make up`, then `{command}`.",
        f"работает с прежним секретом; выполните `make up`, затем `{command}`.",
    )


def _runs(process: Process | None) -> bool:
    return process is not None and process.state in {RUNNING, "STARTING"}


def _stopped(home: Path, part: Part, process: Process | None) -> Finding:
    state = "unknown" if process is None else process.state.lower()
    log = home / "log" / f"{part.program}.log"
    return _wrong(
        part.name,
        f"its process is {state}; see {log}, then run `make up`.",
        f"процесс в состоянии {state}; смотрите {log}, затем выполните `make up`.",
    )


async def _parts() -> list[Finding]:
    return await asyncio.gather(*(_part(part) for part in PARTS))


async def _part(part: Part) -> Finding:
    path = socket_path(part.name)
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        return _wrong(
            part.name,
            f"no socket at {path}; run `make up`.",
            f"нет сокета {path}; выполните `make up`.",
        )
    if mode != 0o600:
        return _wrong(
            part.name,
            f"{path} has mode {mode:o}; run `chmod 600 {path}`.",
            f"у {path} права {mode:o}; выполните `chmod 600 {path}`.",
        )
    try:
        async with AnyClient(
            part.name, address_of(part.name), secret_of(CLI), requester=person()
        ) as client:
            meta = await client.meta(Nothing(), timeout_s=3.0)
    except ServiceError as error:
        return _wrong(
            part.name,
            f"{error.message} Run `make down` and `make up`.",
            f"не отвечает как должно ({error.message}) Выполните `make down` и `make up`.",
        )
    return _answered(part, meta)


def _answered(part: Part, meta: MetaReply) -> Finding:
    if meta.contract != str(part.contract):
        return _wrong(
            part.name,
            f"it speaks {meta.contract}, this program {part.contract}; run `make down`, `make up`.",
            f"говорит на {meta.contract}, а эта программа на {part.contract}; "
            "выполните `make down`, `make up`.",
        )
    skew = abs((datetime.now(UTC) - meta.now).total_seconds())
    if skew > _SKEW_S:
        return _wrong(
            part.name,
            f"its clock is {skew:.0f} s away from this one; set the time on both machines.",
            f"её часы расходятся со здешними на {skew:.0f} с; выставьте время на обеих машинах.",
        )
    return _well(
        part.name,
        f"answers, speaks {meta.contract}, started {meta.started_at:%Y-%m-%d %H:%M:%S} UTC",
        f"отвечает, говорит на {meta.contract}, запущена {meta.started_at:%Y-%m-%d %H:%M:%S} UTC",
    )

"""Make the adapter of a source from what is configured."""

from __future__ import annotations

from pathlib import Path
from typing import assert_never

from kit.clock import Clock
from kit.errors import InvalidArgument
from praxis.contract.agent_looks import PaneLook, TranscriptLook
from praxis.contract.every_look import Look
from praxis.contract.looks import (
    CalendarLook,
    CertificateCheck,
    HostLook,
    HttpCheck,
    JournalLook,
    RepositoryLook,
    TaskLook,
    TcpCheck,
    UnitLook,
)
from praxis.sources import Source
from praxis.sources.calendar_check import CalendarSource
from praxis.sources.certificate_check import CertificateSource
from praxis.sources.host import HostSource
from praxis.sources.http_check import HttpSource
from praxis.sources.journal import JournalSource
from praxis.sources.panes import PaneSource
from praxis.sources.repository import RepositorySource
from praxis.sources.task_list import TaskSource
from praxis.sources.tcp_check import TcpSource
from praxis.sources.transcripts import TranscriptSource
from praxis.sources.unit import UnitSource

_OfAMachine = (
    HttpCheck | TcpCheck | CertificateCheck | HostLook | RepositoryLook | UnitLook | JournalLook
)


def source_of(name: str, look: Look, clock: Clock, logins: Path | None = None) -> Source:
    """The adapter that looks.

    Args:
        name: of the source.
        look: what to look at, and how.
        clock: where the time comes from.
        logins: a netrc file with the passwords of CalDAV servers, each for its host alone.

    Raises:
        InvalidArgument: What is configured cannot be looked at.
    """
    try:
        return _made(look, clock, logins)
    except InvalidArgument as error:
        raise InvalidArgument(f"{name}: {error.message}", field=error.field) from error


def _made(look: Look, clock: Clock, logins: Path | None) -> Source:
    match look:
        case TranscriptLook():
            return TranscriptSource(look, clock)
        case PaneLook():
            return PaneSource(look, clock)
        case CalendarLook():
            return CalendarSource(look, clock, logins)
        case TaskLook():
            return TaskSource(look, clock, logins)
        case _:
            return _of_a_machine(look, clock)


def _of_a_machine(look: _OfAMachine, clock: Clock) -> Source:
    match look:
        case HttpCheck():
            return HttpSource(look, clock)
        case TcpCheck():
            return TcpSource(look, clock)
        case CertificateCheck():
            return CertificateSource(look, clock)
        case HostLook():
            return HostSource(look, clock)
        case RepositoryLook():
            return RepositorySource(look, clock)
        case UnitLook():
            return UnitSource(look, clock)
        case JournalLook():
            return JournalSource(look, clock)
        case _:
            assert_never(look)

"""Every way of looking, as one union told apart by `look`."""

from __future__ import annotations

from praxis.contract.agent_looks import PaneLook, TranscriptLook
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

Look = (
    HttpCheck
    | TcpCheck
    | CertificateCheck
    | HostLook
    | RepositoryLook
    | UnitLook
    | JournalLook
    | CalendarLook
    | TaskLook
    | TranscriptLook
    | PaneLook
)
"""Any of them; `look` says which."""

"""What carries executions out, one file per kind of thing that can be driven."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

from hexis.domain.capability import Definition


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One thing to do, wholly validated."""

    parameters: dict[str, str]
    """Fixed by the capability."""
    external_id: str
    """What the executor's own system calls the entity."""
    arguments: dict[str, Any]
    timeout_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How it ended; `running` means it was handed over and is settled by reading later."""

    state: Literal["succeeded", "failed", "unknown", "running"]
    output: str = ""
    data: dict[str, Any] = field(default_factory=dict[str, Any])
    reason: str | None = None


class Executor(Protocol):
    """Drives one kind of thing."""

    def check(self, definition: Definition) -> None:
        """Refuse a definition it could not carry out, or that understates its risk."""
        ...

    async def check_target(self, work: Work) -> None:
        """Refuse what is machinery of its own, whatever entity stands for it.

        Raises:
            FailedPrecondition: It is.
        """
        ...

    def is_delegated(self, work: Work) -> bool:
        """Whether it would stop Hexis itself and so must be handed over."""
        ...

    async def run(self, work: Work) -> Outcome:
        """Do it; what was surely not done is `failed`, what may have been done is `unknown`."""
        ...

    async def was_done(self, work: Work, since: datetime) -> bool | None:
        """Read whether handed-over work happened after an instant; None: it cannot be seen."""
        ...

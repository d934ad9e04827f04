"""The life of an execution: which state may follow which, and what a crash makes of it."""

from __future__ import annotations

import msgspec

from hexis.contract.execution import FINAL, Execution, ExecutionState
from hexis.domain.target import Identity

_NEXT: dict[ExecutionState, frozenset[ExecutionState]] = {
    "awaiting_confirmation": frozenset({"queued", "refused", "cancelled"}),
    "queued": frozenset({"running", "failed", "cancelled"}),
    "running": frozenset({"succeeded", "failed", "timed_out", "unknown"}),
}


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """An execution with what is kept beside it."""

    execution: Execution
    identity: Identity
    definition_digest: str
    principal: str
    """The program that asked."""
    correlation_id: str

    @property
    def mutates(self) -> bool:
        """Whether it may change something."""
        return self.execution.risk != "read"


def may_follow(before: ExecutionState, after: ExecutionState, *, mutates: bool) -> bool:
    """Whether the step is legal: only a read times out, a mutation without an end is unknown."""
    if after == "timed_out" and mutates:
        return False
    return after in _NEXT.get(before, frozenset())


def is_final(state: ExecutionState) -> bool:
    """Whether it stays so."""
    return state in FINAL


def settle(record: Record, was_done: bool | None) -> tuple[ExecutionState, str]:
    """What an execution found unfinished at a start has come to, and why.

    Args:
        record: The execution, `queued` or `running`.
        was_done: For a delegated one, whether reading shows that it happened; None: cannot be seen.
    """
    if record.execution.state == "queued":
        return "failed", "not_started"
    if not record.mutates:
        return "failed", "interrupted"
    if record.execution.delegated and was_done:
        return "succeeded", "seen_restarted"
    return "unknown", "not_seen" if record.execution.delegated else "interrupted"

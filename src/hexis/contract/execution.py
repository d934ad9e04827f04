"""What Hexis does: executions, and the confirmations that bind them."""

from __future__ import annotations

from typing import Any, Literal

from hexis.contract.catalog import CapabilityId, Risk
from kit.contract import Id, Operation, PageLimit, Reply, Request, Time, WaitSeconds

ExecutionState = Literal[
    "awaiting_confirmation",
    "queued",
    "running",
    "succeeded",
    "failed",
    "timed_out",
    "refused",
    "cancelled",
    "unknown",
]
FINAL: frozenset[str] = frozenset(
    {"succeeded", "failed", "timed_out", "refused", "cancelled", "unknown"}
)
"""States an execution never leaves by itself."""
ConfirmationState = Literal["pending", "confirmed", "refused", "expired", "void"]


class Target(Reply):
    """The entity acted on, as Nexus described it when the request was made."""

    entity_id: Id
    type: str
    names: dict[str, str]
    host_names: dict[str, str] = {}
    """The host it runs on; empty when Nexus knows none."""


class Confirmation(Reply):
    """The challenge: exactly what a yes would allow, once."""

    confirmation_id: Id
    state: ConfirmationState
    execution_id: Id
    capability_id: str
    capability_version: str
    title: dict[str, str]
    target: Target
    arguments: dict[str, Any]
    requester: str
    risk: Risk
    issued_at: Time
    expires_at: Time
    action: str = ""
    """The verb of the capability."""


class Execution(Reply):
    """One doing of a capability, durable from before it starts."""

    execution_id: Id
    state: ExecutionState
    capability_id: str
    capability_version: str
    action: str
    title: dict[str, str]
    target: Target
    arguments: dict[str, Any]
    requester: str
    risk: Risk
    created_at: Time
    delegated: bool = False
    """Handed to the supervisor because it stops Hexis itself; settled by reading later."""
    expects_recovery: bool = False
    started_at: Time | None = None
    finished_at: Time | None = None
    output: str = ""
    """Bounded and redacted, for a person; left out of lists."""
    data: dict[str, Any] = {}
    """The same as facts: `state`, `pid`, `uptime_s`, …"""
    reason: str | None = None
    """Stable fine name of why it ended so."""
    confirmation: Confirmation | None = None


class Execute(Request):
    """Do this to that, or say what a person must confirm first."""

    capability_id: CapabilityId
    entity_id: Id
    arguments: dict[str, Any] = {}
    wait_s: WaitSeconds = 10.0
    """How long to wait for the end before answering `running`."""


class GetExecution(Request):
    """How far has it come?"""

    execution_id: Id
    wait_s: WaitSeconds = 0.0


class ListExecutions(Request):
    """What was done, newest first? What it wrote, `get_execution` tells."""

    entity_id: Id | None = None
    limit: PageLimit = 50


class ExecutionList(Reply):
    """Executions, newest first."""

    executions: list[Execution]


class ListConfirmations(Request):
    """What waits for a yes?"""

    limit: PageLimit = 50


class ConfirmationList(Reply):
    """Confirmations that are pending, newest first."""

    confirmations: list[Confirmation]


class Confirm(Request):
    """Yes; the call carries an assertion by the person's own channel that says yes to this."""

    confirmation_id: Id
    wait_s: WaitSeconds = 10.0


class Refuse(Request):
    """No; a program that only carries a word of the person's says it to its own questions."""

    confirmation_id: Id


EXECUTE: Operation[Execute, Execution] = Operation(
    name="execute",
    request=Execute,
    reply=Execution,
    scope="hexis.execute",
    effect="write",
    summary="Run a capability on an entity, or answer with the confirmation it needs.",
    timeout_s=75.0,
    positional=("capability_id", "entity_id"),
    alias="run",
)
GET_EXECUTION: Operation[GetExecution, Execution] = Operation(
    name="get_execution",
    request=GetExecution,
    reply=Execution,
    scope="hexis.execute",
    summary="Show one execution, waiting for its end when asked to.",
    waits=True,
    timeout_s=65.0,
    positional=("execution_id",),
)
LIST_EXECUTIONS: Operation[ListExecutions, ExecutionList] = Operation(
    name="list_executions",
    request=ListExecutions,
    reply=ExecutionList,
    scope="hexis.execute",
    summary="List executions, newest first.",
    alias="runs",
)
LIST_CONFIRMATIONS: Operation[ListConfirmations, ConfirmationList] = Operation(
    name="list_confirmations",
    request=ListConfirmations,
    reply=ConfirmationList,
    scope="hexis.confirm",
    summary="List what waits for a yes of this requester.",
    asserted=True,
)
CONFIRM: Operation[Confirm, Execution] = Operation(
    name="confirm",
    request=Confirm,
    reply=Execution,
    scope="hexis.confirm",
    effect="write",
    summary="Say yes to one confirmation, once, in a later turn by the person's own channel.",
    timeout_s=75.0,
    asserted=True,
    positional=("confirmation_id",),
)
REFUSE: Operation[Refuse, Execution] = Operation(
    name="refuse",
    request=Refuse,
    reply=Execution,
    scope="hexis.confirm",
    effect="write",
    summary="Say no to one confirmation.",
    asserted=True,
    positional=("confirmation_id",),
)

OPERATIONS = (EXECUTE, GET_EXECUTION, LIST_EXECUTIONS, LIST_CONFIRMATIONS, CONFIRM, REFUSE)

"""Asking Hexis: what can be done to a thing, looking at it, and proposing to change it."""

from __future__ import annotations

from dataclasses import replace

import msgspec.structs

from hexis.contract.catalog import Capability, ListCapabilities
from hexis.contract.execution import FINAL, Execute, Execution, GetExecution
from kit.errors import InvalidArgument, NotFound, ServiceError
from maven.domain.dialogue import Known, PendingConfirmation
from maven.domain.fastpath import Match
from maven.domain.outcome import (
    Abilities,
    ActionRefused,
    CannotAct,
    Carried,
    Challenge,
    Missing,
    NoCapability,
    Outcome,
    Report,
)
from maven.domain.turn import Turn, made
from maven.ports import Ports, ask, missing
from maven.tools.attention import health_of

_LOOK_S = 8.0
"""How long a look at a thing may take."""


async def act(turn: Turn, ports: Ports) -> Turn:
    """Have the one fitting capability carried out, or hear what has to be confirmed first."""
    target, action = made(turn.target), made(turn.route).action or ""
    try:
        offered = await ports.hexis.list_capabilities(
            ListCapabilities(entity_id=target.entity_id, action=action)
        )
    except ServiceError as error:
        return replace(turn, outcome=await _cannot(target, action, error, ports))
    if len(offered.capabilities) != 1:
        return replace(turn, outcome=await _none(target, action, offered.capabilities, ports))
    return await _execute(turn, ports, target, offered.capabilities[0])


async def _execute(turn: Turn, ports: Ports, target: Known, capability: Capability) -> Turn:
    wait_s = _LOOK_S if capability.risk == "read" else 0.0
    asked = Execute(
        capability_id=capability.capability_id, entity_id=target.entity_id, wait_s=wait_s
    )
    try:
        execution = await ports.hexis.execute(asked)
    except ServiceError as error:
        return replace(turn, outcome=await _cannot(target, capability.action, error, ports))
    dialogue = msgspec.structs.replace(turn.dialogue, last_execution_id=execution.execution_id)
    turn = replace(turn, dialogue=dialogue)
    if execution.state == "awaiting_confirmation" and execution.confirmation is not None:
        waiting = proposal_of(execution)
        ports.known.note(waiting.target)
        outcome = Challenge(waiting, turn.has_assertion)
        return replace(turn, outcome=outcome, dialogue=dialogue.proposing(waiting))
    if capability.risk == "read":
        return replace(turn, outcome=await _finished(execution, ports))
    phase = "ended" if execution.state in FINAL else "under_way"
    return replace(turn, outcome=Carried(execution, phase))


async def _finished(execution: Execution, ports: Ports) -> Outcome:
    if execution.state in FINAL:
        return Report(execution)
    asked = GetExecution(execution_id=execution.execution_id, wait_s=2.0)
    again = await ask("hexis", ports.hexis.get_execution(asked))
    if isinstance(again, Missing) or again.state not in FINAL:
        return Carried(execution, "under_way")
    return Report(again)


def proposal_of(execution: Execution) -> PendingConfirmation:
    """What Hexis wants confirmed, kept with the conversation."""
    challenge = made(execution.confirmation)
    return PendingConfirmation(
        confirmation_id=challenge.confirmation_id,
        execution_id=challenge.execution_id,
        capability_id=challenge.capability_id,
        action=execution.action,
        title=challenge.title,
        target=Known(challenge.target.entity_id, challenge.target.names, challenge.target.type),
        host_names=challenge.target.host_names,
        risk=challenge.risk,
        expires_at=challenge.expires_at,
        expects_recovery=execution.expects_recovery,
    )


async def abilities(turn: Turn, ports: Ports) -> Turn:
    """What can be done to the target."""
    target = made(turn.target)
    is_of_restart = isinstance(turn.found, Match) and turn.found.intent != "abilities"
    try:
        listed = await ports.hexis.list_capabilities(ListCapabilities(entity_id=target.entity_id))
    except ServiceError as error:
        outcome = Abilities(target, missing=missing("hexis", error))
    else:
        asked_for = "restart" if is_of_restart else None
        outcome = Abilities(target, tuple(listed.capabilities), asked_for=asked_for)
    return replace(turn, outcome=outcome)


async def _none(
    target: Known, action: str, fitting: list[Capability], ports: Ports
) -> NoCapability:
    if fitting:
        return NoCapability(target, action, tuple(fitting), is_several=True)
    listed = await ask("hexis", ports.hexis.list_capabilities(ListCapabilities(target.entity_id)))
    others = () if isinstance(listed, Missing) else tuple(listed.capabilities)
    return NoCapability(target, action, others)


async def _cannot(target: Known, action: str, error: ServiceError, ports: Ports) -> Outcome:
    """Hexis refused, which is an answer, or could not be asked, which is not."""
    refused = isinstance(error, InvalidArgument | NotFound) or error.code in {
        "failed_precondition",
        "permission_denied",
        "conflict",
        "resource_exhausted",
    }
    if refused:
        return ActionRefused(target, action, error.reason or error.code, error.message)
    return CannotAct(target, action, missing("hexis", error), await health_of(target, ports))

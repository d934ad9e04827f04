"""Answers to a proposal: yes is passed to Hexis with the person's own assertion, once."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import timedelta

import msgspec.structs

from hexis.contract.execution import FINAL, Confirm, Execution, GetExecution, Refuse
from kit.errors import (
    DeadlineExceeded,
    FailedPrecondition,
    Internal,
    OutcomeUnknown,
    ServiceError,
    Unavailable,
)
from kit.trace import current_call
from maven.domain.dialogue import PendingConfirmation
from maven.domain.outcome import (
    AskAgain,
    CalledOff,
    Carried,
    Declined,
    Lapsed,
    Missing,
    NothingWaits,
    Outcome,
    YesLost,
    YesRefused,
)
from maven.domain.turn import Turn
from maven.domain.watch import Watch
from maven.ports import Ports, ask, missing, unless_stopping

_STILL_GOOD = frozenset(
    {"assertion_needed", "assertion_not_later", "assertion_other_question", "assertion_used",
     "assertion_expired", "assertion_invalid", "assertion_foreign", "identity_unverifiable",
     "scope_missing", "too_many_running", "write_queue_full"}
)  # fmt: skip
"""Refusals that say nothing about the confirmation itself, so it stays pending."""
_POLL_S = 10.0
_MARGIN_S = 2.0
"""Left of the caller's time for the rest of the turn."""


async def yes(turn: Turn, ports: Ports) -> Turn:
    """Pass the yes on and wait a while, by reading, for what becomes of it."""
    waiting = turn.dialogue.confirmation
    if waiting is None:
        return replace(turn, outcome=NothingWaits("yes"))
    if waiting.expires_at <= turn.at:
        return replace(turn, outcome=Lapsed(waiting), dialogue=turn.dialogue.settled())
    settled = msgspec.structs.replace(
        turn.dialogue.settled(), last_execution_id=waiting.execution_id, focus=[waiting.target]
    )
    turn = replace(turn, dialogue=settled)
    watch = _watch(turn, waiting, ports)
    ports.in_hand.add(watch.execution_id)
    try:
        await ports.watches.begin(watch, settled)
        ports.watch_now()
        outcome = await _confirmed(waiting, ports)
        return await _concluded(turn, watch, waiting, outcome, ports)
    finally:
        ports.in_hand.discard(watch.execution_id)


async def _confirmed(waiting: PendingConfirmation, ports: Ports) -> Outcome:
    try:
        execution = await ports.hexis.confirm(
            Confirm(confirmation_id=waiting.confirmation_id, wait_s=0)
        )
    except (OutcomeUnknown, DeadlineExceeded, Internal):
        asked = GetExecution(execution_id=waiting.execution_id)
        read = await ask("hexis", ports.hexis.get_execution(asked))
        if isinstance(read, Missing) or read.state == "awaiting_confirmation":
            return YesLost(waiting)
        execution = read
    except ServiceError as error:
        reason = error.reason or error.code
        if isinstance(error, Unavailable):
            gap = missing("hexis", error)
            return YesRefused(waiting, reason, still_waits=True, missing=gap)
        return YesRefused(waiting, reason, still_waits=reason in _STILL_GOOD)
    return await _followed(execution, ports)


async def _followed(execution: Execution, ports: Ports) -> Carried:
    """Read until the end, the turn's time, or Maven's own stop, whichever comes first."""
    call = current_call()
    remaining = call.remaining_s() if call else None
    allowed = ports.settings.wait_s
    if remaining is not None:
        allowed = min(allowed, remaining - _MARGIN_S)
    until = time.monotonic() + allowed
    while execution.state not in FINAL:
        if execution.delegated:
            return Carried(execution, "handed_over")
        left = min(_POLL_S, until - time.monotonic())
        if left <= 0:
            return Carried(execution, "under_way")
        asked = GetExecution(execution_id=execution.execution_id, wait_s=round(left, 3))
        answer = await unless_stopping(
            ask("hexis", ports.hexis.get_execution(asked)), ports.stopping
        )
        if answer is None:
            return Carried(execution, "stopping")
        if isinstance(answer, Missing):
            return Carried(execution, "unseen")
        execution = answer
    return Carried(execution, "ended")


async def _concluded(
    turn: Turn, watch: Watch, waiting: PendingConfirmation, outcome: Outcome, ports: Ports
) -> Turn:
    """Keep watching what has an effect to wait for, and nothing else."""
    match outcome:
        case YesRefused(still_waits=True):
            await ports.watches.end(watch.execution_id, "not_confirmed")
            dialogue = turn.dialogue.proposing(waiting)
            return replace(turn, outcome=outcome, dialogue=dialogue)
        case YesRefused():
            await ports.watches.end(watch.execution_id, "not_confirmed")
        case Carried(execution=execution, phase="ended"):
            awaits = execution.state == "succeeded" and execution.expects_recovery
            if awaits or execution.state == "unknown":
                ended_at = execution.finished_at
                await ports.watches.told(watch.execution_id, execution.state, ended_at)
            else:
                await ports.watches.end(watch.execution_id, execution.state)
        case _:
            pass
    return replace(turn, outcome=outcome)


def _watch(turn: Turn, waiting: PendingConfirmation, ports: Ports) -> Watch:
    call = current_call()
    return Watch(
        execution_id=waiting.execution_id,
        requester=turn.requester,
        conversation_id=turn.conversation_id,
        turn_id=turn.turn_id,
        correlation_id=call.correlation_id if call else "",
        language=turn.language,
        action=waiting.action,
        target=waiting.target,
        expects_recovery=waiting.expects_recovery,
        created_at=turn.at,
        give_up_at=turn.at + timedelta(minutes=ports.settings.watch_min),
    )


async def no(turn: Turn, ports: Ports) -> Turn:
    """Call the proposal off, or the question."""
    waiting = turn.dialogue.confirmation
    if waiting is None:
        had_choice = turn.dialogue.choice is not None
        outcome = CalledOff() if had_choice else NothingWaits("no")
        return replace(turn, outcome=outcome, dialogue=turn.dialogue.settled())
    told = await refuse(waiting, ports)
    outcome = Declined(waiting, told)
    return replace(turn, outcome=outcome, dialogue=turn.dialogue.settled())


async def refuse(waiting: PendingConfirmation, ports: Ports) -> bool:
    """Tell Hexis no; that it could not be told is no reason to fail, the offer ends by itself."""
    try:
        await ports.hexis.refuse(Refuse(confirmation_id=waiting.confirmation_id))
    except FailedPrecondition:
        return True
    except ServiceError:
        return False
    return True


async def ask_again(turn: Turn, ports: Ports) -> Turn:
    """Say once more what a plain yes or no is wanted for."""
    waiting = turn.dialogue.confirmation
    if waiting is None:
        return replace(turn, outcome=NothingWaits("yes"))
    dialogue = turn.dialogue.without_choice()
    return replace(turn, outcome=AskAgain(waiting), dialogue=dialogue)

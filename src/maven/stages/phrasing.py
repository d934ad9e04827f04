"""Phrasing: the outcome in words, with what a channel needs to show it well."""

from __future__ import annotations

from dataclasses import replace

import msgspec.structs

from kit import redact
from maven.contract import Answer, Choice, Proposal
from maven.domain import outcome as of
from maven.domain.dialogue import PendingConfirmation
from maven.domain.phrase import phrase as in_words
from maven.domain.turn import Turn, made
from maven.domain.words import Moment
from maven.ports import Ports

_LONGEST = 6000


async def phrase(turn: Turn, ports: Ports) -> Turn:
    """The answer, in the language of the question."""
    outcome = made(turn.outcome)
    moment = Moment(ports.clock.now(), turn.zone, turn.language)
    text = redact.text(in_words(outcome, turn.dropped, moment), _LONGEST)
    waiting = _waiting(outcome)
    choices = _choices(outcome, turn)
    expects = "confirmation" if waiting else "choice" if choices else "nothing"
    answer = Answer(
        turn_id=turn.turn_id,
        conversation_id=turn.conversation_id,
        text=text,
        language=turn.language,
        expects=expects,
        choices=choices,
        proposal=_proposal(waiting, turn) if waiting else None,
        degraded=sorted(turn.degraded),
        item_ids=_items(outcome),
        execution_ids=_executions(outcome),
    )
    dialogue = msgspec.structs.replace(
        turn.dialogue,
        language=turn.language,
        last_answer=text,
        question=waiting.confirmation_id if waiting else "",
    )
    return replace(turn, answer=answer, dialogue=dialogue)


def _waiting(outcome: of.Outcome) -> PendingConfirmation | None:
    match outcome:
        case of.Challenge(confirmation=waiting) | of.AskAgain(confirmation=waiting):
            return waiting
        case of.YesRefused(confirmation=waiting, still_waits=True):
            return waiting
        case _:
            return None


def _proposal(waiting: PendingConfirmation, turn: Turn) -> Proposal:
    return Proposal(
        confirmation_id=waiting.confirmation_id,
        action=waiting.action,
        target=waiting.target.name(turn.language),
        host=waiting.host(turn.language),
        risk=waiting.risk,
        expires_at=waiting.expires_at,
        title=waiting.title.get(turn.language, waiting.action),
    )


def _choices(outcome: of.Outcome, turn: Turn) -> list[Choice]:
    if not isinstance(outcome, of.WhichOne | of.PickOne):
        return []
    is_item = outcome.choice.of == "item"
    return [
        Choice(
            number=number,
            label=option.name(turn.language),
            entity_id=None if is_item else option.id,
            item_id=option.id if is_item else None,
        )
        for number, option in enumerate(outcome.choice.options, 1)
    ]


def _items(outcome: of.Outcome) -> list[str]:
    match outcome:
        case of.Attention(items=ranked):
            return [each.item.item_id for each in ranked]
        case of.Health(items=items) | of.CannotAct(health=of.Health(items=items)):
            return [each.item_id for each in items]
        case of.Handled(item=told):
            return [told.item_id]
        case _:
            return []


def _executions(outcome: of.Outcome) -> list[str]:
    match outcome:
        case of.Carried(execution=execution) | of.Report(execution=execution):
            return [execution.execution_id]
        case of.Challenge(confirmation=waiting) | of.Declined(confirmation=waiting):
            return [waiting.execution_id]
        case of.AskAgain(confirmation=waiting):
            return [waiting.execution_id]
        case of.YesLost(confirmation=waiting) | of.YesRefused(confirmation=waiting):
            return [waiting.execution_id]
        case of.StoryTold(story=told) if told is not None and told.execution_id:
            return [told.execution_id]
        case _:
            return []

"""What a trace keeps of the values that pass through a turn: little, and enough to follow it."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from maven.contract import Answer
from maven.domain.closed import Said
from maven.domain.dialogue import Dialogue, PendingChoice, PendingConfirmation
from maven.domain.fastpath import Match
from maven.domain.snapshot import Snapshot
from maven.domain.utterance import Utterance


@singledispatch
def traced(value: object) -> Any:
    """A value as a trace keeps it; most are small enough as they are."""
    return value


@traced.register
def _(value: Utterance) -> Any:
    # without the single words: those would escape the redaction, which knows a secret by its
    # neighbours
    return value.text


@traced.register
def _(value: Said) -> Any:
    return value if value.verdict or value.is_mixed else None


@traced.register
def _(value: Dialogue) -> Any:
    return {
        "language": value.language,
        "choice": traced(value.choice) if value.choice else None,
        "confirmation": traced(value.confirmation) if value.confirmation else None,
        "focus": [known.entity_id for known in value.focus],
        "surfaced": [told.item_id for told in value.surfaced],
        "last_execution_id": value.last_execution_id,
    }


@traced.register
def _(value: PendingChoice) -> Any:
    return {"intent": value.intent, "of": [option.id for option in value.options]}


@traced.register
def _(value: PendingConfirmation) -> Any:
    return {
        "confirmation_id": value.confirmation_id,
        "execution_id": value.execution_id,
        "action": value.action,
        "target": value.target.entity_id,
        "expires_at": value.expires_at,
    }


@traced.register
def _(value: Match) -> Any:
    return {"intent": value.intent, "language": value.language, "name": value.name}


@traced.register
def _(value: Snapshot) -> Any:
    return {
        fragment.name: fragment.degraded or list(fragment.lines) for fragment in value.fragments
    }


@traced.register
def _(value: Answer) -> Any:
    return {
        "text": value.text,
        "language": value.language,
        "expects": value.expects,
        "item_ids": value.item_ids,
        "execution_ids": value.execution_ids,
        "degraded": value.degraded,
    }

"""What a yes is bound to, and whose yes counts (`contract.md`, *Who may say yes*)."""

from __future__ import annotations

import hashlib
import hmac
from datetime import datetime
from typing import Any

import msgspec

from hexis.contract.catalog import Risk
from hexis.contract.execution import ConfirmationState, Execution, Target
from hexis.domain.execution import Record
from hexis.domain.policy import may_confirm
from hexis.domain.target import Identity
from kit.assertion import Assertion
from kit.contract import Time
from kit.errors import FailedPrecondition, PermissionDenied


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """When it was asked for, in which turn, and until when a yes counts."""

    confirmation_id: str
    issued_at: Time
    expires_at: Time
    asked_turn: str
    """What the asking call followed from."""
    asked_word: str
    """Digest of the channel assertion that came with the asking call."""


class Challenge(msgspec.Struct, frozen=True, kw_only=True):
    """Everything one yes allows; nothing in it can change without the seal breaking."""

    terms: Terms
    execution_id: str
    capability_id: str
    capability_version: str
    definition_digest: str
    identity: Identity
    title: dict[str, str]
    target: Target
    """The names the person is told."""
    arguments: dict[str, Any]
    requester: str
    risk: Risk


def challenge(terms: Terms, record: Record) -> Challenge:
    """The challenge about one execution."""
    execution = record.execution
    return Challenge(
        terms=terms,
        execution_id=execution.execution_id,
        capability_id=execution.capability_id,
        capability_version=execution.capability_version,
        definition_digest=record.definition_digest,
        identity=record.identity,
        title=execution.title,
        target=execution.target,
        arguments=execution.arguments,
        requester=execution.requester,
        risk=execution.risk,
    )


def canonical(bound: Challenge) -> bytes:
    """The same bytes for the same challenge, whatever the order it was put together in."""
    return b"hexis-confirmation-2\0" + msgspec.json.encode(bound, order="sorted")


def seal(key: bytes, bound: Challenge) -> bytes:
    """The MAC by Hexis's own key."""
    return hmac.digest(key, canonical(bound), hashlib.sha256)


def is_genuine(key: bytes, bound: Challenge, mac: bytes) -> bool:
    """Whether the challenge is exactly the one that was sealed."""
    return hmac.compare_digest(seal(key, bound), mac)


def digest_of(word: str | None) -> str:
    """What is kept of an assertion, enough to know it again."""
    return hashlib.sha256(word.encode()).hexdigest() if word else ""


def check_requester(bound: Challenge, requester: str) -> None:
    """Only the requester who asked answers; anyone else leaves it pending.

    Raises:
        PermissionDenied: It is another one's, or not a person's.
    """
    if requester != bound.requester:
        raise PermissionDenied(
            "This confirmation was asked for by another requester.", reason="requester_mismatch"
        )
    if not may_confirm(requester):
        raise PermissionDenied("Only a person can say yes.", reason="requester_may_not_confirm")


def check_open(state: ConfirmationState, execution: Execution) -> None:
    """A confirmation is answered once, whatever its own row says.

    Raises:
        FailedPrecondition: It is not pending any more, or its execution does not wait for it.
    """
    if state == "pending" and execution.state != "awaiting_confirmation":
        state = "confirmed"
    if state == "pending":
        return
    reason = "confirmation_consumed" if state == "confirmed" else f"confirmation_{state}"
    why = f" ({execution.reason})" if state == "void" else ""
    raise FailedPrecondition(
        f"This confirmation is {state} already{why}; see execution {execution.execution_id}.",
        reason=reason,
    )


def has_expired(bound: Challenge, now: datetime) -> bool:
    """Whether a yes comes too late."""
    return now >= bound.terms.expires_at


def check_question(bound: Challenge, said: Assertion) -> None:
    """The channel must have heard the utterance as a plain yes to this very question.

    Raises:
        PermissionDenied: It says yes to another question, or to none.
    """
    if said.answers != bound.terms.confirmation_id:
        raise PermissionDenied(
            "The person's word is a yes to another question than this one, or to none.",
            reason="assertion_other_question",
        )


def check_later_turn(bound: Challenge, said: Assertion, word: str | None) -> None:
    """The yes must have been said after the question, in a turn of its own.

    Raises:
        PermissionDenied: The assertion is of the asking turn, or of one before it.
    """
    terms = bound.terms
    if (
        said.issued_at <= terms.issued_at
        or said.turn_id == terms.asked_turn
        or digest_of(word) == terms.asked_word
    ):
        raise PermissionDenied(
            "The yes must come in a turn after the one that asked.", reason="assertion_not_later"
        )

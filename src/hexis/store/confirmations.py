"""Confirmations in SQLite: each answered once, each turn's yes used once."""

from __future__ import annotations

import sqlite3
from datetime import datetime

import msgspec

from hexis.contract.execution import Confirmation, ConfirmationState
from hexis.domain.confirmation import Challenge, Terms, challenge
from hexis.domain.execution import Record
from hexis.store.executions import as_record
from kit.assertion import Assertion
from kit.clock import from_text, to_text
from kit.errors import FailedPrecondition, PermissionDenied
from kit.store import Store

_SELECT = (
    "SELECT e.*, c.confirmation_id, c.state AS confirmation_state, c.issued_at, c.expires_at,"
    " c.asked_turn, c.asked_word, c.seal FROM confirmation c JOIN execution e USING (execution_id)"
)


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """A confirmation as it is stored, with the execution it is about."""

    terms: Terms
    state: ConfirmationState
    record: Record
    seal: bytes

    @property
    def challenge(self) -> Challenge:
        """What a yes would allow, as stored now."""
        return challenge(self.terms, self.record)

    def shown(self) -> Confirmation:
        """The challenge as a person sees it."""
        execution = self.record.execution
        return Confirmation(
            confirmation_id=self.terms.confirmation_id,
            state=self.state,
            execution_id=execution.execution_id,
            capability_id=execution.capability_id,
            capability_version=execution.capability_version,
            title=execution.title,
            target=execution.target,
            arguments=execution.arguments,
            requester=execution.requester,
            risk=execution.risk,
            issued_at=self.terms.issued_at,
            expires_at=self.terms.expires_at,
            action=execution.action,
        )


class Confirmations:
    """The challenges and their answers."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, confirmation_id: str) -> Kept | None:
        """One confirmation."""
        return self._one("c.confirmation_id", confirmation_id)

    def of_execution(self, execution_id: str) -> Kept | None:
        """The confirmation an execution waits for or had."""
        return self._one("c.execution_id", execution_id)

    def pending(self, requester: str, now: datetime, limit: int) -> list[Kept]:
        """What waits for a yes of this requester, newest first."""
        rows = self._store.read(
            f"{_SELECT} WHERE c.state = 'pending' AND c.expires_at > ? AND e.requester = ?"
            " ORDER BY c.confirmation_id DESC LIMIT ?",
            (to_text(now), requester, limit),
        )
        return [_kept(row) for row in rows]

    def waiting(self) -> list[Kept]:
        """Everything that is pending, whoever it waits for."""
        return [_kept(row) for row in self._store.read(f"{_SELECT} WHERE c.state = 'pending'")]

    def overdue(self, now: datetime) -> list[Kept]:
        """What is pending although its time has run out."""
        rows = self._store.read(
            f"{_SELECT} WHERE c.state = 'pending' AND c.expires_at <= ? LIMIT 100", (to_text(now),)
        )
        return [_kept(row) for row in rows]

    def is_turn_used(self, said: Assertion) -> bool:
        """Whether this turn has said yes to something already."""
        return bool(
            self._store.read(
                "SELECT 1 FROM consumed_turn WHERE channel = ? AND turn_id = ?",
                (said.channel, said.turn_id),
            )
        )

    def _one(self, column: str, value: str) -> Kept | None:
        rows = self._store.read(f"{_SELECT} WHERE {column} = ?", (value,))
        return _kept(rows[0]) if rows else None


def insert(connection: sqlite3.Connection, terms: Terms, record: Record, seal: bytes) -> None:
    """Keep a new challenge."""
    connection.execute(
        "INSERT INTO confirmation (confirmation_id, execution_id, state, issued_at, expires_at,"
        " asked_turn, asked_word, seal) VALUES (?, ?, 'pending', ?, ?, ?, ?, ?)",
        (
            terms.confirmation_id,
            record.execution.execution_id,
            to_text(terms.issued_at),
            to_text(terms.expires_at),
            terms.asked_turn,
            terms.asked_word,
            seal,
        ),
    )


def in_excess(
    connection: sqlite3.Connection, principal: str, requester: str, most: int
) -> list[Kept]:
    """What a program has waiting for a requester beyond its newest ones."""
    found = connection.execute(
        f"{_SELECT} WHERE c.state = 'pending' AND e.principal = ? AND e.requester = ?"
        " ORDER BY c.confirmation_id DESC LIMIT -1 OFFSET ?",
        (principal, requester, most),
    )
    return [_kept(row) for row in found.fetchall()]


def close(
    connection: sqlite3.Connection, confirmation_id: str, state: ConfirmationState, now: datetime
) -> None:
    """Answer a pending confirmation.

    Raises:
        FailedPrecondition: It was answered meanwhile.
    """
    closed = connection.execute(
        "UPDATE confirmation SET state = ?, decided_at = ?"
        " WHERE confirmation_id = ? AND state = 'pending'",
        (state, to_text(now), confirmation_id),
    ).rowcount
    if closed != 1:
        raise FailedPrecondition(
            "This confirmation was answered meanwhile.", reason="confirmation_consumed"
        )


def use_turn(
    connection: sqlite3.Connection, said: Assertion, confirmation_id: str, now: datetime
) -> None:
    """Spend the yes of a turn.

    Raises:
        PermissionDenied: It was spent on another confirmation.
    """
    try:
        connection.execute(
            "INSERT INTO consumed_turn VALUES (?, ?, ?, ?)",
            (said.channel, said.turn_id, confirmation_id, to_text(now)),
        )
    except sqlite3.IntegrityError as error:
        raise PermissionDenied(
            "One yes answers one confirmation; say it again for this one.", reason="assertion_used"
        ) from error


def _kept(row: sqlite3.Row) -> Kept:
    return Kept(
        terms=Terms(
            confirmation_id=row["confirmation_id"],
            issued_at=from_text(row["issued_at"]),
            expires_at=from_text(row["expires_at"]),
            asked_turn=row["asked_turn"],
            asked_word=row["asked_word"],
        ),
        state=row["confirmation_state"],
        record=as_record(row),
        seal=row["seal"],
    )

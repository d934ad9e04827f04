"""Challenges: issued, answered once by the person who asked, void when the world has changed."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from datetime import datetime, timedelta

from hexis.contract.execution import ConfirmationState
from hexis.domain import policy
from hexis.domain.capability import Definition, digest
from hexis.domain.confirmation import (
    Terms,
    challenge,
    check_later_turn,
    check_open,
    check_question,
    check_requester,
    digest_of,
    has_expired,
    is_genuine,
    seal,
)
from hexis.domain.execution import Record
from hexis.domain.target import check_names, identify
from hexis.identity import Identities
from hexis.jobs import Jobs
from hexis.store import audit, confirmations, executions
from hexis.store.capabilities import Capabilities, Folder
from hexis.store.confirmations import Confirmations, Kept
from kit.clock import Clock
from kit.errors import Conflict, FailedPrecondition, NotFound, PermissionDenied
from kit.idempotency import keyed
from kit.ids import Ids
from kit.store import Store
from kit.trace import Call

_MOST_PENDING = 20
"""Challenges that one program may have waiting for one requester; one more voids the oldest."""


class Consent:
    """The yes of a person, bound to one exact action."""

    def __init__(
        self,
        store: Store,
        folder: Folder,
        jobs: Jobs,
        identities: Identities,
        key: bytes,
        lifetime: timedelta,
        clock: Clock,
        ids: Ids,
    ) -> None:
        self._store = store
        self._confirmations = Confirmations(store)
        self._folder = folder
        self._jobs = jobs
        self._checked: Capabilities | None = None
        """What the pending confirmations were last compared with."""
        self._identities = identities
        self._key = key
        self._lifetime = lifetime
        self._clock = clock
        self._ids = ids

    def ask(self, connection: sqlite3.Connection, record: Record, call: Call) -> Kept:
        """Issue the challenge for an execution in the transaction that creates it.

        Raises:
            Conflict: Something else is being done to the entity.
        """
        executions.check_free(connection, record.identity.entity_id)
        now = record.execution.created_at
        for kept in confirmations.in_excess(
            connection, record.principal, record.execution.requester, _MOST_PENDING - 1
        ):
            self._end(connection, kept, "void", "too_many_pending", call, "execute", now)
        terms = Terms(
            confirmation_id=self._ids.new("cnf"),
            issued_at=now,
            expires_at=now + self._lifetime,
            asked_turn=call.causation_id,
            asked_word=digest_of(call.channel_assertion),
        )
        mac = seal(self._key, challenge(terms, record))
        executions.insert(connection, record)
        confirmations.insert(connection, terms, record, mac)
        return Kept(terms=terms, state="pending", record=record, seal=mac)

    async def accept(self, confirmation_id: str, call: Call) -> tuple[Record, Definition]:
        """Take a yes: consume the confirmation and queue its execution, in one transaction.

        Raises:
            ServiceError: It is no yes to this; `reason` says why and whether it can still be given.
        """
        kept = await self._open(confirmation_id, call)
        said = call.assertion
        if said is None:
            raise PermissionDenied(
                "A yes needs the assertion of the person's channel.", reason="assertion_needed"
            )
        check_later_turn(kept.challenge, said, call.channel_assertion)
        check_question(kept.challenge, said)
        if self._confirmations.is_turn_used(said):
            raise PermissionDenied(
                "One yes answers one confirmation; say it again for this one.",
                reason="assertion_used",
            )
        definition = await self._unchanged(kept, call)

        def job(connection: sqlite3.Connection) -> Record:
            now = self._clock.now()
            if has_expired(kept.challenge, now):
                raise _expired(kept)
            confirmations.close(connection, confirmation_id, "confirmed", now)
            confirmations.use_turn(connection, said, confirmation_id, now)
            queued = executions.advance(connection, kept.record, "queued")
            audit.append(
                connection,
                audit.asked(
                    call, now, "confirm", "confirmed", queued, confirmation_id=confirmation_id
                ),
            )
            return queued

        return await self._store.write(job), definition

    async def decline(self, confirmation_id: str, call: Call) -> Record:
        """Take a no.

        A no does nothing to anything, so any word of the person's lets a program take back what it
        has asked itself. Carrying their word, it cannot take back what another program asked.

        Raises:
            ServiceError: It is another one's, or is answered already.
        """
        kept = await self._open(confirmation_id, call)
        if call.assertion is not None and call.principal not in {
            kept.record.principal,
            call.assertion.channel,
        }:
            raise PermissionDenied(
                "Another program asked this; say no there.", reason="confirmation_foreign"
            )
        return await self._close(kept, "refused", "confirmation_refused", call, "refuse")

    async def expire_overdue(self) -> bool:
        """Close what nobody answered in time; whether there was anything."""
        overdue = self._confirmations.overdue(self._clock.now())
        for kept in overdue:
            with suppress(FailedPrecondition, Conflict):  # answered meanwhile
                await self._close(kept, "expired", "confirmation_expired", None, "expire")
        return bool(overdue)

    async def void_changed(self) -> bool:
        """Close what waits on a capability that has changed; whether there was anything."""
        declared = await self._folder.current()
        if declared is self._checked:
            return False
        changed = [
            each for each in self._confirmations.waiting() if not _is_same(declared, each.record)
        ]
        for kept in changed:
            with suppress(FailedPrecondition, Conflict):  # answered meanwhile
                await self._close(kept, "void", "capability_changed", None, "void")
        self._checked = declared
        return bool(changed)

    async def _open(self, confirmation_id: str, call: Call) -> Kept:
        """The confirmation, if this requester may still answer it and it is what was issued."""
        kept = self._confirmations.get(confirmation_id)
        if kept is None:
            raise NotFound(
                f"There is no confirmation {confirmation_id}.",
                reason="confirmation_unknown",
                field="confirmation_id",
            )
        check_requester(kept.challenge, call.requester)
        check_open(kept.state, kept.record.execution)
        if not is_genuine(self._key, kept.challenge, kept.seal):
            error = FailedPrecondition(
                "What is stored is not what was asked; ask again.", reason="confirmation_altered"
            )
            await self._void(kept, error, call)
            raise error
        if has_expired(kept.challenge, self._clock.now()):
            with keyed(None):
                await self._close(kept, "expired", "confirmation_expired", call, "confirm")
            raise _expired(kept)
        return kept

    async def _unchanged(self, kept: Kept, call: Call) -> Definition:
        """The capability, if all that the yes is about is as it was when it was asked.

        Raises:
            FailedPrecondition: It is not, and the confirmation is void now.
            Unavailable: Nexus did not say; the confirmation waits on.
        """
        record = kept.record
        try:
            definition = _same(await self._folder.current(), record)
            if policy.decide(call.requester, definition.risk) != "confirm":
                raise FailedPrecondition(
                    "The policy has changed since; ask again.", reason="policy_changed"
                )
            asked_id = record.identity.entity_id
            try:
                entity = await self._identities.get(asked_id)
            except NotFound as error:
                raise FailedPrecondition(error.message, reason="entity_unknown") from error
            if identify(entity, asked_id, definition) != record.identity:
                raise FailedPrecondition(
                    "The entity stands for something else since; ask again.",
                    reason="entity_retargeted",
                )
            check_names(entity, record.execution.target)
            await self._jobs.check_target(record, definition)
        except FailedPrecondition as error:
            await self._void(kept, error, call)
            raise
        else:
            return definition

    async def _void(self, kept: Kept, error: FailedPrecondition, call: Call) -> None:
        with keyed(None):
            await self._close(kept, "void", error.reason or "void", call, "confirm")

    async def _close(
        self, kept: Kept, state: ConfirmationState, reason: str, call: Call | None, operation: str
    ) -> Record:
        """End a confirmation without a yes, and its execution with it."""
        by = call or Call(
            requester="service:hexis",
            correlation_id=kept.record.correlation_id,
            principal="hexis",
        )
        return await self._store.write(
            lambda connection: self._end(
                connection, kept, state, reason, by, operation, self._clock.now()
            )
        )

    def _end(
        self,
        connection: sqlite3.Connection,
        kept: Kept,
        state: ConfirmationState,
        reason: str,
        by: Call,
        operation: str,
        now: datetime,
    ) -> Record:
        confirmations.close(connection, kept.terms.confirmation_id, state, now)
        ended = kept.record
        if ended.execution.state == "awaiting_confirmation":
            ended = executions.advance(connection, ended, "refused", finished_at=now, reason=reason)
        entry = audit.asked(
            by,
            now,
            operation,
            state,
            ended,
            confirmation_id=kept.terms.confirmation_id,
            reason=reason,
        )
        audit.append(connection, entry)
        return ended


def _is_same(declared: Capabilities, record: Record) -> bool:
    definition = declared.get(record.execution.capability_id)
    return definition is not None and digest(definition) == record.definition_digest


def _same(declared: Capabilities, record: Record) -> Definition:
    definition = declared.get(record.execution.capability_id)
    if definition is None or digest(definition) != record.definition_digest:
        raise FailedPrecondition(
            "The capability has changed since; ask again.", reason="capability_changed"
        )
    return definition


def _expired(kept: Kept) -> FailedPrecondition:
    return FailedPrecondition(
        f"The time to say yes ran out at {kept.terms.expires_at:%H:%M:%S} UTC; ask again.",
        reason="confirmation_expired",
    )

"""Hexis: one method per operation."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import msgspec

from hexis.consent import Consent
from hexis.contract.catalog import Capability, CapabilityList, GetCapability, ListCapabilities
from hexis.contract.execution import (
    Confirm,
    ConfirmationList,
    Execute,
    Execution,
    ExecutionList,
    GetExecution,
    ListConfirmations,
    ListExecutions,
    Refuse,
)
from hexis.domain import policy
from hexis.domain.arguments import normalise
from hexis.domain.capability import Definition, applies_to, describe, digest, version
from hexis.domain.execution import Record, is_final
from hexis.domain.target import describe_target, identify, vouched_for
from hexis.identity import Identities
from hexis.jobs import Jobs
from hexis.store import audit
from hexis.store.capabilities import Folder
from hexis.store.confirmations import Confirmations
from hexis.store.executions import Executions, insert
from kit import redact
from kit.clock import Clock
from kit.errors import NotFound, PermissionDenied, ServiceError
from kit.idempotency import keyed
from kit.ids import Ids
from kit.store import Store
from kit.trace import Call

_MARGIN_S = 0.3
"""Kept of the caller's time for the answer to travel."""
_TELLING_S = 1.5
"""Longest that an end is held back so that Praxis hears of it first."""


class Hexis:
    """What may be done, and doing it exactly so."""

    def __init__(
        self,
        store: Store,
        folder: Folder,
        identities: Identities,
        consent: Consent,
        jobs: Jobs,
        clock: Clock,
        ids: Ids,
    ) -> None:
        self._store = store
        self._executions = Executions(store)
        self._confirmations = Confirmations(store)
        self._folder = folder
        self._identities = identities
        self._consent = consent
        self._jobs = jobs
        self._clock = clock
        self._ids = ids

    async def list_capabilities(self, request: ListCapabilities, call: Call) -> CapabilityList:
        """What this requester may see, to one entity or at all.

        Raises:
            NotFound: Nexus knows no such entity.
            Unavailable: Nexus did not say what the entity is.
        """
        declared = await self._folder.current()
        found = [
            definition
            for definition in declared.definitions.values()
            if policy.may_see(call.requester, definition.risk)
            and request.action in {None, definition.action}
        ]
        if request.entity_id is not None:
            entity = await self._identities.get(request.entity_id)
            is_present = entity.status == "active" and entity.entity_id == request.entity_id
            found = [
                definition
                for definition in found
                if is_present
                and applies_to(definition, entity.type)
                and vouched_for(entity, definition.system)
            ]
        return CapabilityList(
            capabilities=[describe(definition) for definition in found],
            disabled=declared.disabled,
        )

    async def get_capability(self, request: GetCapability, call: Call) -> Capability:
        """One capability.

        Raises:
            NotFound: There is none this requester may see.
        """
        definition = await self._definition(request.capability_id)
        if not policy.may_see(call.requester, definition.risk):
            raise _no_capability(request.capability_id)
        return describe(definition)

    async def execute(self, request: Execute, call: Call) -> Execution:
        """Do it, or say what a person must confirm first.

        Raises:
            ServiceError: It may not or cannot be done; nothing was begun.
        """
        about = {"capability_id": request.capability_id, "entity_id": request.entity_id}
        async with self._noting(call, "execute", about):
            definition = await self._definition(request.capability_id)
            decision = policy.decide(call.requester, definition.risk)
            if decision == "deny":
                raise PermissionDenied(
                    f"{call.requester} may not run what is {definition.risk}.",
                    reason="policy_denied",
                )
            arguments = normalise(definition.arguments, request.arguments)
            entity = await self._identities.get(request.entity_id)
            identity = identify(entity, request.entity_id, definition)
            now = self._clock.now()
            record = Record(
                execution=Execution(
                    execution_id=self._ids.new("exe"),
                    state="running" if decision == "run" else "awaiting_confirmation",
                    capability_id=definition.id,
                    capability_version=version(definition),
                    action=definition.action,
                    title=definition.title.by_language(),
                    target=describe_target(entity),
                    arguments=arguments,
                    requester=call.requester,
                    risk=definition.risk,
                    created_at=now,
                    expects_recovery=definition.expects_recovery,
                    started_at=now if decision == "run" else None,
                ),
                identity=identity,
                definition_digest=digest(definition),
                principal=call.principal,
                correlation_id=call.correlation_id,
            )
            self._jobs.check_room(record)
            await self._jobs.check_target(record, definition)
            if decision == "confirm":
                return await self._store.write(
                    lambda connection: self._ask(connection, record, call)
                )
            await self._store.write(lambda connection: self._run(connection, record, call))
        self._jobs.start(record, definition)
        return await self._answer(record.execution.execution_id, request.wait_s, call)

    async def get_execution(self, request: GetExecution, call: Call) -> Execution:
        """One execution, at its end if it comes in time.

        Raises:
            NotFound: There is none this requester may see.
        """
        self._visible(request.execution_id, call)
        return await self._answer(request.execution_id, request.wait_s, call)

    async def list_executions(self, request: ListExecutions, call: Call) -> ExecutionList:
        """Executions, newest first: people see all of them, agents and parts their own.

        What they wrote is left to `get_execution`.
        """
        mine = None if policy.sees_all_executions(call.requester) else call.requester
        records = self._executions.list(request.entity_id, mine, request.limit)
        shown = (self._shown(record, call) for record in records)
        return ExecutionList([msgspec.structs.replace(each, output="") for each in shown])

    async def list_confirmations(self, request: ListConfirmations, call: Call) -> ConfirmationList:
        """What waits for a yes of this requester."""
        pending = self._confirmations.pending(call.requester, self._clock.now(), request.limit)
        return ConfirmationList(confirmations=[kept.shown() for kept in pending])

    async def confirm(self, request: Confirm, call: Call) -> Execution:
        """Take a yes, and carry out what it was said to.

        Raises:
            ServiceError: It is no yes to this; nothing was begun.
        """
        about = {"confirmation_id": request.confirmation_id}
        async with self._noting(call, "confirm", about):
            record, definition = await self._consent.accept(request.confirmation_id, call)
        self._jobs.start(record, definition)
        return await self._answer(record.execution.execution_id, request.wait_s, call)

    async def refuse(self, request: Refuse, call: Call) -> Execution:
        """Take a no.

        Raises:
            ServiceError: It is another one's to say, or the confirmation is answered already.
        """
        about = {"confirmation_id": request.confirmation_id}
        async with self._noting(call, "refuse", about):
            record = await self._consent.decline(request.confirmation_id, call)
        self._jobs.pulse.beat()
        return self._shown(record, call)

    async def expire(self) -> None:
        """Close what nobody answered in time or nobody can any more, and wake who waits for it."""
        if await self._consent.expire_overdue() or await self._consent.void_changed():
            self._jobs.pulse.beat()
        await self._jobs.give_up_overdue()

    def _ask(self, connection: sqlite3.Connection, record: Record, call: Call) -> Execution:
        kept = self._consent.ask(connection, record, call)
        entry = audit.asked(
            call,
            record.execution.created_at,
            "execute",
            "awaiting_confirmation",
            record,
            confirmation_id=kept.terms.confirmation_id,
        )
        audit.append(connection, entry)
        return msgspec.structs.replace(record.execution, confirmation=kept.shown())

    def _run(self, connection: sqlite3.Connection, record: Record, call: Call) -> None:
        insert(connection, record)
        audit.append(
            connection, audit.asked(call, record.execution.created_at, "execute", "run", record)
        )
        self._jobs.reports.keep(connection, record)

    async def _definition(self, capability_id: str) -> Definition:
        definition = (await self._folder.current()).get(capability_id)
        if definition is None:
            raise _no_capability(capability_id)
        return definition

    def _visible(self, execution_id: str, call: Call) -> Record:
        record = self._executions.get(execution_id)
        if record is None or not (
            policy.sees_all_executions(call.requester)
            or record.execution.requester == call.requester
        ):
            raise NotFound(
                f"There is no execution {execution_id}.",
                reason="execution_unknown",
                field="execution_id",
            )
        return record

    async def _answer(self, execution_id: str, wait_s: float, call: Call) -> Execution:
        """The execution when there is news of it, or when the time to wait is over.

        An end that Praxis has not heard of yet is not told either, within reason.
        """
        now, ours_s = time.monotonic(), (call.remaining_s() or 60.0) - _MARGIN_S
        until = now + min(wait_s, ours_s)
        told_by = max(until, now + min(_TELLING_S, ours_s))
        while True:
            record = self._visible(execution_id, call)
            is_active = self._jobs.is_active(execution_id)
            is_over = is_final(record.execution.state)
            if not is_active and (is_over or record.execution.state == "running"):
                break
            left_s = (told_by if is_active and is_over else until) - time.monotonic()
            if not await self._jobs.pulse.wait(left_s):
                break
        return self._shown(self._visible(execution_id, call), call)

    def _shown(self, record: Record, call: Call) -> Execution:
        """The execution; a pending challenge is shown to the one who may answer it."""
        execution = record.execution
        if execution.state != "awaiting_confirmation" or execution.requester != call.requester:
            return execution
        kept = self._confirmations.of_execution(execution.execution_id)
        return msgspec.structs.replace(execution, confirmation=kept.shown() if kept else None)

    @asynccontextmanager
    async def _noting(
        self, call: Call, operation: str, about: dict[str, str]
    ) -> AsyncGenerator[None]:
        """Keep in the audit what was refused and why."""
        try:
            yield
        except ServiceError as error:
            entry = audit.Entry(
                at=self._clock.now(),
                operation=operation,
                decision="refused",
                principal=call.principal,
                requester=call.requester,
                correlation_id=call.correlation_id,
                causation_id=call.causation_id,
                reason=error.reason or error.code,
                details=redact.text(error.message),
                **about,
            )
            with keyed(None):
                await self._store.write(lambda connection: audit.append(connection, entry))
            raise


def _no_capability(capability_id: str) -> NotFound:
    return NotFound(
        f"There is no capability {capability_id}.",
        reason="capability_unknown",
        field="capability_id",
    )

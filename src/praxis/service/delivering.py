"""Deliveries in the dialects of others: read, taken, or kept as rejected and replayed."""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec.structs import replace

from kit import redact
from kit.errors import FailedPrecondition, InvalidArgument
from kit.trace import Call
from kit.zones import zone_of
from praxis.contract import (
    Deliver,
    Delivered,
    ListRejected,
    RejectedList,
    ReplayRejected,
)
from praxis.dialects import Delivery, Unfit
from praxis.dialects.registry import DIALECTS
from praxis.domain.freshness import KnownSource
from praxis.domain.observation import Observation
from praxis.domain.told import Beat, Report, Told
from praxis.service.telling import Telling
from praxis.store.intake import OWN

_TITLE = 400
_AHEAD = timedelta(seconds=60)
"""How far the clock of a sender may run ahead before its times are taken for ours."""


class Delivering(Telling):
    """The operations on deliveries."""

    async def deliver(self, request: Deliver, call: Call) -> Delivered:
        """Take what a delivery tells; one that does not fit is kept, and says so.

        Raises:
            InvalidArgument: There is no such dialect.
            PermissionDenied: The source is one that only Praxis itself speaks for.
        """
        now = self._clock.now()
        self._refuse_what_praxis_sees(request.source, "source")
        try:
            told = self._read(request)
        except Unfit as unfit:
            return await self._reject(request, unfit, now)
        return await self._tell(request, told, now)

    async def list_rejected(self, request: ListRejected, call: Call) -> RejectedList:
        """Deliveries that did not fit."""
        return self._rejected.list(request)

    async def replay_rejected(self, request: ReplayRejected, call: Call) -> Delivered:
        """Read a rejected delivery once more; taken, it is rejected no longer.

        Raises:
            NotFound: There is none of this id.
            FailedPrecondition: It does not fit yet.
        """
        delivery = self._rejected.get(request.rejected_id)
        try:
            told = self._read(delivery)
        except Unfit as unfit:
            raise FailedPrecondition(
                f"It still does not fit `{delivery.dialect}`: {unfit.why}",
                reason="delivery_unfit",
                field="rejected_id",
            ) from unfit
        delivered = await self._tell(delivery, told, self._clock.now())
        await self._ledger.forget_rejected(request.rejected_id)
        return delivered

    def _read(self, request: Deliver) -> Told:
        dialect = DIALECTS.get(request.dialect)
        if dialect is None:
            raise InvalidArgument(
                f"There is no dialect `{request.dialect}`; there are {', '.join(DIALECTS)}.",
                field="dialect",
            )
        door = self._doors.of(request.source)
        return dialect.read(
            Delivery(
                body=request.body,
                headers={name.lower(): value for name, value in request.headers.items()},
                method=request.method,
                path=request.path,
                query=request.query,
                zone=zone_of("UTC" if door is None else door.zone),
            )
        )

    async def _tell(self, request: Deliver, told: Told, now: datetime) -> Delivered:
        name = request.source
        reports = [each for each in told if isinstance(each, Report)]
        beats = [each for each in told if isinstance(each, Beat)]
        self._hear(name, request.dialect, beats, now)
        observations = [_observation(name, report, now) for report in reports]
        if self._items.is_active(OWN, _about_deliveries(name)):
            observations.append(self._about_fit(request, "ok", "A delivery fits again.", now))
        observed = await self._record(observations, now) if observations else []
        return Delivered(observed=observed[: len(reports)], beat=bool(beats))

    def _hear(self, name: str, dialect: str, beats: list[Beat], now: datetime) -> None:
        """The source is alive, whatever it had to say."""
        known = self._book.get(name)
        source = known or KnownSource(source=name, kind=dialect, registered_at=now)
        promised = [beat.every_s for beat in beats if beat.every_s is not None]
        if promised and source.expected_every_s is None:
            source = replace(source, expected_every_s=promised[-1], registered_at=now)
        if known is None or beats:
            source = replace(source, last_observed_at=max(now, source.last_observed_at or now))
        self._book.hear(name, now)
        if source != known:
            self._book.put(source)

    async def _reject(self, request: Deliver, unfit: Unfit, now: datetime) -> Delivered:
        self._hear(request.source, request.dialect, [], now)
        summary = f"{request.source}: a delivery does not fit `{request.dialect}`: {unfit.why}"
        rejected_id = await self._ledger.reject(
            request, unfit.why, unfit.field, self._about_fit(request, "problem", summary, now)
        )
        return Delivered(rejected_id=rejected_id, why=unfit.why, field=unfit.field)

    def _about_fit(self, request: Deliver, state: str, summary: str, now: datetime) -> Observation:
        return Observation(
            source=OWN,
            event_id="",
            key=_about_deliveries(request.source),
            kind="delivery",
            state="ok" if state == "ok" else "problem",
            severity="warning",
            summary=redact.text(summary, _TITLE),
            observed_at=now,
            received_at=now,
            details={"source": request.source, "dialect": request.dialect},
        )


def _about_deliveries(name: str) -> str:
    return f"delivery:{name}"


def _observation(source: str, report: Report, now: datetime) -> Observation:
    at = report.observed_at or now
    return Observation(
        source=source,
        event_id=report.event_id or "",
        key=report.key,
        kind=report.kind,
        state=report.state,
        severity=report.severity,
        summary=redact.text(report.summary, _TITLE),
        observed_at=now if at > now + _AHEAD else at,
        received_at=now,
        details={redact.text(name): redact.text(value) for name, value in report.details.items()},
        subject=report.subject,
        group=report.group,
        link=redact.text(report.link, 500),
        weight=report.weight,
    )

"""Ask a part for its health; no answer is a failure, and enough of them in a row are a problem."""

from __future__ import annotations

from datetime import datetime

from kit.client import AnyClient
from kit.clock import Clock
from kit.contract import Nothing
from kit.errors import DeadlineExceeded, Internal, Unavailable
from praxis.sources import Reading


class HealthSource:
    """The `health` of one part."""

    def __init__(self, client: AnyClient, clock: Clock, *, failures: int, timeout_s: float) -> None:
        self._client = client
        self._clock = clock
        self._failures = failures
        self._timeout_s = timeout_s
        self._failed = 0

    async def poll(self) -> list[Reading]:
        """Ask once; empty for a failure that may yet be an accident.

        Raises:
            ServiceError: The part answers and refuses to tell; that is no sign of its health.
        """
        sent_at = self._clock.now()
        try:
            health = await self._client.health(Nothing(), timeout_s=self._timeout_s)
        except Unavailable as error:
            return self._fail(sent_at, error.reason or error.code, "does not answer")
        except DeadlineExceeded:
            summary = f"does not answer within {self._timeout_s:g} s"
            return self._fail(sent_at, "timeout", summary)
        except Internal as error:
            return self._fail(sent_at, error.reason or error.code, "answers with a failure")
        self._failed = 0
        is_ok = health.status == "ok"
        reading = Reading(
            state="ok" if is_ok else "problem",
            severity="info" if is_ok else "warning",
            summary="healthy" if is_ok else f"degraded: {'; '.join(health.degraded)}",
            observed_at=sent_at,
            details={} if is_ok else {"reason": "degraded"},
            instance_id=health.instance_id,
            started_at=health.started_at,
        )
        return [reading]

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _fail(self, sent_at: datetime, reason: str, summary: str) -> list[Reading]:
        self._failed += 1
        if self._failed < self._failures:
            return []
        reading = Reading(
            state="problem",
            severity="error",
            summary=summary,
            observed_at=sent_at,
            details={"reason": reason, "failures": str(self._failed)},
        )
        return [reading]

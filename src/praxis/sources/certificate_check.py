"""Read until when a TLS certificate is valid, as one who verifies it."""

from __future__ import annotations

import asyncio
import ssl
from datetime import UTC, datetime, timedelta
from typing import cast

from kit.address import Address
from kit.clock import Clock
from praxis.contract import Severity
from praxis.contract.looks import CertificateCheck
from praxis.sources import Reading
from praxis.sources.reach import Reach, Unreached
from praxis.sources.verdict import bad, good


class CertificateSource:
    """The certificate of one host."""

    def __init__(self, check: CertificateCheck, clock: Clock) -> None:
        self._check = check
        self._clock = clock
        self._reach = Reach(Address(host=check.host, port=check.port, tls=True), check.ca_file)

    async def poll(self) -> list[Reading]:
        """Shake hands once.

        Raises:
            ServiceError: The host cannot be reached, which says nothing about its certificate.
        """
        at = self._clock.now()
        try:
            async with self._reach.open(self._check.timeout_s) as (_, writer):
                ends_at = _end_of(writer)
        except Unreached as error:
            if error.reason in {"not_verified", "tls"}:
                severity: Severity = "critical" if error.reason == "not_verified" else "error"
                return [bad(at, error.reason, error.why, severity)]
            raise error.unavailable(f"{self._check.host}:{self._check.port}") from error
        left = ends_at - at
        details = {"ends_at": ends_at.isoformat(), "days_left": f"{left / timedelta(days=1):.1f}"}
        said = f"is valid until {ends_at:%Y-%m-%d %H:%M} UTC"
        if left <= timedelta(days=self._check.critical_days):
            return [bad(at, "ends_soon", said, "critical", details)]
        if left <= timedelta(days=self._check.warning_days):
            return [bad(at, "ends_soon", said, "warning", details)]
        return [good(at, said, details)]

    def close(self) -> None:
        """Nothing is held between looks."""


def _end_of(writer: asyncio.StreamWriter) -> datetime:
    tls = cast("ssl.SSLObject", writer.get_extra_info("ssl_object"))
    shown = cast("dict[str, str]", tls.getpeercert() or {})
    return datetime.fromtimestamp(ssl.cert_time_to_seconds(shown["notAfter"]), UTC)

"""Certificates that are valid, end soon, are not trusted or are for another name."""

from __future__ import annotations

import pytest

from kit.clock import SystemClock
from kit.errors import Unavailable
from praxis.contract.looks import CertificateCheck
from praxis.sources.certificate_check import CertificateSource
from tests.praxis.sources.certificates import Authority
from tests.praxis.sources.conftest import Servers, http


def look(port: int, authority: Authority | None, **more: object) -> CertificateSource:
    check = CertificateCheck(
        host="localhost",
        port=port,
        ca_file=str(authority.file) if authority else None,
        **more,  # pyright: ignore[reportArgumentType]
    )
    return CertificateSource(check, SystemClock())


@pytest.mark.parametrize(
    ("days", "state", "severity"),
    [(1, "problem", "critical"), (10, "problem", "warning"), (20, "ok", "info")],
)
async def test_the_end_of_a_certificate_is_told_ahead(
    servers: Servers, authority: Authority, days: int, state: str, severity: str
) -> None:
    port = await servers.raw(b"", tls=authority.certificate(days=days).context(), hangs=True)

    (reading,) = await look(port, authority).poll()

    assert (reading.state, reading.severity) == (state, severity)
    assert round(float(reading.details["days_left"])) == days
    assert reading.summary.startswith("is valid until 20")


async def test_a_certificate_that_nobody_vouches_for_is_critical(
    servers: Servers, authority: Authority
) -> None:
    port = await servers.raw(b"", tls=authority.certificate().context(), hangs=True)

    (reading,) = await look(port, None).poll()

    assert (reading.severity, reading.details["reason"]) == ("critical", "not_verified")


async def test_a_certificate_for_another_name_is_critical(
    servers: Servers, authority: Authority
) -> None:
    port = await servers.raw(b"", tls=authority.certificate("other").context(), hangs=True)

    (reading,) = await look(port, authority).poll()

    assert reading.details["reason"] == "not_verified"
    assert "localhost" in reading.summary


async def test_what_speaks_no_tls_is_a_problem(servers: Servers, authority: Authority) -> None:
    port = await servers.raw(http("400 Bad Request"))

    (reading,) = await look(port, authority).poll()

    assert reading.details["reason"] == "tls"


async def test_a_host_that_is_down_or_slow_says_nothing_of_its_certificate(
    servers: Servers, authority: Authority
) -> None:
    slow = await servers.raw(b"", hangs=True)

    with pytest.raises(Unavailable, match="nothing listens"):
        await look(1, authority).poll()
    with pytest.raises(Unavailable, match="in time"):
        await look(slow, authority, timeout_s=0.1).poll()

"""Connections to ports that are open, closed and open only for a while."""

from __future__ import annotations

from kit.testing import FrozenClock
from praxis.contract.looks import TcpCheck
from praxis.sources.tcp_check import TcpSource
from tests.praxis.sources.conftest import Servers


async def test_an_open_port_is_well_and_a_closed_one_a_problem_after_enough_failures(
    servers: Servers,
) -> None:
    port = await servers.raw(b"", hangs=True)
    clock = FrozenClock()
    source = TcpSource(TcpCheck(host="127.0.0.1", port=port, failures=3), clock)

    (opened,) = await source.poll()
    await servers.stop()
    looks = [await source.poll() for _ in range(3)]

    assert (opened.state, opened.observed_at) == ("ok", clock.now())
    assert looks[:2] == [[], []]
    assert looks[2][0].details == {"reason": "refused", "failures": "3"}


async def test_a_success_begins_the_count_anew(servers: Servers) -> None:
    port = await servers.raw(b"")
    closed = TcpSource(TcpCheck(host="127.0.0.1", port=1, failures=2), FrozenClock())
    opened = TcpSource(TcpCheck(host="127.0.0.1", port=port, failures=2), FrozenClock())

    assert await closed.poll() == []
    assert [reading.state for reading in await opened.poll()] == ["ok"]
    assert [reading.state for reading in await closed.poll()] == ["problem"]

"""Connect to a port, and hang up."""

from __future__ import annotations

from kit.address import Address
from kit.clock import Clock
from praxis.contract.looks import TcpCheck
from praxis.domain.thresholds import Streak
from praxis.sources import Reading
from praxis.sources.reach import Reach, Unreached
from praxis.sources.verdict import bad, good


class TcpSource:
    """One port."""

    def __init__(self, check: TcpCheck, clock: Clock) -> None:
        self._check = check
        self._clock = clock
        self._reach = Reach(Address(host=check.host, port=check.port))
        self._streak = Streak(check.failures)

    async def poll(self) -> list[Reading]:
        """Connect once; empty for a failure that may yet be an accident.

        Raises:
            ServiceError: This side cannot look.
        """
        sent_at = self._clock.now()
        try:
            async with self._reach.open(self._check.timeout_s):
                self._streak.end()
        except Unreached as error:
            if not self._streak.fail():
                return []
            details = {"failures": str(self._streak.failed)}
            return [bad(sent_at, error.reason, error.why, details=details)]
        return [good(sent_at, "accepts connections")]

    def close(self) -> None:
        """Nothing is held between looks."""

"""When a count or a measure becomes a problem, and when it ceases to be one."""

from __future__ import annotations


class Streak:
    """Failures in a row; a single one may be an accident."""

    def __init__(self, needed: int) -> None:
        self._needed = needed
        self.failed = 0

    def fail(self) -> bool:
        """One more; whether it is a problem now."""
        self.failed += 1
        return self.failed >= self._needed

    def end(self) -> None:
        """A success."""
        self.failed = 0


class Band:
    """A measure with one threshold for a problem and another for the way back.

    Between the two the last verdict stands, and where there is none yet, none is given.
    """

    def __init__(self, problem: float, ok: float, *, high_is_good: bool) -> None:
        self._sign = 1 if high_is_good else -1
        self._problem = problem * self._sign
        self._ok = ok * self._sign
        self._verdict: bool | None = None

    def judge(self, value: float) -> bool | None:
        """Whether it is well; None where nothing can be said yet."""
        measure = value * self._sign
        if measure < self._problem:
            self._verdict = False
        elif measure >= self._ok:
            self._verdict = True
        return self._verdict

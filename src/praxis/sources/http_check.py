"""Ask an address over HTTP and compare its answer with what is expected."""

from __future__ import annotations

import asyncio
from datetime import datetime
from urllib.parse import urljoin, urlsplit

from kit.clock import Clock
from praxis.contract.looks import HttpCheck
from praxis.domain.thresholds import Streak
from praxis.sources import Reading
from praxis.sources.exchange import Answer, ask
from praxis.sources.reach import Reach, Unreached, parsed, reason_of
from praxis.sources.verdict import bad, good

_LARGEST = 256 << 10
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MOST_REDIRECTS = 3


class HttpSource:
    """One address and what must be answered there."""

    def __init__(self, check: HttpCheck, clock: Clock) -> None:
        self._check = check
        self._clock = clock
        self._reach = Reach(parsed(check.address), check.ca_file)
        self._secured: Reach | None = None
        self._streak = Streak(check.failures)

    async def poll(self) -> list[Reading]:
        """Ask once; empty for a failure that may yet be an accident.

        Raises:
            ServiceError: This side cannot look.
        """
        sent_at = self._clock.now()
        try:
            async with asyncio.timeout(self._check.timeout_s):
                status = await self._status()
        except Unreached as error:
            return self._fail(sent_at, error)
        except TimeoutError as error:
            return self._fail(sent_at, reason_of(error))
        self._streak.end()
        return [good(sent_at, f"answers {status}", link=self._link())]

    def close(self) -> None:
        """Nothing is held between looks."""

    async def _status(self) -> int:
        check, reach, path = self._check, self._reach, self._check.path
        for _ in range(_MOST_REDIRECTS + 1):
            answer = await ask(reach, path, timeout_s=check.timeout_s, largest=_LARGEST)
            if answer.status == check.status:
                _must_hold(answer, check.text)
                return answer.status
            if answer.status not in _REDIRECTS:
                raise Unreached("status", f"answers {answer.status} instead of {check.status}")
            reach, path = self._next(reach, path, answer.headers.get("location", ""))
        raise Unreached("redirect", "leads in a circle")

    def _next(self, reach: Reach, path: str, location: str) -> tuple[Reach, str]:
        """Where a redirect leads, on the same host."""
        base = "http://localhost" if reach.address.path else str(reach.address)
        try:
            url = urlsplit(urljoin(base + path, location))
            next_path = (url.path or "/") + (f"?{url.query}" if url.query else "")
            origin = parsed(f"{url.scheme}://{url.netloc}")
        except ValueError:
            raise Unreached("redirect", "leads nowhere") from None
        if origin == parsed(base):
            return reach, next_path
        here = reach.address
        if (here.host, here.port, origin.tls, origin.port) == (origin.host, 80, True, 443):
            self._secured = self._secured or Reach(origin, self._check.ca_file)
            return self._secured, next_path
        raise Unreached("redirect", f"leads to another host, {origin.authority}")

    def _fail(self, sent_at: datetime, error: Unreached) -> list[Reading]:
        if not self._streak.fail():
            return []
        details = {"failures": str(self._streak.failed)}
        return [bad(sent_at, error.reason, error.why, details=details, link=self._link())]

    def _link(self) -> str:
        """Where a person may look too; a query may hold a secret."""
        if self._reach.address.path:
            return ""
        return self._check.address + self._check.path.partition("?")[0]


def _must_hold(answer: Answer, text: str) -> None:
    if not text:
        return
    charset = answer.headers.get("content-type", "").partition("charset=")[2].split(";")[0]
    try:
        body = answer.body.decode(charset.strip(" \"'") or "utf-8", errors="replace")
    except (LookupError, ValueError):
        body = answer.body.decode(errors="replace")
    if text not in body:
        raise Unreached("text", f"answers without {text!r}")

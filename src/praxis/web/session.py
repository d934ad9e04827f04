"""Who may see the pages: links that open them once, cookies, and tokens that guard forms.

All of it rests on one secret in the state folder, so a browser that was let in stays so over
restarts, and whoever may read that file may make a link.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass
from pathlib import Path

from kit.auth import Secret
from kit.clock import Clock

_FILE = "web"
LINK_LIVES_S = 600
"""How long a printed link may wait to be opened."""
SESSION_LIVES_S = 30 * 86400
_LONGEST = 200


def secret_in(folder: Path) -> Secret:
    """The secret of the pages, made on first use.

    Raises:
        Unauthenticated: The file can be read by others, or holds no secret.
    """
    path = folder / _FILE
    if not path.exists():
        Secret.create(_FILE).save(path)
    return Secret.load(path)


@dataclass(frozen=True, slots=True)
class Session:
    """A browser that was let in."""

    cookie: str
    csrf: str
    """What a form must carry to be this browser's own."""


class Keys:
    """Makes and checks links, cookies and form tokens."""

    def __init__(self, secret: Secret, clock: Clock) -> None:
        self._secret = secret
        self._clock = clock
        self._used: dict[str, float] = {}
        """Links that were opened, until they would have expired anyway."""

    def new_link(self) -> str:
        """A token that lets one browser in, once and soon."""
        return self._stamped("link")

    def redeem(self, link: str) -> Session | None:
        """Let a browser in; None when the link is not ours, too old or used."""
        now = self._clock.now().timestamp()
        self._used = {each: until for each, until in self._used.items() if until > now}
        if link in self._used or not self._holds("link", link, LINK_LIVES_S):
            return None
        self._used[link] = now + LINK_LIVES_S
        return self._session(self._stamped("session"))

    def session_of(self, cookie: str | None) -> Session | None:
        """The session of a cookie; None when it is not ours or too old."""
        if cookie is None or not self._holds("session", cookie, SESSION_LIVES_S):
            return None
        return self._session(cookie)

    def _session(self, cookie: str) -> Session:
        return Session(cookie, self._mac("form", cookie))

    def _stamped(self, purpose: str) -> str:
        text = f"{int(self._clock.now().timestamp())}.{secrets.token_urlsafe(18)}"
        return f"{text}.{self._mac(purpose, text)}"

    def _holds(self, purpose: str, token: str, lives_s: int) -> bool:
        text, _, mac = token.rpartition(".")
        issued = text.partition(".")[0]
        if len(token) > _LONGEST or not (issued.isascii() and issued.isdigit()):
            return False
        if not hmac.compare_digest(self._mac(purpose, text).encode(), mac.encode()):
            return False
        return 0 <= self._clock.now().timestamp() - int(issued) + 1 <= lives_s

    def _mac(self, purpose: str, text: str) -> str:
        key = self._secret.assertion_key_for(f"praxis.web.{purpose}")
        return base64.urlsafe_b64encode(
            hmac.digest(key, text.encode(errors="replace"), hashlib.sha256)
        ).decode()[:-1]

"""Credentials of programs: what each may do, and which requesters it may speak for.

A program holds one secret; every part it talks to knows only the hash of a token made from that
secret for that part alone, so a part cannot use what it is shown against another part.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import re
import secrets
import tempfile
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import msgspec
import structlog

from kit import assertion
from kit.assertion import Assertion
from kit.errors import PermissionDenied, Unauthenticated, Unavailable

_log = structlog.get_logger()
TOKEN_PREFIX = "eco1"  # noqa: S105 - how a token begins, not a token
_PRINCIPAL = re.compile(r"[A-Za-z0-9_-]{1,64}")
_SECRET_BYTES = 32


class Secret:
    """The secret of one program; printing it shows nothing."""

    __slots__ = ("_value", "principal")

    def __init__(self, principal: str, value: bytes) -> None:
        if _PRINCIPAL.fullmatch(principal) is None or len(value) != _SECRET_BYTES:
            raise Unauthenticated(
                f"What is kept for {principal!r} is not a secret; `ecosystem up` makes one.",
                reason="credential_malformed",
            )
        self.principal = principal
        self._value = value

    def __repr__(self) -> str:
        return f"Secret({self.principal!r})"

    @classmethod
    def create(cls, principal: str) -> Secret:
        """A new random secret."""
        return cls(principal, secrets.token_bytes(_SECRET_BYTES))

    @classmethod
    def load(cls, path: Path) -> Secret:
        """The secret kept in a file named for its principal.

        Raises:
            Unauthenticated: There is no such file, others may read it, or it holds no secret.
        """
        try:
            with path.open("rb") as file:
                mode = os.fstat(file.fileno()).st_mode
                data = file.read(1024)
        except OSError as error:
            raise Unauthenticated(
                f"No credential at {path}; `ecosystem up` creates it.", reason="credential_missing"
            ) from error
        if mode & 0o077:
            raise Unauthenticated(
                f"{path} can be read by others; run `chmod 600 {path}`.",
                reason="credential_exposed",
            )
        try:
            value = base64.urlsafe_b64decode(data.strip())
        except ValueError:
            value = b""
        return cls(path.name, value)

    def save(self, path: Path) -> None:
        """Write it where only its owner can read it, whole or not at all."""
        write_private(path, base64.urlsafe_b64encode(self._value) + b"\n")

    def token_for(self, audience: str) -> str:
        """The bearer token this program shows to one part."""
        return f"{TOKEN_PREFIX}.{self.principal}.{_text(self._derive('token', audience))}"

    def assertion_key_for(self, audience: str) -> bytes:
        """The key that signs channel assertions one part checks."""
        return self._derive("assertion", audience)

    def _derive(self, purpose: str, audience: str) -> bytes:
        return hmac.digest(self._value, f"{purpose}\0{audience}".encode(), hashlib.sha256)


class Grant(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one part allows one program."""

    principal: str
    token_sha256: str
    scopes: list[str] = []
    speaks_for: list[str] = []
    """Requesters, exact or ending in `*`."""
    assertion_key: str | None = None
    """Present for a channel: what its assertions are checked with."""


def grant(
    secret: Secret,
    audience: str,
    *,
    scopes: list[str],
    speaks_for: list[str],
    channel: bool = False,
) -> Grant:
    """The entry a part keeps about a program."""
    key = _text(secret.assertion_key_for(audience)) if channel else None
    return Grant(
        principal=secret.principal,
        token_sha256=_digest(secret.token_for(audience)),
        scopes=scopes,
        speaks_for=speaks_for,
        assertion_key=key,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Principal:
    """A known program, as it is known until its grant changes."""

    name: str
    scopes: frozenset[str]
    speaks_for: tuple[str, ...]
    assertion_key: bytes | None

    def may_speak_for(self, requester: str) -> bool:
        """Whether it may name this requester."""
        return any(
            requester == allowed or (allowed[-1:] == "*" and requester.startswith(allowed[:-1]))
            for allowed in self.speaks_for
        )


_NEVER = (-1, -1, -1)


class Grants:
    """The programs one part knows, read from a file and again whenever that file changes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp = _NEVER
        self._known: dict[str, tuple[str, Principal]] = {}
        self._seen: dict[str, Principal] = {}
        """What was shown and found good since the file was read."""
        self._fault = ""
        """Why the file cannot be trusted, said once."""

    def authenticate(self, authorization: str | None) -> Principal:
        """The program whose token this is.

        Raises:
            Unauthenticated: There is no token, or none that is known here.
            Unavailable: Who is known here cannot be read.
        """
        if not authorization or not authorization.startswith("Bearer "):
            raise Unauthenticated(
                "Send `Authorization: Bearer <token>`; the token of a program is its own.",
                reason="credential_missing",
            )
        self._refresh()
        seen = self._seen.get(authorization)
        if seen is not None:
            return seen
        token = authorization[7:]
        _, _, rest = token.partition(".")
        stored, principal = self._known.get(rest.partition(".")[0], ("", None))
        if not hmac.compare_digest(stored, _digest(token)) or principal is None:
            raise Unauthenticated(
                "This token is not known here; it may have been rotated.",
                reason="credential_unknown",
            )
        self._seen[authorization] = principal
        return principal

    def verify_assertion(self, word: str, now: datetime) -> tuple[Assertion, Principal]:
        """The assertion and the channel that made it.

        Raises:
            PermissionDenied: No channel known here made it, or it is altered or too old.
        """
        self._refresh()
        _, channel = self._known.get(assertion.channel_of(word), ("", None))
        if channel is None or channel.assertion_key is None:
            raise PermissionDenied(
                "No channel known here made this assertion.", reason="assertion_foreign"
            )
        return assertion.verify(channel.assertion_key, word, now), channel

    def _refresh(self) -> None:
        """Read the file again if it changed; one that cannot be trusted lets nobody in."""
        try:
            status = os.stat(self._path)  # noqa: PTH116 - on every call, and a third of the cost
            stamp = (status.st_mtime_ns, status.st_ino, status.st_size)
            if stamp == self._stamp:
                return
            if status.st_mode & 0o077:
                raise ValueError(f"others can read it; run `chmod 600 {self._path}`")
            entries = msgspec.json.decode(self._path.read_bytes(), type=list[Grant])
            known = {entry.principal: _principal(entry) for entry in entries}
        except (OSError, ValueError) as error:
            self._stamp, self._known, self._seen = _NEVER, {}, {}
            if self._fault != str(error):  # whoever calls, known or not, meets it again
                self._fault = str(error)
                _log.error("grants_unreadable", file=str(self._path), error=self._fault)
            raise Unavailable(
                f"Nobody can be let in: {self._path}: {error}.", reason="grants_unreadable"
            ) from error
        self._stamp, self._known, self._seen, self._fault = stamp, known, {}, ""


def save_grants(path: Path, grants: list[Grant]) -> None:
    """Write the programs a part knows; it reads them again by itself."""
    write_private(path, msgspec.json.format(msgspec.json.encode(grants), indent=2) + b"\n")


def write_private(path: Path, data: bytes) -> None:
    """Replace a file with one only its owner may read, at once and durably."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # 0600
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _principal(entry: Grant) -> tuple[str, Principal]:
    key = entry.assertion_key
    principal = Principal(
        name=entry.principal,
        scopes=frozenset(entry.scopes),
        speaks_for=tuple(entry.speaks_for),
        assertion_key=None if key is None else _bytes(key),
    )
    return entry.token_sha256, principal


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")

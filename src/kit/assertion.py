"""Channel assertions: proof that a person spoke, minted by the program they spoke through.

A channel holds a key it shares with the part that checks (Hexis). Who forwards an assertion cannot
mint one. See `contract.md`, *Who may say yes*.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from datetime import datetime, timedelta

import msgspec

from kit.contract import Time
from kit.errors import PermissionDenied

_PREFIX = "asr1"
LIFETIME = timedelta(seconds=120)
"""How long after the utterance an assertion still counts."""
SKEW = timedelta(seconds=5)
"""How far a channel's clock may run ahead."""


class Assertion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a channel swears: this person said something, in this turn, at this time.

    An id that did not exist yet cannot be in an earlier word, so no clock has to be trusted to tell
    a yes from what was said before the question.
    """

    turn_id: str
    requester: str
    channel: str
    """The principal of the channel program."""
    issued_at: Time
    answers: str = ""
    """The question it says a plain yes to, by its id; empty for any other utterance."""


def mint(key: bytes, assertion: Assertion) -> str:
    """The assertion as one opaque word for a header."""
    payload = _encode(msgspec.json.encode(assertion))
    signed = f"{_PREFIX}.{assertion.channel}.{payload}"
    return f"{signed}.{_encode(_mac(key, signed))}"


def channel_of(word: str) -> str:
    """Which channel claims to have minted it.

    Raises:
        PermissionDenied: It is not an assertion at all.
    """
    pieces = word.split(".")
    if len(pieces) != 4 or pieces[0] != _PREFIX:
        raise _refused("assertion_invalid", "The channel assertion cannot be read.")
    return pieces[1]


def verify(key: bytes, word: str, now: datetime) -> Assertion:
    """The assertion, if this key made it and it is recent.

    Raises:
        PermissionDenied: It was altered, made with another key, or is too old or not yet valid.
    """
    channel = channel_of(word)
    signed, _, mac = word.rpartition(".")
    if not hmac.compare_digest(mac.encode(), _encode(_mac(key, signed)).encode()):
        raise _refused("assertion_invalid", "The channel assertion was not made by this channel.")
    try:
        assertion = msgspec.json.decode(_decode(signed.split(".")[2]), type=Assertion)
    except ValueError as error:
        raise _refused("assertion_invalid", "The channel assertion cannot be read.") from error
    if assertion.channel != channel:
        raise _refused("assertion_invalid", "The channel assertion was not made by this channel.")
    if not now - LIFETIME <= assertion.issued_at <= now + SKEW:
        raise _refused("assertion_expired", "The channel assertion is too old; say it again.")
    return assertion


def _refused(reason: str, message: str) -> PermissionDenied:
    return PermissionDenied(message, reason=reason)


def _mac(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), hashlib.sha256)


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _decode(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)

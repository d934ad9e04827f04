"""Whether a delivery is signed with a secret: HMAC-SHA256 over the bytes as they came."""

from __future__ import annotations

import hashlib
import hmac

from kit.errors import PermissionDenied
from praxis.dialects import Delivery

_HEADERS = {
    "github": ("x-hub-signature-256", "sha256="),
    "sentry": ("sentry-hook-signature", ""),
    "vikunja": ("x-vikunja-signature", ""),
}
SIGNED = frozenset(_HEADERS)
"""The dialects whose deliveries are signed."""


def check(dialect: str, delivery: Delivery, secret: str) -> None:
    """Let a delivery of a signed dialect pass only with the signature its secret makes.

    Raises:
        PermissionDenied: The signature is missing or another one.
        KeyError: Deliveries of this dialect are not signed.
    """
    header, prefix = _HEADERS[dialect]
    given = delivery.headers.get(header, "")
    if not given:
        raise PermissionDenied(
            f"The delivery is not signed: it lacks {header}.",
            reason="signature_missing",
            field=header,
        )
    if not secret or not hmac.compare_digest(
        given.strip().encode(), (prefix + signature(delivery.body, secret)).encode()
    ):
        raise PermissionDenied(
            "The delivery is signed with another secret, or was changed on its way.",
            reason="signature_wrong",
            field=header,
        )


def signature(body: bytes, secret: str) -> str:
    """The signature of a body, in hexadecimal digits."""
    return hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()

"""The canonical failures, one class per code, and the one body that carries them.

ServiceError
├── InvalidArgument      400  the request itself is wrong; `field` says where
├── Unauthenticated      401  no credential, or one that is not known here
├── PermissionDenied     403  a known caller that may not do this
├── NotFound             404  the named thing does not exist
├── Conflict             409  version, uniqueness or idempotency
├── FailedPrecondition   412  right in itself, not in the present state
├── ResourceExhausted    413 / 429  too large, too many, too fast
├── Internal             500  a defect of ours
├── OutcomeUnknown       502  sent, and no answer came
├── Unavailable          503  could not be reached or cannot serve now
└── DeadlineExceeded     504  the caller's time ran out
"""

from __future__ import annotations

from typing import ClassVar

import msgspec


class ErrorBody(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What every part answers when it does not answer with a reply."""

    error: str
    """What went wrong and the way out, for a person."""
    code: str
    """The canonical code."""
    reason: str | None = None
    """The stable fine name below the code."""
    field: str | None = None
    """Path of the offending field of the request."""
    correlation_id: str = ""
    """Ties this answer to the logs and traces of every part involved."""


class ServiceError(Exception):
    """The service could not do what was asked."""

    code: ClassVar[str] = "internal"
    status: ClassVar[int] = 500

    def __init__(
        self,
        message: str | None = None,
        *,
        reason: str | None = None,
        field: str | None = None,
        status: int | None = None,
    ) -> None:
        self.message = message or str(type(self).__doc__)
        self.reason = reason
        self.field = field
        self.http_status = status or self.status
        super().__init__(self.message)

    def body(self, correlation_id: str) -> ErrorBody:
        """The answer that tells the caller of this failure."""
        return ErrorBody(
            error=self.message,
            code=self.code,
            reason=self.reason,
            field=self.field,
            correlation_id=correlation_id,
        )


class InvalidArgument(ServiceError):
    """The request is not valid."""

    code = "invalid_argument"
    status = 400


class Unauthenticated(ServiceError):
    """A credential is needed and none that is known here was presented."""

    code = "unauthenticated"
    status = 401


class PermissionDenied(ServiceError):
    """This caller may not do this."""

    code = "permission_denied"
    status = 403


class NotFound(ServiceError):
    """There is no such thing here."""

    code = "not_found"
    status = 404


class Conflict(ServiceError):
    """This clashes with what is already stored."""

    code = "conflict"
    status = 409


class FailedPrecondition(ServiceError):
    """The present state does not allow this."""

    code = "failed_precondition"
    status = 412


class ResourceExhausted(ServiceError):
    """Too large, too many or too fast."""

    code = "resource_exhausted"
    status = 429


class Internal(ServiceError):
    """Something is wrong inside the service; its log has the details."""

    code = "internal"
    status = 500


class OutcomeUnknown(ServiceError):
    """The request was sent and no answer came, so whether it took effect is not known."""

    code = "outcome_unknown"
    status = 502


class Unavailable(ServiceError):
    """The service cannot be reached or cannot serve now."""

    code = "unavailable"
    status = 503


class DeadlineExceeded(ServiceError):
    """The time the caller allowed has run out."""

    code = "deadline_exceeded"
    status = 504


CANONICAL: dict[str, type[ServiceError]] = {
    kind.code: kind
    for kind in (
        InvalidArgument,
        Unauthenticated,
        PermissionDenied,
        NotFound,
        Conflict,
        FailedPrecondition,
        ResourceExhausted,
        Internal,
        OutcomeUnknown,
        Unavailable,
        DeadlineExceeded,
    )
}


def from_body(body: ErrorBody, status: int) -> ServiceError:
    """The failure that a received body tells of; an unknown code reads as `Internal`."""
    kind = CANONICAL.get(body.code, Internal)
    return kind(body.error, reason=body.reason, field=body.field, status=status)

"""Read a form a person sent: within bounds, from this very site, with this browser's own token."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from kit.body import read_body
from kit.errors import InvalidArgument, PermissionDenied
from praxis.web.session import Session

if TYPE_CHECKING:
    from starlette.requests import Request

_LARGEST = 32 << 10
_MOST_FIELDS = 24
_KIND = "application/x-www-form-urlencoded"


async def form_of(request: Request, session: Session) -> dict[str, str]:
    """The fields of a form.

    Raises:
        PermissionDenied: It was not sent from a page of this site in this browser.
        InvalidArgument: It is no form, or says something twice.
        ResourceExhausted: It is too large.
    """
    check_origin(request)
    declared = request.headers.get("content-length", "")
    if declared and not (declared.isascii() and declared.isdigit()):
        raise InvalidArgument("The length is not a number.", field="content-length")
    body = await read_body(declared.encode() or None, request.receive, _LARGEST)
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _KIND:
        raise InvalidArgument(f"A form is sent as {_KIND}.", field="content-type")
    try:
        pairs = parse_qsl(
            body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS, errors="strict"
        )
    except ValueError as error:
        raise InvalidArgument("The form cannot be read.", reason="invalid_form") from error
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise InvalidArgument("A field of the form appears twice.", reason="invalid_form")
    if not hmac.compare_digest(fields.get("csrf", "").encode(), session.csrf.encode()):
        raise PermissionDenied(
            "The form is not of this browser's session; load the page again.", reason="csrf"
        )
    return fields


def check_origin(request: Request) -> None:
    """Refuse what another site sent.

    Without a referrer policy that tells, browsers say `null` of a form; then they say themselves
    whether it came from this site.

    Raises:
        PermissionDenied: It did not come from a page of this site.
    """
    origin = request.headers.get("origin")
    site = request.headers.get("sec-fetch-site")
    own = f"http://{request.headers['host']}"
    if origin == own and site in {None, "same-origin"}:
        return
    if origin == "null" and site == "same-origin":
        return
    raise PermissionDenied("This was not sent from a page of this site.", reason="origin")


def local_path(path: str) -> str:
    """Where to go back to: a path of this site, whatever was sent."""
    is_local = path.startswith("/") and not path.startswith(("//", "/\\"))
    return path if is_local and path.isascii() and path.isprintable() and len(path) < 600 else "/"

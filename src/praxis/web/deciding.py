"""The forms: a person decides about an item as they saw it, and nothing is lost if it moved on."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any, get_args
from urllib.parse import urlencode, urlsplit

import msgspec
from starlette.responses import RedirectResponse, Response

from kit.clock import Clock
from kit.errors import (
    Conflict,
    DeadlineExceeded,
    FailedPrecondition,
    InvalidArgument,
    NotFound,
    OutcomeUnknown,
    ServiceError,
    Unavailable,
)
from praxis.client import PraxisClient
from praxis.contract import GetItem, Ignore, IgnoreEnd, Item, ReplayRejected, Transition
from praxis.web.form import form_of, local_path
from praxis.web.reading import Reading
from praxis.web.session import Session
from praxis.web.texts.table import Verb
from praxis.web.timeline import steps_of

if TYPE_CHECKING:
    from starlette.requests import Request

_SPANS = {
    "1h": timedelta(hours=1),
    "4h": timedelta(hours=4),
    "1d": timedelta(days=1),
    "7d": timedelta(days=7),
    "30d": timedelta(days=30),
}
_COMPARED = ("severity", "operational", "attention")


class Deciding:
    """Takes decisions to Praxis."""

    def __init__(self, praxis: PraxisClient, reading: Reading, clock: Clock) -> None:
        self._praxis = praxis
        self._reading = reading
        self._clock = clock

    async def decide(self, request: Request) -> Response:
        """Carry out what a form asks, and go back to where it was sent from."""
        session: Session = request.scope["praxis.session"]
        form = await form_of(request, session)
        item_id: str = request.path_params["item_id"]
        verb: Verb = request.path_params["verb"]
        if verb not in get_args(Verb):
            raise NotFound("There is no such decision.")
        try:
            await self._send(verb, item_id, form, session)
        except (Unavailable, DeadlineExceeded):
            typed = {name: value for name, value in form.items() if name != "csrf"}
            return await self._reading.unknown(request, typed)
        except (Conflict, FailedPrecondition, InvalidArgument, OutcomeUnknown) as error:
            return await self._refused(request, verb, item_id, form, error)
        return RedirectResponse(_back(form.get("back", "/"), verb, item_id), 303)

    async def replay(self, request: Request) -> Response:
        """Have a rejected delivery read once more."""
        await form_of(request, request.scope["praxis.session"])
        asked = ReplayRejected(request.path_params["rejected_id"])
        try:
            await self._praxis.replay_rejected(asked)
            said = "taken"
        except FailedPrecondition:
            said = "unfit"
        return RedirectResponse(f"/rejected?replayed={said}", 303)

    async def _send(
        self, verb: Verb, item_id: str, form: Mapping[str, str], session: Session
    ) -> None:
        version = form.get("if_version", "")
        if not (version.isascii() and version.isdigit() and 0 < int(version[:18]) < 1 << 53):
            raise InvalidArgument("The form does not say which version was seen.")
        note = form.get("note", "").replace("\r\n", "\n").strip()
        key = _key(session, verb, item_id, form)
        if verb == "ignore":
            until = self._until(form)
            await self._praxis.ignore(
                Ignore(item_id, _ends(form), until, int(version), note), key=key
            )
            return
        operation = getattr(self._praxis, verb)
        await operation(Transition(item_id, int(version), note), key=key)

    def _until(self, form: Mapping[str, str]) -> datetime | None:
        """When an ignoring ends in any case: an exact local time, or a span from now."""
        at = form.get("until_at", "").strip()
        if at:
            try:
                return datetime.fromisoformat(at[:40]).astimezone()
            except (ValueError, OverflowError, OSError) as error:
                raise InvalidArgument(f"{at[:40]!r} is not a time.", field="until") from error
        span = form.get("span", "")
        if span and span not in _SPANS:
            raise InvalidArgument(f"{span[:40]!r} is not a span.", field="span")
        return self._clock.now() + _SPANS[span] if span else None

    async def _refused(
        self,
        request: Request,
        verb: Verb,
        item_id: str,
        form: Mapping[str, str],
        error: ServiceError,
    ) -> Response:
        """The item as it is now, what is to be said, and the form as it was filled."""
        seen = await self._reading.cursor()
        try:
            item = await self._praxis.get_item(GetItem(item_id))
        except InvalidArgument as unknown:
            raise NotFound(unknown.message) from unknown
        notice: dict[str, Any] = {"verb": verb, "message": error.message, "kind": "refused"}
        if isinstance(error, OutcomeUnknown):
            notice["kind"] = "not_known"
        elif isinstance(error, Conflict) and error.reason == "version_changed":
            notice["kind"] = "conflict"
            notice |= await self._differences(item, form)
        return await self._reading.item_page(
            request, item, seen, status=error.http_status, typed=form, notice=notice
        )

    async def _differences(self, item: Item, form: Mapping[str, str]) -> dict[str, Any]:
        """What a person could not know when they decided."""
        pairs = msgspec.to_builtins(item)
        differing = [
            (name, form[f"was_{name}"], pairs[name])
            for name in _COMPARED
            if form.get(f"was_{name}", pairs[name]) != pairs[name]
        ]
        after = form.get("seen", "")
        steps = []
        if after.isascii() and after.isdigit():
            try:
                steps, _ = await steps_of(self._praxis, item, after=int(after[:18]))
            except FailedPrecondition:
                steps = []  # the feed does not reach back so far
        return {"differing": differing, "steps": steps}


def _ends(form: Mapping[str, str]) -> IgnoreEnd:
    for end in get_args(IgnoreEnd):
        if form.get("ends", "worse") == end:
            return end
    raise InvalidArgument("What ends the ignoring is not known.", field="ends")


def _key(session: Session, verb: str, item_id: str, form: Mapping[str, str]) -> str:
    """The same form sent twice, as by two clicks, is one decision."""
    fields = ("nonce", "if_version", "note", "ends", "span", "until_at")
    parts = [session.cookie, verb, item_id, *(form.get(name, "") for name in fields)]
    return sha256(msgspec.json.encode(parts)).hexdigest()[:32]


def _back(path: str, verb: str, item_id: str) -> str:
    split = urlsplit(local_path(path))
    said = urlencode({"done": verb, "item": item_id})
    query = f"{split.query}&{said}" if split.query else said
    return f"{split.path or '/'}?{query}"

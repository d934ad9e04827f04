"""Which dialect a delivery speaks, told by its headers, its path and the keys of its body."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import cast

from praxis.dialects import Delivery, Unfit
from praxis.dialects.decoding import value_of

_BY_HEADER = {
    "x-github-event": "github",
    "sentry-hook-resource": "sentry",
    "x-vikunja-signature": "vikunja",
    "ce-id": "cloudevents",
    "ce-specversion": "cloudevents",
}
_PING = re.compile(
    r"/?(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[A-Za-z0-9_-]{20,64}/[a-z0-9_-]{1,100})"
    r"(?:/(?:start|fail|log|[0-9]{1,3}))?/?",
    re.IGNORECASE,
)
_NTFY_HEADERS = frozenset({"title", "x-title", "priority", "x-priority", "tags", "x-tags"})
_STATES = frozenset({"problem", "ok", "waiting", "progress", "info"})
_JOURNAL = frozenset({"__CURSOR", "__REALTIME_TIMESTAMP", "MESSAGE_ID"})
_AGENTS = {"claude-code": "claude"}
"""Formats whose first word is not the name of their dialect."""

_Body = dict[str, object]
_BY_BODY: tuple[tuple[str, Callable[[_Body], bool]], ...] = (
    ("cloudevents", lambda body: "specversion" in body),
    ("claude", lambda body: "hook_event_name" in body),
    ("codex", lambda body: body.get("type") == "agent-turn-complete"),
    ("grafana", lambda body: "orgId" in body and bool({"alerts", "ruleId"} & body.keys())),
    ("alertmanager", lambda body: "alerts" in body and bool({"groupKey", "version"} & body.keys())),
    ("uptime_kuma", lambda body: "heartbeat" in body and bool({"monitor", "msg"} & body.keys())),
    ("vikunja", lambda body: {"event_name", "data"} <= body.keys()),
    ("journald", lambda body: bool(_JOURNAL & body.keys())),
    ("ntfy", lambda body: "topic" in body and bool({"event", "message"} & body.keys())),
    ("sentry", lambda body: isinstance(body.get("event"), dict) and "project" in body),
    ("plain", lambda body: "summary" in body and body.get("state", "problem") in _STATES),
)


def recognise(delivery: Delivery) -> str | None:
    """The name of the dialect; None where nothing tells."""
    named = next((_BY_HEADER[each] for each in delivery.headers if each in _BY_HEADER), None)
    if named:
        return named
    if "cloudevents" in delivery.headers.get("content-type", "").lower():
        return "cloudevents"
    body = _body(delivery.body)
    if body is not None:
        return next((name for name, is_it in _BY_BODY if is_it(body)), None)
    if _PING.fullmatch(delivery.path):
        return "healthchecks"
    if _NTFY_HEADERS & delivery.headers.keys() and delivery.body:
        return "ntfy"
    return None


def of_format(name: str) -> str | None:
    """The dialect of a format by its name, such as `alertmanager.webhook.v4`; None for none."""
    first = re.split(r"[.\s]", name.strip().lower(), maxsplit=1)[0]
    return _AGENTS.get(first, first.replace("-", "_")) or None


def _body(body: bytes) -> _Body | None:
    """The object the body is, or the first of its lines or its list; None where it is no JSON."""
    for piece in (body, body.lstrip().split(b"\n", 1)[0]):
        try:
            value = value_of(piece)
        except Unfit:
            continue
        if isinstance(value, list):
            several = cast("list[object]", value)
            value = several[0] if several else None
        if isinstance(value, dict):
            return cast("_Body", value)
    return None

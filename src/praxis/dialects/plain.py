"""Praxis' own words: a text with optional headers, or JSON as `observe` takes it."""

from __future__ import annotations

from typing import Any

import msgspec

from praxis.contract import Kind, ObservedState, Severity
from praxis.dialects import Delivery, bounded
from praxis.dialects.decoding import converted, instant, one_or_several, required, text_of
from praxis.domain.told import Report, Told

_HEADERS = (
    "kind",
    "state",
    "summary",
    "event_id",
    "key",
    "observed_at",
    "severity",
    "subject",
    "group",
    "link",
)


class _Said(msgspec.Struct, frozen=True, kw_only=True):
    summary: str | None = None
    kind: Kind = "report"
    state: ObservedState = "problem"
    severity: Severity = "warning"
    key: str | None = None
    event_id: str | None = None
    observed_at: str | None = None
    subject: str | None = None
    group: str | None = None
    link: str | None = None
    details: dict[str, Any] | None = None


class Plain:
    """What a script, a cron job or a build says in its own words."""

    name = "plain"

    def read(self, delivery: Delivery) -> Told:
        """One report, or one of each object in a list.

        Raises:
            Unfit: A field is not what it must be, or nothing is said.
        """
        if not _is_json(delivery):
            return [_report(_of_text(delivery), "", delivery)]
        said = one_or_several(delivery.body, _Said)
        return [_report(each, prefix, delivery) for prefix, each in said]


def _report(said: _Said, prefix: str, delivery: Delivery) -> Report:
    summary = bounded.line(required(said.summary, f"{prefix}summary"))
    return Report(
        key=bounded.key(said.key or said.kind),
        kind=said.kind,
        state=said.state,
        summary=required(summary, f"{prefix}summary"),
        severity=said.severity,
        observed_at=instant(said.observed_at, f"{prefix}observed_at", delivery.zone),
        event_id=bounded.key(said.event_id) if said.event_id else None,
        subject=bounded.line(said.subject or "", 200),
        group=bounded.line(said.group or "", 200),
        link=bounded.link(said.link),
        details=bounded.details(said.details or {}),
    )


def _of_text(delivery: Delivery) -> _Said:
    """The body is the summary's first line, or all of it where a header has the summary."""
    text = text_of(delivery.body).strip()
    fields: dict[str, object] = {}
    for name in _HEADERS:
        header = name.replace("_", "-")
        found = delivery.headers.get(f"x-{header}") or delivery.headers.get(header)
        value = found or delivery.query.get(name)
        if value:
            fields[name] = value
    first, _, _ = text.partition("\n")
    fields.setdefault("summary", first)
    if text != fields["summary"]:
        fields["details"] = {"text": text}
    return converted(fields, _Said)


def _is_json(delivery: Delivery) -> bool:
    media = delivery.headers.get("content-type", "")
    return "json" in media or (not media and delivery.body.lstrip()[:1] in {b"{", b"["})

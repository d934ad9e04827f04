"""CloudEvents 1.0 over HTTP: structured, in batches, or in the headers of a binary message."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast
from urllib.parse import unquote

import msgspec

from praxis.contract import ObservedState, Severity
from praxis.dialects import Delivery, Unfit, bounded
from praxis.dialects.decoding import converted, instant, one_or_several, required, text_of, value_of
from praxis.domain.told import Beat, Report, Told

_WORDS: tuple[tuple[ObservedState, str], ...] = (
    ("ok", "resolved recovered restored cleared fixed closed"),
    (
        "problem",
        "fail failed failing failure error errored problem alert alerting firing "
        "critical down unhealthy degraded crashed crash timeout timedout outage "
        "exceeded rejected denied expired overdue missed lost broken incident",
    ),
    ("waiting", "waiting pending blocked approval review question prompt"),
    (
        "ok",
        "ok success succeeded successful healthy completed complete done finished passed normal",
    ),
    ("progress", "started starting running progress queued scheduled resumed retrying"),
)
"""Words of a type and the state they mean, the first that is found: an alert may be resolved."""
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_MESSAGES = ("message", "summary", "title", "description", "text", "msg")
_SEVERITIES = ("severity", "level", "priority")
_JSON = re.compile(r"[/+]json\b")


class _Event(msgspec.Struct, frozen=True, kw_only=True):
    specversion: str | None = None
    id: str | None = None
    source: str | None = None
    type: str | None = None
    subject: str | None = None
    time: str | None = None


_ATTRIBUTES = frozenset({*_Event.__struct_fields__, "datacontenttype", "dataschema"})
_DATA = frozenset({"data", "data_base64"})


class CloudEvents:
    """An event by its source and id, in whichever mode it came."""

    name = "cloudevents"

    def read(self, delivery: Delivery) -> Told:
        """One report an event.

        Raises:
            Unfit: It is no CloudEvent.
        """
        media = delivery.headers.get("content-type", "").lower()
        if "ce-id" in delivery.headers or "ce-specversion" in delivery.headers:
            return [_report(_of_headers(delivery, media), "", delivery)]
        bodies = one_or_several(delivery.body, dict[str, object])
        return [_report(body, prefix, delivery) for prefix, body in bodies] or [Beat()]


def _of_headers(delivery: Delivery, media: str) -> Mapping[str, object]:
    """A binary message as its structured twin."""
    event: dict[str, object] = {
        name.removeprefix("ce-"): unquote(text)
        for name, text in delivery.headers.items()
        if name.startswith("ce-")
    }
    if delivery.body:
        is_json = _JSON.search(media) is not None
        event["data"] = value_of(delivery.body) if is_json else text_of(delivery.body)
    return event


def _report(body: Mapping[str, object], prefix: str, delivery: Delivery) -> Report:
    event = converted(body, _Event, prefix)
    if not required(event.specversion, f"{prefix}specversion")[:2].rstrip(".").isdigit():
        raise Unfit("It is no version.", f"{prefix}specversion")
    source, kind = required(event.source, f"{prefix}source"), required(event.type, f"{prefix}type")
    identity = bounded.key(source, required(event.id, f"{prefix}id"))
    data = body.get("data")
    told = _object(data)
    extensions = {
        name: value for name, value in body.items() if name not in _ATTRIBUTES and name not in _DATA
    }
    state = _state(kind)
    about = f"{kind} from {source}" + (f": {event.subject}" if event.subject else "")
    return Report(
        key=identity,
        kind=bounded.kind(kind, "event"),
        state=state or "problem",
        severity=_severity((extensions, told), "warning" if state else "info"),
        summary=bounded.summary(_text(told, _MESSAGES), about),
        observed_at=instant(event.time, f"{prefix}time", delivery.zone),
        event_id=identity,
        subject=bounded.line(event.subject or source, 200),
        group=bounded.line(source, 200),
        details=bounded.details({"type": kind, "data": data} | extensions),
    )


def _object(data: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", data) if isinstance(data, dict) else {}


def _state(kind: str) -> ObservedState | None:
    """The state that the words of a type mean; None where they mean none."""
    words = {word.lower() for word in _WORD.findall(kind[:500])}
    return next((state for state, known in _WORDS if words.intersection(known.split())), None)


def _severity(places: tuple[Mapping[str, object], ...], default: Severity) -> Severity:
    word = next((found for each in places if (found := _text(each, _SEVERITIES))), None)
    return bounded.severity(word, default)


def _text(values: Mapping[str, object], names: tuple[str, ...]) -> str | None:
    found = (values.get(name) for name in names)
    return next((each for each in found if isinstance(each, str) and each.strip()), None)

"""Messages as ntfy sends and takes them: JSON lines of a topic, or a plain post with headers."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from praxis.contract import ObservedState, Severity
from praxis.dialects import Delivery, bounded
from praxis.dialects.decoding import decoded, required, since_epoch, text_of
from praxis.domain.told import Beat, Report, Told

_SEVERITIES: dict[str, Severity] = {
    "1": "info",
    "min": "info",
    "2": "info",
    "low": "info",
    "3": "warning",
    "default": "warning",
    "4": "error",
    "high": "error",
    "5": "critical",
    "max": "critical",
    "urgent": "critical",
}
_WELL = (
    "white_check_mark heavy_check_mark ballot_box_with_check tada partying_face +1 "
    "thumbsup green_circle green_heart ok ok_hand success resolved recovered"
)
"""Tags that say all is well; on a phone they are shown as such."""


class _Message(msgspec.Struct, frozen=True, kw_only=True):
    event: str = "message"
    id: str | None = None
    sequence: str | None = msgspec.field(default=None, name="sequence_id")
    """The same for each word on the same thing."""
    time: int | float | None = None
    topic: str | None = None
    title: str | None = None
    message: str | None = None
    priority: int | str | None = None
    tags: list[str] | None = None
    click: str | None = None


class Ntfy:
    """A message by its id, or else by its topic and its title."""

    name = "ntfy"

    def read(self, delivery: Delivery) -> Told:
        """A report of each message; a beat of what only keeps the line open.

        Raises:
            Unfit: It is no message.
        """
        if not _is_json(delivery):
            return _told(_posted(delivery), "")
        lines = delivery.body.split(b"\n") if b'"event"' in delivery.body else [delivery.body]
        told: Told = []
        for each in lines if all(map(_is_object, lines)) else [delivery.body]:
            if each.strip():
                told += _told(decoded(each, _Message), delivery.path.strip("/"))
        return told or [Beat()]


def _told(message: _Message, topic: str) -> Told:
    if message.event != "message":
        return [Beat()]
    topic = required(message.topic or topic, "topic")
    text = required(message.message or message.title, "message")
    tags = message.tags or []
    severity = _severity(message.priority)
    identity = message.sequence or message.id
    unnamed = (topic, bounded.hashed(message.title)) if message.title else (topic,)
    is_titled = bool(message.title) and message.title != text
    return [
        Report(
            key=bounded.key(identity) if identity else bounded.key(*unnamed),
            kind="message",
            state=_state(tags, message.priority),
            severity=severity,
            summary=bounded.summary(f"{message.title}: {text}" if is_titled else text),
            observed_at=since_epoch(message.time, "time"),
            event_id=bounded.key(message.id) if message.id else None,
            subject=bounded.line(topic, 200),
            group=bounded.line(topic, 200),
            link=bounded.link(message.click),
            details=bounded.details({"topic": topic, "tags": ", ".join(tags), "text": text}),
        )
    ]


def _state(tags: list[str], priority: int | str | None) -> ObservedState:
    if {each.strip().lower() for each in tags}.intersection(_WELL.split()):
        return "ok"
    return "info" if _severity(priority) == "info" else "problem"


def _severity(priority: int | str | None) -> Severity:
    return _SEVERITIES.get(str(priority or "default").strip().lower(), "warning")


def _posted(delivery: Delivery) -> _Message:
    """A post whose body is the message and whose headers, or query, say the rest."""
    said = {name.lower().removeprefix("x-"): text for name, text in delivery.query.items()}
    said |= {name.removeprefix("x-"): text for name, text in delivery.headers.items()}
    tags = _first(said, "tags", "tag", "ta")
    return _Message(
        sequence=_first(said, "sequence-id", "sid"),
        topic=delivery.path.strip("/").removesuffix("/publish") or _first(said, "topic"),
        title=_first(said, "title", "t"),
        message=text_of(delivery.body).strip() or _first(said, "message", "m"),
        priority=_first(said, "priority", "prio", "p"),
        tags=[each.strip() for each in tags.split(",")] if tags else None,
        click=_first(said, "click"),
    )


def _first(said: Mapping[str, str], *names: str) -> str | None:
    return next((said[name] for name in names if said.get(name)), None)


def _is_json(delivery: Delivery) -> bool:
    """Whether it is JSON: named so, or sent where no topic is in the path, as ntfy takes it."""
    kind = delivery.headers.get("content-type", "")
    is_named = "json" in kind or not delivery.path.strip("/")
    return is_named and delivery.body.lstrip()[:1] == b"{"


def _is_object(text: bytes) -> bool:
    return not text.strip() or (text.strip()[:1] == b"{" and text.strip()[-1:] == b"}")

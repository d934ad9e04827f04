"""The webhook of Uptime Kuma: a monitor that is down, up, unsure or under maintenance."""

from __future__ import annotations

import re
from datetime import UTC
from urllib.parse import urlsplit

import msgspec

from praxis.contract import ObservedState, Severity
from praxis.dialects import Delivery, bounded
from praxis.dialects.decoding import Name, decoded, instant, required
from praxis.domain.told import Beat, Report, Told

_STATES: dict[int, tuple[ObservedState, Severity, str]] = {
    0: ("problem", "error", "down"),
    1: ("ok", "info", "up"),
    2: ("info", "info", "pending"),
    3: ("info", "info", "maintenance"),
}
_EXPIRES = re.compile(r"^(.*?\b(?:certificate|domain)\b.*?)\bwill (?:be )?expired? in\b", re.DOTALL)


class _Heartbeat(msgspec.Struct, frozen=True, kw_only=True):
    monitor: Name = msgspec.field(default=None, name="monitorID")
    status: int | None = None
    time: str | None = None
    """Naive, and then in UTC."""
    message: str | None = msgspec.field(default=None, name="msg")
    ping: float | None = None
    duration: float | None = None
    retries: int | None = None


class _Monitor(msgspec.Struct, frozen=True, kw_only=True):
    """What may be kept of a monitor: it is sent with its passwords, headers and tokens."""

    id: Name = None
    name: str | None = None
    type: str | None = None
    url: str | None = None
    hostname: str | None = None
    port: Name = None


class _Notification(msgspec.Struct, frozen=True, kw_only=True):
    heartbeat: _Heartbeat | None = None
    monitor: _Monitor | None = None
    message: str | None = msgspec.field(default=None, name="msg")


class UptimeKuma:
    """A monitor by its number."""

    name = "uptime_kuma"

    def read(self, delivery: Delivery) -> Told:
        """A report of the monitor; a beat where the notification is a test.

        Raises:
            Unfit: It is no notification of Uptime Kuma.
        """
        notification = decoded(delivery.body, _Notification)
        if notification.heartbeat is None:
            return _without_heartbeat(required(notification.message, "msg"))
        return [_report(notification.heartbeat, notification.monitor or _Monitor())]


def _report(beat: _Heartbeat, monitor: _Monitor) -> Report:
    number = required(monitor.id if beat.monitor is None else beat.monitor, "heartbeat.monitorID")
    status = required(beat.status, "heartbeat.status")
    state, severity, word = _STATES.get(status, ("info", "info", f"status {status}"))
    name = monitor.name or f"monitor {number}"
    return Report(
        key=bounded.key(number),
        kind="uptime",
        state=state,
        severity=severity,
        summary=bounded.line(f"{name} is {word}: {beat.message or 'no message'}"),
        observed_at=instant(beat.time, "heartbeat.time", UTC),
        event_id=bounded.key(number, status, beat.time) if beat.time else None,
        subject=bounded.line(_target(monitor) or name, 200),
        group=bounded.line(monitor.hostname or "", 200),
        details=bounded.details(
            {
                "monitor": name,
                "type": monitor.type,
                "status": word,
                "ping_ms": beat.ping,
                "duration_s": beat.duration,
                "retries": beat.retries,
            }
        ),
    )


def _target(monitor: _Monitor) -> str:
    """The host that is watched; an address may hold a password or a token, its host does not."""
    if monitor.hostname:
        return f"{monitor.hostname}:{monitor.port}" if monitor.port else monitor.hostname
    try:
        return urlsplit(monitor.url or "").hostname or ""
    except ValueError:
        return ""


def _without_heartbeat(message: str) -> Told:
    """A test tells nothing; that something expires is told in words alone."""
    expires = _EXPIRES.match(message[:1000])
    if expires is None:
        return [Beat()]
    return [
        Report(
            key=bounded.key("expiry", bounded.hashed(expires[1])),
            kind="expiry",
            state="problem",
            summary=bounded.summary(message),
        )
    ]

"""The webhooks of Sentry: its integration platform, and its older plugin; of people they keep none.

Events carry the user, the request and its cookies: nothing of these is read.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

import msgspec

from praxis.contract import ObservedState
from praxis.dialects import Delivery, bounded
from praxis.dialects.decoding import Name, decoded, instant, required, since_epoch
from praxis.domain.told import Beat, Report, Told

_STATES: dict[str, ObservedState] = {
    "created": "problem",
    "unresolved": "problem",
    "triggered": "problem",
    "resolved": "ok",
    "critical": "problem",
    "warning": "problem",
}
"""What an action says; the others change nothing about what is wrong."""
_ISSUE_IN_ADDRESS = re.compile(r"/(?:issues|groups)/([0-9]+)")
_EMAIL = re.compile(r"[^\s@<>\"'=,;:()]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")


class _Project(msgspec.Struct, frozen=True, kw_only=True):
    slug: str | None = None


class _Issue(msgspec.Struct, frozen=True, kw_only=True):
    id: Name = None
    short_id: str | None = msgspec.field(default=None, name="shortId")
    title: str | None = None
    culprit: str | None = None
    level: str | None = None
    status: str | None = None
    substatus: str | None = None
    count: Name = None
    last_seen: str | None = msgspec.field(default=None, name="lastSeen")
    permalink: str | None = None
    web: str | None = msgspec.field(default=None, name="web_url")
    project: _Project | None = None


class _Event(msgspec.Struct, frozen=True, kw_only=True):
    event_id: str | None = None
    issue_id: Name = None
    issue_url: str | None = None
    web: str | None = msgspec.field(default=None, name="web_url")
    title: str | None = None
    message: str | None = None
    culprit: str | None = None
    level: str | None = None
    datetime: str | None = None
    timestamp: float | str | None = None
    environment: str | None = None
    release: str | None = None
    platform: str | None = None


class _Rule(msgspec.Struct, frozen=True, kw_only=True):
    id: Name = None
    name: str | None = None


class _MetricAlert(msgspec.Struct, frozen=True, kw_only=True):
    id: Name = None
    title: str | None = None
    rule: _Rule | None = msgspec.field(default=None, name="alert_rule")
    detected: str | None = msgspec.field(default=None, name="date_detected")
    closed: str | None = msgspec.field(default=None, name="date_closed")


class _Data(msgspec.Struct, frozen=True, kw_only=True):
    issue: _Issue | None = None
    event: _Event | None = None
    error: _Event | None = None
    metric_alert: _MetricAlert | None = None
    title: str | None = msgspec.field(default=None, name="description_title")
    text: str | None = msgspec.field(default=None, name="description_text")
    web: str | None = msgspec.field(default=None, name="web_url")
    rule: str | None = msgspec.field(default=None, name="triggered_rule")


class _Hook(msgspec.Struct, frozen=True, kw_only=True):
    """A delivery of the platform, by its resource, or of the plugin, whose event is its own."""

    action: str | None = None
    data: _Data | None = None
    event: _Event | None = None
    id: Name = None
    project: str | None = None
    level: str | None = None
    culprit: str | None = None
    message: str | None = None
    url: str | None = None


class Sentry:
    """An issue by its number, a metric alert by its rule."""

    name = "sentry"

    def read(self, delivery: Delivery) -> Told:
        """A report of the issue or the alert; a beat where the hook is of something else.

        Raises:
            Unfit: It is no hook of Sentry.
        """
        resource = delivery.headers.get("sentry-hook-resource", "")
        hook = decoded(delivery.body, _Hook)
        sent_at = since_epoch(
            delivery.headers.get("sentry-hook-timestamp"), "Sentry-Hook-Timestamp"
        )
        if hook.event is not None and not resource:
            return [_of_plugin(hook, hook.event)]
        data = hook.data or _Data()
        event = data.event or data.error
        if data.metric_alert is not None:
            return [_of_metric(required(hook.action, "action"), data, data.metric_alert, sent_at)]
        if event is not None:
            field = "data.event" if data.event else "data.error"
            return [_of_event(event, field, {"rule": data.rule})]
        if data.issue is not None:
            return [_of_issue(required(hook.action, "action"), data.issue, sent_at)]
        _refuse_hollow(resource, hook)
        return [Beat()]


def _of_issue(action: str, issue: _Issue, sent_at: datetime | None) -> Report:
    number = required(issue.id, "data.issue.id")
    state = _STATES.get(action, "info")
    if action == "triggered" and issue.status in {"resolved", "ignored"}:
        state = "ok" if issue.status == "resolved" else "info"
    last_seen = instant(issue.last_seen, "data.issue.lastSeen", UTC)
    happened = sent_at or issue.last_seen or ""
    project = issue.project.slug if issue.project else None
    return Report(
        key=bounded.key(number),
        kind="issue",
        state=state,
        severity=bounded.severity(issue.level, "error"),
        summary=bounded.summary(_private(issue.title), issue.short_id, f"issue {number}"),
        observed_at=sent_at or (last_seen if action == "created" else None),
        event_id=bounded.key(number, action, issue.count or "", happened),
        subject=bounded.line(project or "", 200),
        group=bounded.line(project or "", 200),
        link=bounded.link(issue.permalink or issue.web),
        details=bounded.details(
            {
                "issue": issue.short_id,
                "action": action,
                "status": issue.substatus or issue.status,
                "culprit": _private(issue.culprit),
                "events": issue.count,
                "project": project,
            }
        ),
    )


def _of_event(
    event: _Event, field: str, more: dict[str, str | None], hook: _Hook | None = None
) -> Report:
    """An event of an issue: seen, so the issue goes on."""
    hook = hook or _Hook()
    found = _ISSUE_IN_ADDRESS.search(event.issue_url or event.web or hook.url or "")
    number = event.issue_id or hook.id or (found[1] if found else None)
    number = required(number, "id" if field == "event" else f"{field}.issue_id")
    at = instant(event.datetime, f"{field}.datetime", UTC) or _stamped(event, field)
    names = [_private(each) for each in (event.title, event.message, hook.message)]
    return Report(
        key=bounded.key(number),
        kind="issue",
        state="problem",
        severity=bounded.severity(event.level or hook.level, "error"),
        summary=bounded.summary(*names, f"issue {number}"),
        observed_at=at,
        event_id=bounded.key(number, event.event_id) if event.event_id else None,
        subject=bounded.line(hook.project or "", 200),
        group=bounded.line(hook.project or "", 200),
        link=bounded.link(event.web or hook.url),
        details=bounded.details(
            {
                "culprit": _private(event.culprit or hook.culprit),
                "environment": event.environment,
                "release": event.release,
                "platform": event.platform,
                "project": hook.project,
            }
            | more
        ),
    )


def _of_plugin(hook: _Hook, event: _Event) -> Report:
    return _of_event(event, "event", {}, hook)


def _of_metric(action: str, data: _Data, alert: _MetricAlert, sent_at: datetime | None) -> Report:
    rule = alert.rule or _Rule()
    number = required(rule.id or alert.id, "data.metric_alert.id")
    is_over = action == "resolved"
    stamp = alert.closed if is_over else alert.detected
    field = "date_closed" if is_over else "date_detected"
    at = sent_at or instant(stamp, f"data.metric_alert.{field}", UTC)
    return Report(
        key=bounded.key("metric", number),
        kind="metric",
        state=_STATES.get(action, "info"),
        severity="critical" if action == "critical" else "warning",
        summary=bounded.summary(_private(data.title), alert.title, rule.name, f"metric {number}"),
        observed_at=at,
        event_id=bounded.key("metric", number, alert.id or "", action, at or ""),
        group=bounded.line(rule.name or "", 200),
        link=bounded.link(data.web),
        details=bounded.details({"rule": rule.name, "text": _private(data.text)}),
    )


def _stamped(event: _Event, field: str) -> datetime | None:
    stamp = event.timestamp
    if isinstance(stamp, str) and "-" in stamp[1:]:
        return instant(stamp, f"{field}.timestamp", UTC)
    return since_epoch(stamp, f"{field}.timestamp")


def _refuse_hollow(resource: str, hook: _Hook) -> None:
    """A known resource must bring what it is about; others come and go."""
    if resource in {"issue", "error", "event_alert", "metric_alert"}:
        name = {"event_alert": "event"}.get(resource, resource)
        required(None, f"data.{name}")
    if not resource:
        required(hook.action, "Sentry-Hook-Resource")


def _private(text: str | None) -> str:
    """The text without addresses of people."""
    return _EMAIL.sub("•••", (text or "")[:4000])

"""An alert as Alertmanager and Grafana both tell of it, and the report it comes to."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime, tzinfo

import msgspec

from praxis.contract import ObservedState
from praxis.dialects import bounded
from praxis.dialects.decoding import instant, required
from praxis.domain.told import Beat, Report, Told

_SUBJECTS = ("instance", "host", "hostname", "node", "server", "pod", "container", "service", "job")
"""The labels that say what an alert is about, the most telling first."""
_SUMMARIES = ("summary", "title", "message", "description")
_STATES: dict[str, ObservedState] = {"firing": "problem", "resolved": "ok"}
_ALWAYS_FIRING = re.compile(r"watch.?dog|dead.?man", re.IGNORECASE)
_NOT_SEEN_WELL = frozenset({"MissingSeries", "NoData", "Error", "Paused", "Updated", "RuleDeleted"})
"""Why Grafana calls an alert resolved that nobody saw well."""
_MOST_MISSING = 1_000_000
_KINDS = {"DatasourceNoData": "alert.no_data", "DatasourceError": "alert.error"}


class Alert(msgspec.Struct, frozen=True, kw_only=True):
    """One of the alerts in a delivery."""

    status: str | None = None
    """Its own; that of the whole delivery is another thing."""
    labels: dict[str, str] | None = None
    annotations: dict[str, str] | None = None
    starts_at: str | None = msgspec.field(default=None, name="startsAt")
    ends_at: str | None = msgspec.field(default=None, name="endsAt")
    generator: str | None = msgspec.field(default=None, name="generatorURL")
    dashboard: str | None = msgspec.field(default=None, name="dashboardURL")
    panel: str | None = msgspec.field(default=None, name="panelURL")
    values: str | None = msgspec.field(default=None, name="valueString")
    fingerprint: str | None = None


class Alerts(msgspec.Struct, frozen=True, kw_only=True):
    """A delivery of alerts; what it says of the group is for routing, not for judging."""

    alerts: list[Alert] | None = None
    group: str | None = msgspec.field(default=None, name="groupKey")
    truncated: int | None = msgspec.field(default=None, name="truncatedAlerts")
    """How many alerts of the group are not in the body."""
    organisation: int | str | None = msgspec.field(default=None, name="orgId")
    address: str | None = msgspec.field(default=None, name="externalURL")


@dataclass(frozen=True, slots=True)
class _Dated:
    state: ObservedState
    starts_at: datetime | None
    at: datetime | None


def told_by(delivered: Alerts, zone: tzinfo, scope: tuple[object, ...] = ()) -> Told:
    """What the alerts tell, and whether all of them came.

    Args:
        delivered: the delivery.
        zone: the zone of times that name none.
        scope: what stands before each key.

    Raises:
        Unfit: An alert does not say what it is about, or how it is.
    """
    told: Told = []
    newest: datetime | None = None
    for index, alert in enumerate(required(delivered.alerts, "alerts")):
        dated = _dated(alert, f"alerts[{index}]", zone)
        if _always_fires(alert):
            told += [Beat()] if dated.state == "problem" else []
            continue
        told.append(_report(alert, dated, delivered.group, f"alerts[{index}]", scope))
        moments = (dated.starts_at, dated.at, newest)
        newest = max((each for each in moments if each), default=None)
    told += _completeness(delivered, newest, scope)
    return told


def _report(
    alert: Alert, dated: _Dated, group: str | None, field: str, scope: tuple[object, ...]
) -> Report:
    labels, notes = alert.labels or {}, alert.annotations or {}
    name = labels.get("alertname", "")
    identity = alert.fingerprint or bounded.hashed(
        json.dumps(required(labels or None, f"{field}.labels"), sort_keys=True)
    )
    subject = next((f"{each}={labels[each]}" for each in _SUBJECTS if labels.get(each)), "")
    summary = next((notes[each] for each in _SUMMARIES if notes.get(each)), "")
    rest = {each: labels[each] for each in labels if each not in {"alertname", "severity"}}
    evidence = {
        "alertname": name,
        "description": notes.get("description"),
        "runbook": bounded.link(notes.get("runbook_url")),
        "reason": notes.get("grafana_state_reason"),
        "values": alert.values,
    }
    return Report(
        key=bounded.key(*scope, identity),
        kind=_KINDS.get(name, "alert"),
        state=dated.state,
        summary=bounded.summary(summary, f"{name} {subject}", "An alert"),
        severity=bounded.severity(labels.get("severity")),
        observed_at=dated.at,
        event_id=bounded.key(
            *scope, identity, alert.status, alert.starts_at or "", _end(alert, dated)
        ),
        subject=bounded.line(subject, 200),
        group=bounded.line(name or group or "", 200),
        link=bounded.link(alert.panel or alert.dashboard or alert.generator),
        details=bounded.details(evidence | rest),
    )


def _dated(alert: Alert, field: str, zone: tzinfo) -> _Dated:
    status = required(alert.status, f"{field}.status")
    state = _STATES.get(status.lower(), "info")
    if (alert.annotations or {}).get("grafana_state_reason") in _NOT_SEEN_WELL and state == "ok":
        state = "info"
    starts_at = instant(alert.starts_at, f"{field}.startsAt", zone)
    ends_at = instant(alert.ends_at, f"{field}.endsAt", zone)
    return _Dated(state, starts_at, starts_at if state == "problem" else ends_at)


def _end(alert: Alert, dated: _Dated) -> str:
    """The end as far as it tells two reports apart: while it goes on, it is only a forecast."""
    return "" if dated.state == "problem" else alert.ends_at or ""


def _always_fires(alert: Alert) -> bool:
    """Whether it is there to show that alerts get through."""
    labels = alert.labels or {}
    is_none = labels.get("severity", "").lower() == "none"
    return is_none or _ALWAYS_FIRING.search(labels.get("alertname", "")) is not None


def _completeness(delivered: Alerts, newest: datetime | None, scope: tuple[object, ...]) -> Told:
    """Whether alerts are missing.

    They are missing as of arrival, while a complete delivery is dated by the newest of its news:
    so only one that is surely later takes it back.
    """
    missing = min(max(delivered.truncated or 0, 0), _MOST_MISSING)
    if not delivered.group or not (missing or newest):
        return []
    key = bounded.key(*scope, "complete", bounded.hashed(delivered.group))
    told = f"{missing} more alerts of this group did not fit into the delivery."
    return [
        Report(
            key=key,
            kind="visibility",
            state="problem" if missing else "ok",
            summary=told if missing else "Every alert of this group was delivered.",
            observed_at=None if missing else newest,
            event_id=bounded.key(key, missing, newest or ""),
            group=bounded.line(delivered.group, 200),
            link=bounded.link(delivered.address),
            details=bounded.details({"missing": missing, "group": delivered.group}),
        )
    ]

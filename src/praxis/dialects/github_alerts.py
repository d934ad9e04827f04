"""What GitHub finds unsafe: dependencies, code and secrets, by the number of the alert."""

from __future__ import annotations

import msgspec

from praxis.contract import ObservedState, Severity
from praxis.dialects import bounded
from praxis.dialects.decoding import Name, decoded, required
from praxis.dialects.github_repository import Envelope, latest
from praxis.domain.told import Report

_OVER = frozenset(
    {
        "fixed",
        "dismissed",
        "auto_dismissed",
        "resolved",
        "closed",
        "closed_by_user",
        "dismiss",
        "resolve",
    }
)
_OPENED = frozenset(
    {
        "created",
        "create",
        "reopened",
        "reopen",
        "auto_reopened",
        "reopened_by_user",
        "reintroduced",
        "appeared_in_branch",
    }
)


class _Package(msgspec.Struct, frozen=True, kw_only=True):
    name: str | None = None
    ecosystem: str | None = None


class _Dependency(msgspec.Struct, frozen=True, kw_only=True):
    package: _Package | None = None
    manifest_path: str | None = None


class _Advisory(msgspec.Struct, frozen=True, kw_only=True):
    ghsa_id: str | None = None
    cve_id: str | None = None
    summary: str | None = None
    severity: str | None = None


class _Rule(msgspec.Struct, frozen=True, kw_only=True):
    id: str | None = None
    severity: str | None = None
    security_severity: str | None = msgspec.field(default=None, name="security_severity_level")
    description: str | None = None


class _Tool(msgspec.Struct, frozen=True, kw_only=True):
    name: str | None = None


class _Location(msgspec.Struct, frozen=True, kw_only=True):
    path: str | None = None


class _Instance(msgspec.Struct, frozen=True, kw_only=True):
    ref: str | None = None
    location: _Location | None = None


class _Alert(msgspec.Struct, frozen=True, kw_only=True):
    """An alert of any kind; what a secret alert found is never read."""

    number: Name = None
    id: Name = None
    state: str | None = None
    dependency: _Dependency | None = None
    advisory: _Advisory | None = msgspec.field(default=None, name="security_advisory")
    rule: _Rule | None = None
    tool: _Tool | None = None
    instance: _Instance | None = msgspec.field(default=None, name="most_recent_instance")
    secret_kind: str | None = msgspec.field(default=None, name="secret_type_display_name")
    secret_type: str | None = None
    package: str | None = msgspec.field(default=None, name="affected_package_name")
    severity: str | None = None
    ghsa_id: str | None = None
    resolution: str | None = None
    reason: str | None = msgspec.field(default=None, name="dismissed_reason")
    link: str | None = msgspec.field(default=None, name="html_url")
    created_at: str | None = None
    updated_at: str | None = None
    fixed_at: str | None = None
    dismissed_at: str | None = None
    auto_dismissed_at: str | None = None
    resolved_at: str | None = None


class _Found(Envelope, frozen=True, kw_only=True):
    alert: _Alert | None = None


def dependabot(body: bytes) -> Report:
    """A dependency with a known weakness."""
    told = decoded(body, _Found)
    alert = required(told.alert, "alert")
    advisory = alert.advisory or _Advisory()
    dependency = alert.dependency or _Dependency()
    package = dependency.package or _Package()
    return _report(
        told,
        alert,
        "dependabot",
        advisory.summary or f"{package.name} has a known weakness",
        advisory.severity,
        {
            "package": package.name,
            "ecosystem": package.ecosystem,
            "manifest": dependency.manifest_path,
            "advisory": advisory.ghsa_id,
            "cve": advisory.cve_id,
        },
    )


def code_scanning(body: bytes) -> Report:
    """A weakness found in the code."""
    told = decoded(body, _Found)
    alert = required(told.alert, "alert")
    rule, instance = alert.rule or _Rule(), alert.instance or _Instance()
    return _report(
        told,
        alert,
        "code_scanning",
        rule.description or rule.id or "a finding in the code",
        rule.security_severity or rule.severity,
        {
            "rule": rule.id,
            "tool": alert.tool.name if alert.tool else None,
            "ref": instance.ref,
            "path": instance.location.path if instance.location else None,
        },
    )


def secret_scanning(body: bytes) -> Report:
    """A secret found in the code: which sort of secret, never the secret."""
    told = decoded(body, _Found)
    alert = required(told.alert, "alert")
    sort = alert.secret_kind or alert.secret_type or "a secret"
    return _report(told, alert, "secret_scanning", f"{sort} found", "critical", {"sort": sort})


def vulnerability(body: bytes) -> Report:
    """A weak dependency, in the words of the event that came before Dependabot's."""
    told = decoded(body, _Found)
    alert = required(told.alert, "alert")
    words = f"{alert.package or 'a dependency'} has a known weakness"
    more = {"package": alert.package, "advisory": alert.ghsa_id}
    return _report(told, alert, "vulnerability", words, alert.severity, more)


def _report(
    told: _Found,
    alert: _Alert,
    sort: str,
    words: str,
    severity: str | None,
    more: dict[str, str | None],
) -> Report:
    place = told.place
    action = required(told.action, "action")
    number = required(alert.number if alert.number is not None else alert.id, "alert.number")
    state = _state(action, alert.state)
    ends = {
        "updated_at": alert.updated_at,
        "fixed_at": alert.fixed_at,
        "dismissed_at": alert.dismissed_at,
        "auto_dismissed_at": alert.auto_dismissed_at,
        "resolved_at": alert.resolved_at,
    }
    at = latest("alert", **ends)
    if at is None and action in {"created", "create"}:
        at = latest("alert", created_at=alert.created_at)
    grave: Severity = bounded.severity(severity)
    return Report(
        key=bounded.key(place, sort, number),
        kind="security.alert",
        state=state,
        severity=grave,
        summary=bounded.line(f"{place}: {words}"),
        observed_at=at,
        event_id=bounded.key(sort, place, number, action, at) if at else None,
        subject=place,
        group=bounded.line(f"{place} {sort}", 200),
        link=bounded.link(alert.link),
        details=bounded.details(
            {"action": action, "severity": severity, "because": alert.reason or alert.resolution}
            | more
        ),
    )


def _state(action: str, state: str | None) -> ObservedState:
    """The alert's own state before the action: an alert that is assigned goes on as it was."""
    if state in _OVER or action in _OVER:
        return "ok"
    return "problem" if action in _OPENED else "info"

"""The webhook of Grafana's alerting, and the older one of its dashboard alerts."""

from __future__ import annotations

import msgspec

from praxis.contract import ObservedState
from praxis.dialects import Delivery, bounded
from praxis.dialects.alerts import Alerts, told_by
from praxis.dialects.decoding import Name, decoded, required
from praxis.domain.told import Beat, Report, Told

_STATES: dict[str, ObservedState] = {"alerting": "problem", "no_data": "problem", "ok": "ok"}


class _DashboardAlert(msgspec.Struct, frozen=True, kw_only=True):
    organisation: Name = msgspec.field(default=None, name="orgId")
    rule: Name = msgspec.field(default=None, name="ruleId")
    rule_name: str | None = msgspec.field(default=None, name="ruleName")
    rule_address: str | None = msgspec.field(default=None, name="ruleUrl")
    state: str | None = None
    title: str | None = None
    message: str | None = None
    tags: dict[str, str] | None = None


class Grafana:
    """Alerts by their fingerprint, or by their rule, within an organisation."""

    name = "grafana"

    def read(self, delivery: Delivery) -> Told:
        """Reports of the alerts; a beat where none came.

        Raises:
            Unfit: It is no delivery of Grafana.
        """
        delivered = decoded(delivery.body, Alerts)
        if delivered.alerts is None:
            return [_of_rule(decoded(delivery.body, _DashboardAlert))]
        scope = (required(delivered.organisation, "orgId"),)
        return told_by(delivered, delivery.zone, scope) or [Beat()]


def _of_rule(alert: _DashboardAlert) -> Report:
    """A rule of a dashboard; it is sent without a time of its own."""
    rule = required(alert.rule, "ruleId")
    state = required(alert.state, "state")
    tags = alert.tags or {}
    return Report(
        key=bounded.key(alert.organisation or "", "rule", rule),
        kind="alert.no_data" if state == "no_data" else "alert",
        state=_STATES.get(state, "info"),
        summary=bounded.summary(alert.message, alert.rule_name, alert.title, f"rule {rule}"),
        severity=bounded.severity(tags.get("severity")),
        group=bounded.line(alert.rule_name or "", 200),
        link=bounded.link(alert.rule_address),
        details=bounded.details({"rule": alert.rule_name, "state": state} | tags),
    )

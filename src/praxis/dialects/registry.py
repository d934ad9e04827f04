"""The dialects there are, by the name a door is given."""

from __future__ import annotations

from praxis.dialects import Dialect
from praxis.dialects.alertmanager import Alertmanager
from praxis.dialects.claude import Claude
from praxis.dialects.cloudevents import CloudEvents
from praxis.dialects.codex import Codex
from praxis.dialects.github import GitHub
from praxis.dialects.grafana import Grafana
from praxis.dialects.healthchecks import Healthchecks
from praxis.dialects.journald import Journald
from praxis.dialects.max_agent import Max
from praxis.dialects.ntfy import Ntfy
from praxis.dialects.plain import Plain
from praxis.dialects.sentry import Sentry
from praxis.dialects.uptime_kuma import UptimeKuma
from praxis.dialects.vikunja import Vikunja

_SERVICES: tuple[Dialect, ...] = (
    Alertmanager(),
    CloudEvents(),
    GitHub(),
    Grafana(),
    Healthchecks(),
    Journald(),
    Ntfy(),
    Plain(),
    Sentry(),
    UptimeKuma(),
    Vikunja(),
)
_AGENTS: tuple[Dialect, ...] = (Claude(), Codex(), Max())

DIALECTS: dict[str, Dialect] = {dialect.name: dialect for dialect in (*_SERVICES, *_AGENTS)}

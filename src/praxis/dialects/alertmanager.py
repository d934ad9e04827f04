"""The webhook of Prometheus Alertmanager, version 4: each alert by its fingerprint."""

from __future__ import annotations

from praxis.dialects import Delivery
from praxis.dialects.alerts import Alerts, told_by
from praxis.dialects.decoding import decoded
from praxis.domain.told import Beat, Told


class Alertmanager:
    """Alerts that fire and that are resolved, and the one that always fires."""

    name = "alertmanager"

    def read(self, delivery: Delivery) -> Told:
        """Reports of the alerts; a beat where none came.

        Raises:
            Unfit: It is no delivery of Alertmanager.
        """
        return told_by(decoded(delivery.body, Alerts), delivery.zone) or [Beat()]

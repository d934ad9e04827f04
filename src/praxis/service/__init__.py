"""Praxis: one method per operation."""

from __future__ import annotations

from praxis.service.asking import Asking
from praxis.service.configuring import Configuring
from praxis.service.deciding import Deciding
from praxis.service.telling import Telling


class Praxis(Asking, Telling, Deciding, Configuring):
    """What needs a person, and why."""

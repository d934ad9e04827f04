"""Praxis: one method per operation."""

from __future__ import annotations

from praxis.service.asking import Asking
from praxis.service.configuring import Configuring
from praxis.service.deciding import Deciding
from praxis.service.delivering import Delivering
from praxis.service.expecting import Expecting


class Praxis(Asking, Delivering, Deciding, Expecting, Configuring):
    """What needs a person, and why."""

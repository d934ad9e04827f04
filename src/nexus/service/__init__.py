"""Nexus: one method per operation, gathered by what they are about."""

from __future__ import annotations

from nexus.service.catalogs import Catalogs
from nexus.service.changing import Changing
from nexus.service.keeping import Keeping
from nexus.service.merging import Merging
from nexus.service.proposals import Proposals
from nexus.service.resolving import Resolving


class Nexus(Resolving, Keeping, Changing, Merging, Catalogs, Proposals):
    """Which real thing a name refers to."""

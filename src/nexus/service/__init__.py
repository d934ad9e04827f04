"""Nexus: one method per operation, gathered from what resolves and what keeps."""

from __future__ import annotations

from kit.clock import Clock
from kit.pulse import Pulse
from nexus.register import Register
from nexus.service.catalogs import Catalogs
from nexus.service.changing import Changing
from nexus.service.keeping import Keeping
from nexus.service.merging import Merging
from nexus.service.proposals import Proposals, Resembling
from nexus.service.resolving import Resolving
from nexus.store import EntityStore


class Nexus(Resolving, Keeping, Changing, Merging, Catalogs, Proposals):
    """Which real thing a name refers to."""

    def __init__(
        self,
        entities: EntityStore,
        register: Register,
        pulse: Pulse,
        clock: Clock,
        resembling: Resembling | None = None,
    ) -> None:
        Resolving.__init__(self, entities, register)
        Proposals.__init__(self, entities, register, pulse, clock, resembling)

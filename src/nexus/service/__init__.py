"""Nexus: one method per operation, gathered from what resolves and what keeps."""

from __future__ import annotations

from kit.clock import Clock
from kit.errors import Unavailable
from kit.trace import Call
from nexus.service.keeping import Keeping
from nexus.service.resolving import Resolving
from nexus.store import EntityStore
from nexus.store.finding import NameReader


class Nexus(Resolving, Keeping):
    """Which real thing a name refers to."""

    def __init__(self, entities: EntityStore, names: NameReader, clock: Clock) -> None:
        Resolving.__init__(self, entities, names)
        Keeping.__init__(self, entities, clock)

    async def _not_built(self, request: object, call: Call) -> None:
        raise Unavailable("This operation is not built yet.")

    list_changes = _not_built
    get_neighbourhood = _not_built
    export_catalog = _not_built
    give_feedback = _not_built
    update_entity = _not_built
    merge_entities = _not_built
    split_entity = _not_built
    retract_alias = _not_built
    map_external = _not_built
    unmap_external = _not_built
    relate = _not_built
    unrelate = _not_built
    propose_entities = _not_built
    list_proposals = _not_built
    accept_proposal = _not_built
    reject_proposal = _not_built

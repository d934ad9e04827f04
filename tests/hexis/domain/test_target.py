"""What is acted on is named by those who may say so; what an agent suggests leads nowhere."""

import msgspec
import pytest

from hexis.domain.capability import Definition
from hexis.domain.target import identify
from kit.errors import FailedPrecondition
from nexus.contract import Entity, ExternalReference
from tests.requirements import requirement

RESTART = msgspec.convert(
    {
        "id": "cap_restart",
        "version": "1",
        "action": "restart",
        "title": {"en": "Restart", "ru": "Перезапуск"},
        "description": {"en": "Restart.", "ru": "Перезапуск."},
        "risk": "protected",
        "entity_types": ["service"],
        "system": "supervisor",
        "executor": "supervisor",
        "timeout_s": 10,
    },
    Definition,
)


def entity(*external: ExternalReference) -> Entity:
    return Entity(
        entity_id="ent_1",
        type="service",
        names={"en": "Indexer"},
        status="active",
        external=list(external),
    )


@requirement("invariant.4")
def test_a_target_that_an_agent_suggests_is_none() -> None:
    suggested = ExternalReference("supervisor", "vecna", origin="suggested", confidence=0.9)

    with pytest.raises(FailedPrecondition) as refused:
        identify(entity(suggested), "ent_1", RESTART)

    assert refused.value.reason == "external_id_missing"


def test_a_suggestion_does_not_stand_in_the_way_of_what_was_declared() -> None:
    suggested = ExternalReference("supervisor", "vecna", origin="suggested", confidence=0.9)
    declared = ExternalReference("supervisor", "indexer")

    found = identify(entity(suggested, declared), "ent_1", RESTART)

    assert found.external_id == "indexer"

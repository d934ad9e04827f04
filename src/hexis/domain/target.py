"""What exactly is acted on: an entity Nexus knows, pinned to what the executor will address."""

from __future__ import annotations

import re

import msgspec

from hexis.contract.execution import Target
from hexis.domain.capability import Definition, applies_to
from kit.errors import FailedPrecondition
from nexus.contract import Entity, RelatedEntity

_EXTERNAL_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
"""No separators, wildcards or leading dashes that an executor could read as something else."""


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """What stays the same while only names and descriptions of the entity change."""

    entity_id: str
    system: str
    external_id: str
    host_id: str = ""
    """Empty when Nexus knows no host."""


def check_present(entity: Entity, asked_id: str) -> None:
    """Refuse an entity that is no longer one of its own.

    Raises:
        FailedPrecondition: It was merged into another, or archived.
    """
    if entity.status == "merged" or entity.entity_id != asked_id:
        raise FailedPrecondition(
            f"{asked_id} was merged into another entity; ask for that one.",
            reason="entity_merged",
            field="entity_id",
        )
    if entity.status != "active":
        raise FailedPrecondition(
            f"{asked_id} is archived; nothing is done to it.",
            reason="entity_archived",
            field="entity_id",
        )


def identify(entity: Entity, asked_id: str, definition: Definition) -> Identity:
    """The identity of the entity for this capability.

    Raises:
        FailedPrecondition: It is gone, of another type, or the executor could not address it.
    """
    check_present(entity, asked_id)
    if not applies_to(definition, entity.type):
        raise FailedPrecondition(
            f"{definition.id} is not for entities of type {entity.type}.",
            reason="capability_not_applicable",
            field="entity_id",
        )
    external_ids = vouched_for(entity, definition.system)
    if len(external_ids) != 1:
        raise FailedPrecondition(
            f"{asked_id} has no single external id in {definition.system}.",
            reason="external_id_missing",
            field="entity_id",
        )
    if not _EXTERNAL_ID.fullmatch(external_ids[0]):
        raise FailedPrecondition(
            f"The external id of {asked_id} in {definition.system} is not a plain name.",
            reason="external_id_invalid",
            field="entity_id",
        )
    host = _host(entity)
    return Identity(
        entity_id=entity.entity_id,
        system=definition.system,
        external_id=external_ids[0],
        host_id=host.entity_id if host else "",
    )


def vouched_for(entity: Entity, system: str) -> list[str]:
    """What a system calls the entity, as somebody says who may: an agent's suggestion is none."""
    return [
        each.external_id
        for each in entity.external
        if each.system == system and each.origin != "suggested"
    ]


def describe_target(entity: Entity) -> Target:
    """The entity and its host as a person knows them."""
    host = _host(entity)
    return Target(
        entity_id=entity.entity_id,
        type=entity.type,
        names=entity.names,
        host_names=host.names if host else {},
    )


def check_names(entity: Entity, asked: Target) -> None:
    """A yes is to what the person was told: the names must be those of the question.

    Raises:
        FailedPrecondition: The entity or its host is called something else since.
    """
    now = describe_target(entity)
    if (now.names, now.host_names) != (asked.names, asked.host_names):
        raise FailedPrecondition(
            "The entity or its host has another name since; ask again.", reason="entity_renamed"
        )


def _host(entity: Entity) -> RelatedEntity | None:
    return next((each for each in entity.relations if each.predicate == "runs_on"), None)

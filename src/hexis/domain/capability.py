"""Capabilities as provider files declare them, read whole or not at all."""

from __future__ import annotations

import hashlib
import tomllib
from typing import Annotated

import msgspec
from msgspec import Meta

from hexis.contract.catalog import Action, Capability, CapabilityId, Risk
from hexis.domain.arguments import Argument, ArgumentName, Words, check_declaration, schema
from kit.errors import InvalidArgument

EntityTypePrefix = Annotated[
    str, Meta(pattern=r"^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$(?!\n)", max_length=80)
]
_Name = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,39}$(?!\n)")]


class Definition(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One capability as its file declares it; every field is part of its version."""

    id: CapabilityId
    version: Annotated[str, Meta(pattern=r"^[0-9]{1,4}(\.[0-9]{1,4}){0,2}$(?!\n)")]
    """What the author calls it; the definition's digest is added to it."""
    action: Action
    title: Words
    description: Words
    risk: Risk
    entity_types: Annotated[list[EntityTypePrefix], Meta(min_length=1, max_length=20)]
    system: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_.-]*$(?!\n)", max_length=60)]
    """The outside system whose external id names what is acted on."""
    executor: _Name
    timeout_s: Annotated[float, Meta(gt=0, le=600)]
    parameters: dict[_Name, Annotated[str, Meta(max_length=400)]] = {}
    """Fixed, for the executor; callers cannot touch them."""
    arguments: dict[ArgumentName, Argument] = {}
    expects_recovery: bool = False


class _Provider(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    provider: _Name
    capability: Annotated[list[Definition], Meta(min_length=1, max_length=200)]


def read_provider(text: str) -> list[Definition]:
    """The capabilities of one provider file.

    Raises:
        InvalidArgument: Anything in it is not as it must be; then nothing of it counts.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidArgument(
            f"It is not valid TOML: {error}.", reason="provider_invalid"
        ) from error
    try:
        provider = msgspec.convert(document, _Provider)
    except msgspec.ValidationError as error:
        raise InvalidArgument(f"{error}.", reason="provider_invalid") from error
    seen: set[str] = set()
    for definition in provider.capability:
        if definition.id in seen:
            raise InvalidArgument(f"{definition.id} is declared twice.", reason="capability_twice")
        seen.add(definition.id)
        for name, argument in definition.arguments.items():
            check_declaration(name, argument)
    return provider.capability


def digest(definition: Definition) -> str:
    """Changes with any change of the definition."""
    encoded = msgspec.json.encode(definition, order="sorted")
    return hashlib.sha256(encoded).hexdigest()


def version(definition: Definition) -> str:
    """The declared version and the beginning of the digest, so that no change keeps the version."""
    return f"{definition.version}-{digest(definition)[:8]}"


def mutates(definition: Definition) -> bool:
    """Whether running it may change something."""
    return definition.risk != "read"


def applies_to(definition: Definition, entity_type: str) -> bool:
    """Whether entities of this type are among those it is for."""
    return any(
        entity_type == prefix or entity_type.startswith(f"{prefix}.")
        for prefix in definition.entity_types
    )


def describe(definition: Definition) -> Capability:
    """The capability as callers see it."""
    return Capability(
        capability_id=definition.id,
        version=version(definition),
        action=definition.action,
        title=definition.title.by_language(),
        description=definition.description.by_language(),
        risk=definition.risk,
        entity_types=definition.entity_types,
        arguments=schema(definition.arguments),
        timeout_s=definition.timeout_s,
        expects_recovery=definition.expects_recovery,
    )

"""What Hexis can do: capabilities to look at, none of them to run from here."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from kit.contract import Id, Operation, Reply, Request

CapabilityId = Annotated[str, Meta(pattern=r"^cap_[a-z0-9_]{1,60}$(?!\n)")]
Risk = Literal["read", "low", "protected", "critical"]
"""`protected` and `critical` run only after a person has confirmed."""
Action = Annotated[str, Meta(pattern=r"^[a-z][a-z_]*$(?!\n)", max_length=40)]
"""What is done, as a verb people know: `status`, `logs`, `restart`."""


class Capability(Reply):
    """One thing that may be done to entities of some kind."""

    capability_id: CapabilityId
    version: str
    """Changes with anything that matters; a confirmation for another version dies."""
    action: Action
    title: dict[str, str]
    """Per language."""
    description: dict[str, str]
    risk: Risk
    entity_types: list[str]
    """Dotted, matched by prefix."""
    arguments: dict[str, Any]
    """JSON Schema, closed."""
    timeout_s: float
    expects_recovery: bool = False
    """After success the entity must be seen healthy before it counts as well again."""


class ListCapabilities(Request):
    """What may be done, to one entity or at all?"""

    entity_id: Id | None = None
    action: Action | None = None


class CapabilityList(Reply):
    """Capabilities the caller may see, and files that could not be read."""

    capabilities: list[Capability]
    disabled: list[str] = []
    """Provider files refused whole, each with the reason."""


class GetCapability(Request):
    """Show one capability."""

    capability_id: CapabilityId


LIST_CAPABILITIES: Operation[ListCapabilities, CapabilityList] = Operation(
    name="list_capabilities",
    request=ListCapabilities,
    reply=CapabilityList,
    scope="hexis.discover",
    summary="List what may be done, to one entity or at all.",
    positional=("entity_id",),
    alias="caps",
)
GET_CAPABILITY: Operation[GetCapability, Capability] = Operation(
    name="get_capability",
    request=GetCapability,
    reply=Capability,
    scope="hexis.discover",
    summary="Show one capability with its arguments and risk.",
    positional=("capability_id",),
)

OPERATIONS = (LIST_CAPABILITIES, GET_CAPABILITY)

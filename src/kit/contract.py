"""What a part offers: requests, replies and the operation table that every door is made from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Generic, Literal, TypeVar, dataclass_transform

import msgspec
from msgspec import Meta

Time = Annotated[datetime, Meta(tz=True)]
"""An instant: RFC 3339 with its zone, as in `2026-11-30T12:00:00Z`."""
Short = Annotated[str, Meta(min_length=1, max_length=200)]
"""A name or label."""
Text = Annotated[str, Meta(max_length=4000)]
"""A passage a person may read."""
# Python's `$` would let a final line break through, and JSON Schema has no `\Z`: every pattern of
# a contract ends in `$(?!\n)`, which means the end of the text to both.
Id = Annotated[str, Meta(pattern=r"^[a-z]{3}_[0-9a-z_]{1,60}$(?!\n)")]
"""A prefixed opaque identifier, such as `ent_01jz…`."""
PageLimit = Annotated[int, Meta(ge=1, le=500)]
"""How many rows a list may return."""
WaitSeconds = Annotated[float, Meta(ge=0, le=60)]
"""How long a long poll may wait before it answers with nothing new."""

LARGEST_BODY = 1 << 20
"""Bytes of a request body at most, where an operation does not say otherwise."""

Effect = Literal["read", "write"]
"""A read may be sent again; a write never is."""


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a caller sends: closed, so a misspelt field is refused and named."""


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Reply(msgspec.Struct, frozen=True):
    """What a part answers: open, so a reader ignores what a newer part added."""


Req = TypeVar("Req", bound=Request)
Rep = TypeVar("Rep")


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation(Generic[Req, Rep]):
    """One thing a part can be asked to do: route, client method, CLI command and trace name."""

    name: str
    """Verb and noun, as in `list_attention`."""
    request: type[Req]
    """The closed struct that is sent."""
    reply: object
    """The struct, or union of tagged structs, that is answered."""
    scope: str | None
    """What the credential must allow; None where any known credential will do."""
    summary: str
    """One sentence for the reader of the OpenAPI document and the command line."""
    effect: Effect = "read"
    """Whether sending it twice could do something twice."""
    timeout_s: float = 5.0
    """The deadline a caller gets who names none."""
    largest_body: int = LARGEST_BODY
    """Bytes of a request body at most, from a caller that may ask for this."""
    waits: bool = False
    """It is a long poll: it may answer late, and the part wakes it when it stops."""
    streams: bool = False
    """It answers with server-sent events, each a reply, until somebody ends it."""
    asserted: bool = False
    """A channel assertion carrying the scope may stand in for a credential that lacks it."""
    positional: tuple[str, ...] = ()
    """Request fields the command line takes by position."""
    alias: str | None = None
    """A declared short form of the command."""


class Nothing(Request):
    """A request without arguments."""


class MetaReply(Reply):
    """Which part this is, and which contract it speaks."""

    service: str
    contract: str
    """Name and `major.minor`, as in `nexus/1.0`."""
    operations: list[str]
    instance_id: str
    """Changes with every start of the process."""
    started_at: Time
    now: Time
    """The part's own clock, so that a reader can see it drift."""


class HealthReply(Reply):
    """Whether the part can do its work now."""

    service: str
    status: Literal["ok", "degraded"]
    """`degraded`: it answers, and something it needs does not."""
    instance_id: str
    started_at: Time
    degraded: list[str] = []
    """What does not work, one sentence each."""


META: Operation[Nothing, MetaReply] = Operation(
    name="meta",
    request=Nothing,
    reply=MetaReply,
    scope=None,
    summary="Name the part, its contract version and its operations.",
)
HEALTH: Operation[Nothing, HealthReply] = Operation(
    name="health",
    request=Nothing,
    reply=HealthReply,
    scope=None,
    summary="Say whether the part can do its work now.",
)


class Contract:
    """A named, versioned table of operations; `meta` and `health` belong to every one."""

    def __init__(self, name: str, version: str, *operations: Operation[Any, Any]) -> None:
        self.name = name
        self.version = version
        self.operations: dict[str, Operation[Any, Any]] = {
            operation.name: operation for operation in (*operations, META, HEALTH)
        }

    def __str__(self) -> str:
        return f"{self.name}/{self.version}"

    @property
    def major(self) -> str:
        """The part of the version that must agree."""
        return self.version.partition(".")[0]

"""What Praxis offers: observations in, items and attention out, with their whole lifecycle."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from kit.contract import (
    Contract,
    Id,
    Operation,
    PageLimit,
    Reply,
    Request,
    Short,
    Text,
    Time,
    WaitSeconds,
)
from praxis.contract.state import (
    Attention,
    AttentionList,
    Change,
    ChangeList,
    Evidence,
    ExecutionState,
    Freshness,
    Item,
    Key,
    Kind,
    LinkedExecution,
    ObservedState,
    Operational,
    Ranked,
    Severity,
    SourceName,
    SourceState,
    What,
)

__all__ = [
    "ACKNOWLEDGE",
    "CONTRACT",
    "GET_ITEM",
    "LIST_ATTENTION",
    "LIST_CHANGES",
    "LIST_ITEMS",
    "LIST_ITEM_EXECUTIONS",
    "LIST_SOURCES",
    "MARK_SURFACED",
    "OBSERVE",
    "PUT_SOURCE",
    "REPORT_EXECUTION",
    "RESOLVE",
    "Attention",
    "AttentionList",
    "Change",
    "ChangeList",
    "Evidence",
    "ExecutionList",
    "ExecutionReported",
    "ExecutionState",
    "Freshness",
    "GetItem",
    "HealthCheck",
    "Item",
    "ItemList",
    "Key",
    "Kind",
    "LinkedExecution",
    "ListAttention",
    "ListChanges",
    "ListItemExecutions",
    "ListItems",
    "ListSources",
    "MarkSurfaced",
    "Observe",
    "Observed",
    "ObservedState",
    "Operational",
    "PutSource",
    "Ranked",
    "ReportExecution",
    "Severity",
    "SourceList",
    "SourceName",
    "SourceState",
    "Transition",
    "What",
]


class ListAttention(Request):
    """What needs attention now?"""

    entity_ids: Annotated[list[Id], Meta(max_length=50)] = []
    limit: PageLimit = 50


class ListChanges(Request):
    """What changed after a cursor, or since an instant?"""

    after: Annotated[int, Meta(ge=0)] | None = None
    """Cursor of the last change already seen; none means from the end (with `since` absent)."""
    since: Time | None = None
    entity_ids: Annotated[list[Id], Meta(max_length=50)] = []
    limit: PageLimit = 100
    wait_s: WaitSeconds = 0.0


class ListItems(Request):
    """Which items are there, of these entities or of all?"""

    entity_ids: Annotated[list[Id], Meta(max_length=50)] = []
    operational: Operational | None = None
    attention: Attention | None = None
    limit: PageLimit = 50


class ItemList(Reply):
    """Items, the newest first."""

    items: list[Item]
    total: int


class GetItem(Request):
    """Show one item with its evidence and executions."""

    item_id: Id


class ListItemExecutions(Request):
    """What was done about an item?"""

    item_id: Id


class ExecutionList(Reply):
    """Executions, oldest first."""

    executions: list[LinkedExecution]


class ListSources(Request):
    """Which sources report, and how fresh are they?"""

    entity_ids: Annotated[list[Id], Meta(max_length=50)] = []
    """Sources of these entities, and those whose newest observation named one of them."""


class SourceList(Reply):
    """Every source asked for."""

    sources: list[SourceState]


class Observe(Request):
    """A source reports one fact."""

    source: SourceName
    kind: Kind
    state: ObservedState
    summary: Text
    event_id: Key | None = None
    """The source's own id of this report: the same id twice is one observation, so sending again
    is safe. Absent: every sending is a report of its own."""
    key: Key | None = None
    """Which item of the source this is about. Absent: the one that bears the source's own name."""
    observed_at: Time | None = None
    """Absent: now."""
    severity: Severity = "warning"
    entity_id: Id | None = None
    """Absent: the entity of the source, whatever that is now."""
    details: Annotated[dict[Short, Short], Meta(max_length=32)] = {}


class Observed(Reply):
    """What became of an observation."""

    observation_id: Id
    duplicate: bool
    item_id: Id | None


class ReportExecution(Request):
    """Hexis tells how far an execution has come; the same state of the same one counts once."""

    execution_id: Id
    state: ExecutionState
    capability_id: Short
    action: Short
    entity_id: Id
    requester: Short
    at: Time
    expects_recovery: bool = False
    """After success the entity must be seen healthy again."""
    recover_within_s: Annotated[float, Meta(gt=0, le=86400)] = 30.0


class ExecutionReported(Reply):
    """The items the execution was linked to."""

    item_ids: list[Id]
    duplicate: bool


class Transition(Request):
    """A person decides about an item."""

    item_id: Id
    if_version: Annotated[int, Meta(ge=1)] | None = None
    """The version the person saw; another one is refused."""
    note: Text = ""


class MarkSurfaced(Request):
    """These items were shown or said to a person."""

    item_ids: Annotated[list[Id], Meta(min_length=1, max_length=100)]
    channel: Short


class HealthCheck(Request):
    """Praxis asks an address for its health, again and again."""

    address: Annotated[str, Meta(pattern=r"^(unix:///|http://|https://).+$(?!\n)", max_length=500)]
    every_s: Annotated[float, Meta(ge=0.1, le=3600)] = 1.0
    failures: Annotated[int, Meta(ge=1, le=100)] = 2
    """How many failures in a row make a problem."""
    contract: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*$(?!\n)", max_length=40)] | None = None
    """What is spoken there; none takes what follows the last colon of the source's name."""


class PutSource(Request):
    """Register a source, or change it."""

    source: SourceName
    kind: Kind
    expected_every_s: Annotated[float, Meta(gt=0, le=31 * 86400)]
    entity_id: Id | None = None
    health_check: HealthCheck | None = None
    """Present: Praxis pulls. Absent: the source pushes through `observe`."""


LIST_ATTENTION: Operation[ListAttention, AttentionList] = Operation(
    name="list_attention",
    request=ListAttention,
    reply=AttentionList,
    scope="praxis.read",
    summary="List what needs attention, ranked, and what the answer rests on.",
    alias="attention",
)
LIST_CHANGES: Operation[ListChanges, ChangeList] = Operation(
    name="list_changes",
    request=ListChanges,
    reply=ChangeList,
    scope="praxis.read",
    summary="List what changed after a cursor, waiting for news when asked to.",
    waits=True,
    timeout_s=65.0,
    alias="changes",
)
LIST_ITEMS: Operation[ListItems, ItemList] = Operation(
    name="list_items",
    request=ListItems,
    reply=ItemList,
    scope="praxis.read",
    summary="List items of one or several entities, or all.",
)
GET_ITEM: Operation[GetItem, Item] = Operation(
    name="get_item",
    request=GetItem,
    reply=Item,
    scope="praxis.read",
    summary="Show one item with its evidence.",
    positional=("item_id",),
)
LIST_ITEM_EXECUTIONS: Operation[ListItemExecutions, ExecutionList] = Operation(
    name="list_item_executions",
    request=ListItemExecutions,
    reply=ExecutionList,
    scope="praxis.read",
    summary="List what was done about an item.",
    positional=("item_id",),
)
LIST_SOURCES: Operation[ListSources, SourceList] = Operation(
    name="list_sources",
    request=ListSources,
    reply=SourceList,
    scope="praxis.read",
    summary="List the sources and how fresh each is.",
)
OBSERVE: Operation[Observe, Observed] = Operation(
    name="observe",
    request=Observe,
    reply=Observed,
    scope="praxis.observe",
    effect="write",
    summary="Report one fact from a source.",
)
REPORT_EXECUTION: Operation[ReportExecution, ExecutionReported] = Operation(
    name="report_execution",
    request=ReportExecution,
    reply=ExecutionReported,
    scope="praxis.observe",
    effect="write",
    summary="Report how far an execution has come.",
)
MARK_SURFACED: Operation[MarkSurfaced, ItemList] = Operation(
    name="mark_surfaced",
    request=MarkSurfaced,
    reply=ItemList,
    scope="praxis.transition",
    effect="write",
    summary="Record that items were shown to a person; it acknowledges nothing.",
)
ACKNOWLEDGE: Operation[Transition, Item] = Operation(
    name="acknowledge",
    request=Transition,
    reply=Item,
    scope="praxis.transition",
    effect="write",
    summary="A person has taken note of an item.",
    positional=("item_id",),
    alias="ack",
)
RESOLVE: Operation[Transition, Item] = Operation(
    name="resolve",
    request=Transition,
    reply=Item,
    scope="praxis.transition",
    effect="write",
    summary="A person says an item is dealt with.",
    positional=("item_id",),
)
PUT_SOURCE: Operation[PutSource, SourceState] = Operation(
    name="put_source",
    request=PutSource,
    reply=SourceState,
    scope="praxis.admin",
    effect="write",
    summary="Register a source or change it.",
)

CONTRACT = Contract(
    "praxis",
    "1.0",
    LIST_ATTENTION,
    LIST_CHANGES,
    LIST_ITEMS,
    GET_ITEM,
    LIST_ITEM_EXECUTIONS,
    LIST_SOURCES,
    OBSERVE,
    REPORT_EXECUTION,
    MARK_SURFACED,
    ACKNOWLEDGE,
    RESOLVE,
    PUT_SOURCE,
)

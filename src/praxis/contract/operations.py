"""The operation table of Praxis."""

from __future__ import annotations

from kit.contract import Contract, Operation
from praxis.contract.asking import (
    ApplicableCapabilities,
    ExecutionList,
    GetItem,
    ItemList,
    ListAttention,
    ListChanges,
    ListItemCapabilities,
    ListItemExecutions,
    ListItems,
    Search,
    WatchChanges,
)
from praxis.contract.deciding import (
    Ignore,
    MarkSurfaced,
    Transition,
)
from praxis.contract.deliveries import (
    LARGEST_DELIVERY,
    Deliver,
    Delivered,
    ListRejected,
    RejectedList,
    ReplayRejected,
)
from praxis.contract.routines import ListRoutines, PutRoutine, RoutineList, RoutineState
from praxis.contract.sources import (
    ListSources,
    PutSource,
    SourceList,
)
from praxis.contract.state import (
    AttentionList,
    Change,
    ChangeList,
    Item,
    SourceState,
)
from praxis.contract.telling import (
    ExecutionReported,
    Observe,
    ObserveBatch,
    Observed,
    ObservedBatch,
    ReportExecution,
)

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
WATCH_CHANGES: Operation[WatchChanges, Change] = Operation(
    name="watch_changes",
    request=WatchChanges,
    reply=Change,
    scope="praxis.read",
    streams=True,
    summary="Tell every change as it happens, from a cursor on.",
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

OBSERVE_BATCH: Operation[ObserveBatch, ObservedBatch] = Operation(
    name="observe_batch",
    request=ObserveBatch,
    reply=ObservedBatch,
    scope="praxis.observe",
    effect="write",
    summary="Report many facts, all or none.",
)
UNACKNOWLEDGE: Operation[Transition, Item] = Operation(
    name="unacknowledge",
    request=Transition,
    reply=Item,
    scope="praxis.transition",
    effect="write",
    positional=("item_id",),
    summary="A person takes an acknowledgement back.",
)
REOPEN: Operation[Transition, Item] = Operation(
    name="reopen",
    request=Transition,
    reply=Item,
    scope="praxis.transition",
    effect="write",
    positional=("item_id",),
    summary="A person takes a resolution back.",
)
UNIGNORE: Operation[Transition, Item] = Operation(
    name="unignore",
    request=Transition,
    reply=Item,
    scope="praxis.transition",
    effect="write",
    positional=("item_id",),
    summary="A person wants to hear of an item again.",
)
PIN: Operation[Transition, Item] = Operation(
    name="pin",
    request=Transition,
    reply=Item,
    scope="praxis.transition",
    effect="write",
    positional=("item_id",),
    summary="A person wants an item on top.",
)
UNPIN: Operation[Transition, Item] = Operation(
    name="unpin",
    request=Transition,
    reply=Item,
    scope="praxis.transition",
    effect="write",
    positional=("item_id",),
    summary="A person no longer wants it on top.",
)
IGNORE: Operation[Ignore, Item] = Operation(
    name="ignore",
    request=Ignore,
    reply=Item,
    scope="praxis.transition",
    effect="write",
    positional=("item_id",),
    summary="A person does not want to hear of an item until a time, a change, or worse.",
)
SEARCH: Operation[Search, ItemList] = Operation(
    name="search",
    request=Search,
    reply=ItemList,
    scope="praxis.read",
    positional=("text",),
    summary="Find items by what they tell, in Russian and English.",
)
LIST_ITEM_CAPABILITIES: Operation[ListItemCapabilities, ApplicableCapabilities] = Operation(
    name="list_item_capabilities",
    request=ListItemCapabilities,
    reply=ApplicableCapabilities,
    scope="praxis.read",
    positional=("item_id",),
    summary="List what Hexis could do about an item.",
)
DELIVER: Operation[Deliver, Delivered] = Operation(
    name="deliver",
    request=Deliver,
    reply=Delivered,
    scope="praxis.observe",
    effect="write",
    largest_body=2 * LARGEST_DELIVERY,
    summary="Tell something in the dialect of its source.",
)
LIST_REJECTED: Operation[ListRejected, RejectedList] = Operation(
    name="list_rejected",
    request=ListRejected,
    reply=RejectedList,
    scope="praxis.admin",
    summary="List deliveries that did not fit their dialect.",
)
REPLAY_REJECTED: Operation[ReplayRejected, Delivered] = Operation(
    name="replay_rejected",
    request=ReplayRejected,
    reply=Delivered,
    scope="praxis.admin",
    effect="write",
    positional=("rejected_id",),
    summary="Read a rejected delivery once more.",
)
PUT_ROUTINE: Operation[PutRoutine, RoutineState] = Operation(
    name="put_routine",
    request=PutRoutine,
    reply=RoutineState,
    scope="praxis.admin",
    effect="write",
    positional=("routine",),
    summary="Expect something by a time, or change what is expected.",
    alias="expect",
)
LIST_ROUTINES: Operation[ListRoutines, RoutineList] = Operation(
    name="list_routines",
    request=ListRoutines,
    reply=RoutineList,
    scope="praxis.read",
    summary="List what is expected by a time, and how it stands.",
)

CONTRACT = Contract(
    "praxis",
    "1.1",
    LIST_ATTENTION,
    LIST_CHANGES,
    WATCH_CHANGES,
    LIST_ITEMS,
    GET_ITEM,
    LIST_ITEM_EXECUTIONS,
    LIST_SOURCES,
    SEARCH,
    LIST_ITEM_CAPABILITIES,
    OBSERVE,
    OBSERVE_BATCH,
    REPORT_EXECUTION,
    MARK_SURFACED,
    ACKNOWLEDGE,
    UNACKNOWLEDGE,
    RESOLVE,
    REOPEN,
    IGNORE,
    UNIGNORE,
    PIN,
    UNPIN,
    PUT_SOURCE,
    DELIVER,
    LIST_REJECTED,
    REPLAY_REJECTED,
    PUT_ROUTINE,
    LIST_ROUTINES,
)

"""Ask Praxis: what needs attention, what changed, items, search, what was done."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from kit.contract import Id, PageLimit, Reply, Request, Time, WaitSeconds
from praxis.contract.state import (
    Attention,
    Item,
    LinkedExecution,
    Operational,
    SourceName,
)


class ListAttention(Request):
    """What needs attention now?"""

    entity_ids: Annotated[list[Id], Meta(max_length=50)] = []
    limit: PageLimit = 50
    together: bool = False
    """Put items of one cause, as their source or their entity has it, on one line."""


class ListChanges(Request):
    """What changed after a cursor, or since an instant?"""

    after: Annotated[int, Meta(ge=0)] | None = None
    """Cursor of the last change already seen; none means from the end (with `since` absent)."""
    since: Time | None = None
    entity_ids: Annotated[list[Id], Meta(max_length=50)] = []
    limit: PageLimit = 100
    wait_s: WaitSeconds = 0.0


class WatchChanges(Request):
    """Tell every change as it happens, from a cursor on."""

    after: Annotated[int, Meta(ge=0)] | None = None
    """None: from now on. A reader that comes back passes the last cursor it has seen."""
    entity_ids: Annotated[list[Id], Meta(max_length=50)] = []


class ListItems(Request):
    """Which items are there, of these entities or of all?"""

    entity_ids: Annotated[list[Id], Meta(max_length=50)] = []
    operational: Operational | None = None
    attention: Attention | None = None
    source: SourceName | None = None
    before: Time | None = None
    """Only those last seen before this; to page, the `last_seen` of the last one shown."""
    limit: PageLimit = 50


class ItemList(Reply):
    """Items, the newest first."""

    items: list[Item]
    total: int


class GetItem(Request):
    """Show one item with its evidence and executions."""

    item_id: Id


class Search(Request):
    """Which items tell of this, in either language?"""

    text: Annotated[str, Meta(min_length=1, max_length=400)]
    operational: Operational | None = None
    limit: PageLimit = 20


class ListItemExecutions(Request):
    """What was done about an item?"""

    item_id: Id


class ExecutionList(Reply):
    """Executions, oldest first."""

    executions: list[LinkedExecution]


class ListItemCapabilities(Request):
    """What could be done about an item? Nothing is done."""

    item_id: Id


class ItemCapability(Reply):
    """Something Hexis may do with the item's entity."""

    capability_id: str
    version: str
    action: str
    title: dict[str, str]
    """Per language."""
    risk: str


class ApplicableCapabilities(Reply):
    """What is applicable, and whether Hexis could be asked."""

    capabilities: list[ItemCapability]
    known: bool = True
    """False: Hexis does not answer, so nothing is known of what could be done."""

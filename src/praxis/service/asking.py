"""What needs attention, what changed, and what is known: nothing here writes."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from kit.errors import NotFound
from kit.trace import Call
from praxis.contract import (
    ApplicableCapabilities,
    AttentionList,
    Change,
    ChangeList,
    ExecutionList,
    GetItem,
    Item,
    ItemList,
    ListAttention,
    ListChanges,
    ListItemCapabilities,
    ListItemExecutions,
    ListItems,
    ListSources,
    Search,
    SourceList,
    WatchChanges,
)
from praxis.service.composed import Composed

_AT_ONCE = 100
_LOOK_AGAIN_S = 60.0
"""A watcher looks again after so long without a beat."""


class Asking(Composed):
    """The reading operations."""

    async def list_attention(self, request: ListAttention, call: Call) -> AttentionList:
        """What needs attention, what was set aside, and why an empty list is to be believed."""
        ranked, total = self._items.attention(
            request.entity_ids, request.limit, together=request.together
        )
        return AttentionList(
            items=ranked,
            total=total,
            sources=[self._state(source) for source in self._book.all() if source.is_registered],
            set_aside=self._items.aside(request.entity_ids, request.limit),
        )

    async def list_changes(self, request: ListChanges, call: Call) -> ChangeList:
        """The feed after a cursor.

        Raises:
            FailedPrecondition: The feed does not hold what follows that cursor.
        """
        after_cursor = request.after
        if after_cursor is None:
            after_cursor = 0 if request.since is not None else self._feed.end()
        ends_at = self._clock.monotonic() + request.wait_s
        while True:
            page = self._feed.page(after_cursor, request.since, request.entity_ids, request.limit)
            # Nothing runs between this read and the wait, so no beat falls in between.
            remaining = ends_at - self._clock.monotonic()
            if page.changes or not await self._pulse.wait(remaining):
                return page

    async def watch_changes(self, request: WatchChanges, call: Call) -> AsyncGenerator[Change]:
        """The feed from a cursor on, as it grows, until the part stops or the reader leaves.

        Raises:
            FailedPrecondition: The feed does not hold what follows that cursor.
        """
        after = self._feed.end() if request.after is None else request.after
        while not self._pulse.is_closed:
            page = self._feed.page(after, None, request.entity_ids, _AT_ONCE)
            if page.next_after == after:
                await self._pulse.wait(_LOOK_AGAIN_S)
                continue
            after = page.next_after
            for change in page.changes:
                yield change

    async def list_items(self, request: ListItems, call: Call) -> ItemList:
        """Items of some entities or of all."""
        found, total = self._items.list(request)
        return ItemList(items=found, total=total)

    async def get_item(self, request: GetItem, call: Call) -> Item:
        """One item.

        Raises:
            NotFound: There is none of this id.
        """
        item = self._items.get(request.item_id)
        if item is None:
            raise NotFound(f"There is no item {request.item_id}.", field="item_id")
        return item

    async def search(self, request: Search, call: Call) -> ItemList:
        """Items that tell of a text, the best first."""
        found = await self._finder.find(request.text, request.operational, request.limit)
        return ItemList(items=self._items.these(found), total=len(found))

    async def list_item_executions(self, request: ListItemExecutions, call: Call) -> ExecutionList:
        """What was done about an item.

        Raises:
            NotFound: There is none of this id.
        """
        item = await self.get_item(GetItem(request.item_id), call)
        return ExecutionList(executions=item.executions)

    async def list_item_capabilities(
        self, request: ListItemCapabilities, call: Call
    ) -> ApplicableCapabilities:
        """What Hexis could do with the entity of an item; nothing is done.

        Raises:
            NotFound: There is no such item.
        """
        item = await self.get_item(GetItem(request.item_id), call)
        return await self._applicable.to(item.entity_id)

    async def list_sources(self, request: ListSources, call: Call) -> SourceList:
        """Sources of some entities or all."""
        wanted = set(request.entity_ids)
        return SourceList(
            sources=[
                self._state(source)
                for source in self._book.all()
                if not wanted or wanted & {source.entity_id, source.named_entity_id}
            ]
        )

"""Typed access to Praxis for other parts."""

from __future__ import annotations

from kit.client import Client, remote, streamed
from praxis import contract as table


class PraxisClient(Client):
    """One method per operation of the contract."""

    contract = table.CONTRACT

    list_attention = remote(table.LIST_ATTENTION)
    list_changes = remote(table.LIST_CHANGES)
    watch_changes = streamed(table.WATCH_CHANGES)
    list_items = remote(table.LIST_ITEMS)
    get_item = remote(table.GET_ITEM)
    list_item_executions = remote(table.LIST_ITEM_EXECUTIONS)
    list_sources = remote(table.LIST_SOURCES)
    observe = remote(table.OBSERVE)
    report_execution = remote(table.REPORT_EXECUTION)
    mark_surfaced = remote(table.MARK_SURFACED)
    acknowledge = remote(table.ACKNOWLEDGE)
    resolve = remote(table.RESOLVE)
    put_source = remote(table.PUT_SOURCE)
    search = remote(table.SEARCH)
    list_item_capabilities = remote(table.LIST_ITEM_CAPABILITIES)
    observe_batch = remote(table.OBSERVE_BATCH)
    unacknowledge = remote(table.UNACKNOWLEDGE)
    reopen = remote(table.REOPEN)
    ignore = remote(table.IGNORE)
    unignore = remote(table.UNIGNORE)
    pin = remote(table.PIN)
    unpin = remote(table.UNPIN)
    deliver = remote(table.DELIVER)
    list_rejected = remote(table.LIST_REJECTED)
    replay_rejected = remote(table.REPLAY_REJECTED)
    put_routine = remote(table.PUT_ROUTINE)
    list_routines = remote(table.LIST_ROUTINES)

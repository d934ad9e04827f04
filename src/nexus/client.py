"""Typed access to Nexus for other parts."""

from __future__ import annotations

from kit.client import Client, remote
from nexus import contract as table


class NexusClient(Client):
    """One method per operation of the contract."""

    contract = table.CONTRACT

    resolve = remote(table.RESOLVE)
    get_entity = remote(table.GET_ENTITY)
    list_entities = remote(table.LIST_ENTITIES)
    list_relations = remote(table.LIST_RELATIONS)
    list_history = remote(table.LIST_HISTORY)
    create_entity = remote(table.CREATE_ENTITY)
    add_alias = remote(table.ADD_ALIAS)
    archive_entity = remote(table.ARCHIVE_ENTITY)
    apply_catalog = remote(table.APPLY_CATALOG)

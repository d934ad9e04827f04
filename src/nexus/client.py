"""Typed access to Nexus for other parts."""

from __future__ import annotations

from kit.client import Client, remote
from nexus import contract as table


class NexusClient(Client):
    """One method per operation of the contract."""

    contract = table.CONTRACT

    resolve = remote(table.RESOLVE)
    resolve_batch = remote(table.RESOLVE_BATCH)
    search = remote(table.SEARCH)
    suggest = remote(table.SUGGEST)
    get_entity = remote(table.GET_ENTITY)
    list_entities = remote(table.LIST_ENTITIES)
    list_relations = remote(table.LIST_RELATIONS)
    get_neighbourhood = remote(table.GET_NEIGHBOURHOOD)
    list_history = remote(table.LIST_HISTORY)
    list_changes = remote(table.LIST_CHANGES)
    export_catalog = remote(table.EXPORT_CATALOG)
    give_feedback = remote(table.GIVE_FEEDBACK)
    create_entity = remote(table.CREATE_ENTITY)
    update_entity = remote(table.UPDATE_ENTITY)
    archive_entity = remote(table.ARCHIVE_ENTITY)
    merge_entities = remote(table.MERGE_ENTITIES)
    split_entity = remote(table.SPLIT_ENTITY)
    add_alias = remote(table.ADD_ALIAS)
    retract_alias = remote(table.RETRACT_ALIAS)
    map_external = remote(table.MAP_EXTERNAL)
    unmap_external = remote(table.UNMAP_EXTERNAL)
    relate = remote(table.RELATE)
    unrelate = remote(table.UNRELATE)
    apply_catalog = remote(table.APPLY_CATALOG)
    propose_entities = remote(table.PROPOSE_ENTITIES)
    list_proposals = remote(table.LIST_PROPOSALS)
    accept_proposal = remote(table.ACCEPT_PROPOSAL)
    reject_proposal = remote(table.REJECT_PROPOSAL)

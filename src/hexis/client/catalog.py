"""Looking at what Hexis can do; nothing here can make it do anything."""

from __future__ import annotations

from hexis.contract import catalog
from kit.client import Client, remote
from kit.contract import Contract


class Catalog(Client):
    """The reading half of the contract."""

    contract = Contract("hexis", "1.0", *catalog.OPERATIONS)

    list_capabilities = remote(catalog.LIST_CAPABILITIES)
    get_capability = remote(catalog.GET_CAPABILITY)

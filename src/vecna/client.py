"""Typed access to Vecna for other parts and agents."""

from __future__ import annotations

from kit.client import Client, remote
from vecna import contract as table


class VecnaClient(Client):
    """One method per operation of the contract."""

    contract = table.CONTRACT

    connect = remote(table.CONNECT)
    recall = remote(table.RECALL)
    get_fragment = remote(table.GET_FRAGMENT)

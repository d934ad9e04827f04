"""Typed access to Maven: the only way in, for channels too."""

from __future__ import annotations

from kit.client import Client, remote
from maven import contract as table


class MavenClient(Client):
    """One method per operation of the contract."""

    contract = table.CONTRACT

    take_turn = remote(table.TAKE_TURN)
    get_turn = remote(table.GET_TURN)
    list_turns = remote(table.LIST_TURNS)
    list_notifications = remote(table.LIST_NOTIFICATIONS)

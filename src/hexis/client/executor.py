"""Making Hexis act, within what it allows and a person confirms."""

from __future__ import annotations

from hexis.client.catalog import Catalog
from hexis.contract import CONTRACT, execution
from kit.client import remote


class Executor(Catalog):
    """The whole contract."""

    contract = CONTRACT

    execute = remote(execution.EXECUTE)
    get_execution = remote(execution.GET_EXECUTION)
    list_executions = remote(execution.LIST_EXECUTIONS)
    list_confirmations = remote(execution.LIST_CONFIRMATIONS)
    confirm = remote(execution.CONFIRM)
    refuse = remote(execution.REFUSE)

"""The contract of Hexis: `catalog` to look, `execution` to act."""

from __future__ import annotations

from hexis.contract import catalog, execution
from kit.contract import Contract

CONTRACT = Contract("hexis", "1.0", *catalog.OPERATIONS, *execution.OPERATIONS)

"""Who may have what done, by kind of requester and risk; what is not listed is denied.

Which program may call at all, and for whom it may speak, is said by its grant.
"""

from __future__ import annotations

from typing import Literal

from hexis.contract.catalog import Risk

Decision = Literal["run", "confirm", "deny"]
"""`confirm`: a person has to say yes first."""

_TABLE: dict[str, dict[Risk, Decision]] = {
    "user": {"read": "run", "low": "run", "protected": "confirm", "critical": "confirm"},
    "agent": {"read": "run"},
}


def decide(requester: str, risk: Risk) -> Decision:
    """Whether this may run for this requester, at once or after a yes."""
    return _TABLE.get(_kind(requester), {}).get(risk, "deny")


def may_see(requester: str, risk: Risk) -> bool:
    """Whether it is listed; a part may look at everything and run nothing by itself."""
    return _kind(requester) == "service" or decide(requester, risk) != "deny"


def may_confirm(requester: str) -> bool:
    """Only people consent."""
    return _kind(requester) == "user"


def sees_all_executions(requester: str) -> bool:
    """People see what was done for anyone, agents and parts what was done for themselves."""
    return _kind(requester) == "user"


def _kind(requester: str) -> str:
    return requester.partition(":")[0]

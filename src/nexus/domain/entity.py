"""What may be said of an entity: fit names, who may vouch for one, relations without cycles."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from typing import Literal

from nexus.contract import Predicate
from nexus.domain.names import readings

Origin = Literal["declared", "imported", "confirmed", "suggested"]

HIERARCHICAL: frozenset[Predicate] = frozenset({"part_of", "located_in"})
"""Predicates along which nothing may contain itself."""
CATALOG_SYSTEM = "catalog"
"""The system whose external ids are the keys of declared catalogs."""
_STRENGTH: dict[Origin, int] = {"suggested": 0, "imported": 1, "declared": 2, "confirmed": 3}


def tidy(text: str) -> str:
    """A name as it is kept: composed, without space around it."""
    return unicodedata.normalize("NFC", text).strip()


def fault_in_name(text: str) -> str | None:
    """Why this cannot be a name, or None."""
    if any(unicodedata.category(character) in {"Cc", "Cf", "Co"} for character in text):
        return "A name holds no control characters and no invisible ones."
    if not readings(text):
        return "A name has at least one letter or digit."
    return None


def fault_in_external_id(text: str) -> str | None:
    """Why this cannot be an id of another system, or None."""
    if text != text.strip() or any(unicodedata.category(each) == "Cc" for each in text):
        return "An external id has no control characters and no space around it."
    return None


def may_vouch(origin: Origin, requester: str) -> bool:
    """Whether this requester may add an alias of this origin.

    Only a person confirms, and what an agent offers stays a suggestion until a person takes it.
    """
    if origin == "confirmed":
        return requester.startswith("user:")
    return origin == "suggested" or not requester.startswith("agent:")


def stronger(kept: Origin, offered: Origin) -> Origin:
    """The origin of an alias that is given a second time."""
    return offered if _STRENGTH[offered] > _STRENGTH[kept] else kept


def makes_cycle(subject: str, target: str, above: Callable[[str], Iterable[str]]) -> bool:
    """Whether `subject` would come to stand above itself.

    Args:
        subject: the entity the new relation starts at.
        target: the entity it leads to.
        above: the objects an entity already has under the same predicate.
    """
    seen: set[str] = set()
    ahead = [target]
    while ahead:
        entity = ahead.pop()
        if entity == subject:
            return True
        if entity not in seen:
            seen.add(entity)
            ahead += above(entity)
    return False

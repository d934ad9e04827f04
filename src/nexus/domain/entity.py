"""What may be said of an entity: fit names and texts, and who may vouch for a name."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from kit.visible import visible_line
from nexus.contract import Origin
from nexus.domain.names import readings

CATALOG_SYSTEM = "catalog"
"""The system whose external ids are the keys of declared catalogs."""
LONGEST_ATTRIBUTE = 2000
"""Characters of an attribute's value at most."""
_STRENGTH: dict[Origin, int] = {"suggested": 0, "imported": 1, "declared": 2, "confirmed": 3}


def tidy(text: str) -> str:
    """A name as it is kept: composed, without space around it."""
    return unicodedata.normalize("NFC", text).strip()


def fault_in_name(text: str) -> str | None:
    """Why this cannot be a name, or None."""
    if _holds_unseen(text) or any(unicodedata.category(each) == "Co" for each in text):
        return "A name holds no control characters and no invisible ones."
    if not readings(text):
        return "A name has at least one letter or digit."
    return None


def fault_in_external_id(text: str) -> str | None:
    """Why this cannot be an id of another system, or None."""
    if text != text.strip() or _holds_unseen(text):
        return "An external id has no control or invisible characters and no space around it."
    return None


def fault_in_text(text: str) -> str | None:
    """Why this cannot be a passage of text, or None."""
    if any(unicodedata.category(each) == "Cc" and each not in "\n\t" for each in text):
        return "A text holds no control characters but line breaks and tabs."
    return None


def fault_in_attribute(name: str, value: object) -> str | None:
    """Why this cannot be an attribute, or None."""
    if name != name.strip() or _holds_unseen(name):
        return (
            "The name of an attribute has no control or invisible characters and no space"
            " around it."
        )
    if isinstance(value, str):
        if len(value) > LONGEST_ATTRIBUTE:
            return f"An attribute has at most {LONGEST_ATTRIBUTE} characters."
        return fault_in_text(value)
    return None


def _holds_unseen(text: str) -> bool:
    """Whether a reader would not see, or be misled by, a character of it."""
    return visible_line(text) != text


def is_agent(requester: str) -> bool:
    """Whether a program that thinks for itself asks, and no person."""
    return requester.startswith("agent:")


def may_vouch(origin: Origin, requester: str) -> bool:
    """Whether this requester may add an alias of this origin.

    Only a person confirms, and what an agent offers stays a suggestion until a person takes it.
    """
    if origin == "confirmed":
        return requester.startswith("user:")
    return origin == "suggested" or not is_agent(requester)


def is_stronger(origin: Origin, other: Origin) -> bool:
    """Whether one who vouches in this way counts more than one who does in the other."""
    return _STRENGTH[origin] > _STRENGTH[other]


def replaced(names: Mapping[str, str], given: Mapping[str, str]) -> list[tuple[str, str]]:
    """Language and text of each display name that is a name no more once these are given."""
    after = {**names, **given}
    return [(language, text) for language, text in names.items() if text not in after.values()]

"""Refuse what cannot be a name, an id or a fact, and name the field it stands in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from kit.errors import InvalidArgument, PermissionDenied
from nexus.contract import CatalogEntry, CreateEntity, Discovery, Names, Origin
from nexus.domain.entity import (
    CATALOG_SYSTEM,
    fault_in_attribute,
    fault_in_external_id,
    fault_in_name,
    fault_in_text,
    may_vouch,
    tidy,
)


def checked_new(sent: CreateEntity) -> CreateEntity:
    """A new entity with tidy names.

    Raises:
        InvalidArgument: Something in it cannot be; `field` says what.
    """
    check_described(sent.description, sent.attributes, "")
    return msgspec.structs.replace(
        sent,
        names=checked_names(sent.names, ""),
        aliases=_checked_aliases(sent.aliases, ""),
        external=_checked_external(sent.external, ""),
        why=checked_text(sent.why, "why"),
    )


def checked_entries(entries: Sequence[CatalogEntry]) -> list[CatalogEntry]:
    """The entries of a catalog with tidy names.

    Raises:
        InvalidArgument: Something in one cannot be, or names a key that is not there.
    """
    keys: set[str] = set()
    checked: list[CatalogEntry] = []
    for at, entry in enumerate(entries):
        path = f"entries[{at}]."
        if entry.key in keys:
            raise InvalidArgument(f"The key {entry.key!r} appears twice.", field=f"{path}key")
        keys.add(entry.key)
        check_described(entry.description, entry.attributes, path)
        checked.append(
            msgspec.structs.replace(
                entry,
                names=checked_names(entry.names, path),
                aliases=_checked_aliases(entry.aliases, path),
                external=_checked_external(entry.external, path),
            )
        )
    for at, entry in enumerate(entries):
        for predicate, named in entry.relations.items():
            for key in {named} - keys if isinstance(named, str) else set(named) - keys:
                raise InvalidArgument(
                    f"This catalog has no entry {key!r}.",
                    field=f"entries[{at}].relations.{predicate}",
                )
    return checked


def checked_discoveries(discoveries: Sequence[Discovery]) -> list[Discovery]:
    """Discovered things with tidy names.

    Raises:
        InvalidArgument: Something in one cannot be; `field` says what.
    """
    checked: list[Discovery] = []
    for at, each in enumerate(discoveries):
        path = f"discoveries[{at}]."
        check_system(each.system, f"{path}system")
        check_external_id(each.external_id, f"{path}external_id")
        check_described(each.description, {}, path)
        checked.append(
            msgspec.structs.replace(
                each,
                names=checked_names(each.names, path),
                aliases=_checked_aliases(each.aliases, path),
                evidence=checked_text(each.evidence, f"{path}evidence"),
            )
        )
    return checked


def checked_names(names: Names, path: str) -> Names:
    """Display names as they are kept.

    Raises:
        InvalidArgument: One cannot be a name.
    """
    return {
        language: checked_name(text, f"{path}names.{language}") for language, text in names.items()
    }


def checked_name(text: str, field: str) -> str:
    """A name as it is kept.

    Raises:
        InvalidArgument: It cannot be one.
    """
    _refuse(fault_in_name(text), field)
    return tidy(text)


def checked_text(text: str, field: str) -> str:
    """A passage of text.

    Raises:
        InvalidArgument: It holds control characters.
    """
    _refuse(fault_in_text(text), field)
    return text


def check_described(
    description: Mapping[Any, str], attributes: Mapping[str, Any], path: str
) -> None:
    """Refuse a description or an attribute that cannot be one.

    Raises:
        InvalidArgument: It cannot.
    """
    for language, text in description.items():
        _refuse(fault_in_text(text), f"{path}description.{language}")
    for name, value in attributes.items():
        _refuse(fault_in_attribute(name, value), f"{path}attributes.{name}")


def check_system(system: str, field: str) -> None:
    """Refuse what only catalogs give.

    Raises:
        InvalidArgument: It is the system of their keys.
    """
    if system == CATALOG_SYSTEM:
        raise InvalidArgument(
            "Keys of catalogs are given by applying them.", reason="system_reserved", field=field
        )


def check_external_id(external_id: str, field: str) -> None:
    """Refuse what cannot be an external id.

    Raises:
        InvalidArgument: It cannot.
    """
    _refuse(fault_in_external_id(external_id), field)


def require_may_vouch(origin: Origin, requester: str, field: str) -> None:
    """Refuse a requester that may not vouch in this way.

    Raises:
        PermissionDenied: A person confirms, and an agent only suggests.
    """
    if not may_vouch(origin, requester):
        raise PermissionDenied(
            f"{requester} may not vouch for this as {origin!r}; a person confirms, an agent"
            " suggests.",
            reason="origin_foreign",
            field=field,
        )


def _checked_aliases(aliases: Sequence[str], path: str) -> list[str]:
    return [checked_name(text, f"{path}aliases[{at}]") for at, text in enumerate(aliases)]


def _checked_external(external: Mapping[str, str], path: str) -> dict[str, str]:
    for system, external_id in external.items():
        field = f"{path}external.{system}"
        check_system(system, field)
        check_external_id(external_id, field)
    return dict(external)


def _refuse(fault: str | None, field: str) -> None:
    if fault is not None:
        raise InvalidArgument(fault, field=field)

"""What differs between two states of one entity, in words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from nexus.contract import Entity


def differences(before: Entity, after: Entity) -> list[str]:
    """Each thing that differs, as `name en: "Old" → "New"`."""
    was, now = _facts(before), _facts(after)
    return [
        _said(fact, was.get(fact), now.get(fact))
        for fact in [*was, *(fact for fact in now if fact not in was)]
        if was.get(fact) != now.get(fact)
    ]


def is_same(before: Entity, after: Entity) -> bool:
    """Whether nothing was said of the entity itself in between.

    How the far ends of its relations are called is said of them.
    """
    return _facts(before) == _facts(after)


def _facts(entity: Entity) -> dict[str, Any]:
    return dict(_each_fact(entity))


def _each_fact(entity: Entity) -> Iterator[tuple[str, Any]]:
    yield "type", entity.type
    yield "status", entity.status
    yield from _of_map("name", entity.names)
    yield from _of_map("description", entity.description)
    yield from _of_map("attribute", entity.attributes)
    for alias in entity.aliases:
        yield f"alias {_quoted(alias.text)}", f"{alias.origin}, {alias.language}"
    for each in entity.external:
        vouched = f"{each.origin}, {each.confidence:g}"
        yield f"external {each.system}:{each.external_id}", vouched
    for relation in entity.relations:
        yield f"relation {relation.predicate} {relation.entity_id}", ""
    for former in entity.merged:
        yield f"merged {former}", ""


def _of_map(kind: str, said: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in said.items():
        yield f"{kind} {key}", (type(value), value)


def _said(fact: str, was: Any, now: Any) -> str:
    if was is None:
        return f"{fact}: added" if not _shown(now) else f"{fact}: → {_shown(now)}"
    if now is None:
        return f"{fact}: removed"
    return f"{fact}: {_shown(was)} → {_shown(now)}"


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return _quoted(value[1])
    return str(value)


def _quoted(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)

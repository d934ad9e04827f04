"""What relations mean: how each reads from its far end, and along which nothing holds itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from nexus.contract import Predicate

HIERARCHICAL: frozenset[Predicate] = frozenset({"part_of", "located_in", "member_of"})
"""Predicates along which nothing may contain itself."""
_INVERSE: dict[Predicate, str] = {
    "part_of": "has_part",
    "runs_on": "runs",
    "depends_on": "needed_by",
    "source_of": "built_from",
    "owned_by": "owns",
    "located_in": "contains",
    "works_on": "worked_on_by",
    "tracks": "tracked_by",
    "uses": "used_by",
    "provides": "provided_by",
    "consumes": "consumed_by",
    "member_of": "has_member",
    "controls": "controlled_by",
    "monitors": "monitored_by",
}


def inverse_of(predicate: Predicate) -> str:
    """How the object stands to the subject."""
    return _INVERSE.get(predicate) or f"inverse of {predicate}"


def leads_to(start: str, goal: str, above: Callable[[str], Iterable[str]]) -> bool:
    """Whether one comes from `start` to `goal` by steps upwards; no step is needed to stay.

    Args:
        start: where the way begins.
        goal: the entity that is looked for.
        above: the objects an entity has under the predicate in question.
    """
    seen: set[str] = set()
    ahead = [start]
    while ahead:
        entity = ahead.pop()
        if entity == goal:
            return True
        if entity not in seen:
            seen.add(entity)
            ahead += above(entity)
    return False


def is_in_cycle(entity: str, above: Callable[[str], Iterable[str]]) -> bool:
    """Whether an entity stands above itself."""
    return any(leads_to(each, entity, above) for each in above(entity))


def find_cycle(above: Mapping[str, Iterable[str]]) -> list[str]:
    """The entities of one cycle, each below the next; empty where there is none."""
    finished: set[str] = set()
    for start in above:
        way: list[str] = []
        on_way: set[str] = set()
        ahead: list[tuple[str, bool]] = [(start, True)]
        while ahead:
            entity, is_entered = ahead.pop()
            if not is_entered:
                finished.add(entity)
                on_way.discard(way.pop())
            elif entity in on_way:
                return way[way.index(entity) :]
            elif entity not in finished:
                way.append(entity)
                on_way.add(entity)
                ahead.append((entity, False))
                ahead += ((each, True) for each in above.get(entity, ()))
    return []

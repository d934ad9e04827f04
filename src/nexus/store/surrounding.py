"""What an entity is related to, near and far."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from nexus.contract import Neighbour, Neighbourhood, Predicate, Relation
from nexus.domain.relations import inverse_of
from nexus.store.reading import Query, among, read_each

_MOST_ARROWS = 2000
"""Arrows looked at for one step of a neighbourhood."""


def read_relations(query: Query, entity_id: str) -> list[Relation]:
    """The arrows from and to an entity that stands for itself."""
    leaving, _ = _read(query, _FROM, [entity_id], (), -1)
    arriving, _ = _read(query, _TO, [entity_id], (), -1)
    found = {**leaving, **arriving}
    return [found[arrow] for arrow in sorted(found)]


def read_neighbourhood(
    query: Query,
    start: str,
    depth: int,
    predicates: Sequence[Predicate],
    limit: int,
) -> Neighbourhood:
    """What is around an entity that stands for itself, the nearest first."""
    distances = {start: 0}
    is_whole = True
    edge = [start]
    for distance in range(1, depth + 1):
        leaving, are_all_leaving = _read(query, _FROM, edge, predicates, _MOST_ARROWS)
        arriving, are_all_arriving = _read(query, _TO, edge, predicates, _MOST_ARROWS)
        is_whole = is_whole and are_all_leaving and are_all_arriving
        reached = {target for _, _, target in leaving} | {subject for subject, _, _ in arriving}
        edge = sorted(reached - distances.keys())
        if len(distances) + len(edge) > limit:
            is_whole = False
            edge = edge[: limit - len(distances)]
        distances.update(dict.fromkeys(edge, distance))
        if not edge:
            break
    entities = [
        Neighbour(
            entity_id=each.entity_id,
            type=each.type,
            names=each.names,
            distance=distances[each.entity_id],
        )
        for each in read_each(query, list(distances))
    ]
    inner, _ = _read(query, _AMONG, distances, predicates, -1)
    return Neighbourhood(
        entities=sorted(entities, key=lambda each: (each.distance, each.entity_id)),
        relations=[inner[arrow] for arrow in sorted(inner)],
        is_whole=is_whole,
    )


_ARROWS = (
    "SELECT coalesce(theirs.successor, theirs.entity_id) AS subject, predicate,"
    " coalesce(far.successor, far.entity_id) AS object, origin FROM relation"
    " JOIN entity AS theirs ON theirs.entity_id = subject"
    " JOIN entity AS far ON far.entity_id = object"
    " WHERE withdrawn_by IS NULL"
    " AND (?2 = '[]' OR predicate IN (SELECT value FROM json_each(?2)))"
)
_ORDER = " ORDER BY relation.subject, predicate, relation.object LIMIT ?3"
_SPEAKING = (
    "(SELECT value FROM json_each(?1) UNION ALL"
    " SELECT entity_id FROM entity WHERE successor IN (SELECT value FROM json_each(?1)))"
)
_FROM = f"{_ARROWS} AND relation.subject IN {_SPEAKING}{_ORDER}"
_TO = f"{_ARROWS} AND relation.object IN {_SPEAKING}{_ORDER}"
_AMONG = f"{_ARROWS} AND relation.subject IN {_SPEAKING} AND relation.object IN {_SPEAKING}{_ORDER}"
_Arrows = dict[tuple[str, str, str], Relation]


def _read(
    query: Query, sql: str, ids: Collection[str], predicates: Sequence[Predicate], limit: int
) -> tuple[_Arrows, bool]:
    """The arrows, and whether the limit left none out."""
    arrows: _Arrows = {}
    rows = query(sql, (among(ids), json.dumps(list(predicates)), limit))
    for row in rows:
        arrow = (row["subject"], row["predicate"], row["object"])
        if arrow[0] != arrow[2]:
            arrows[arrow] = Relation(
                subject=arrow[0],
                predicate=arrow[1],
                object=arrow[2],
                inverse=inverse_of(arrow[1]),
                origin=row["origin"],
            )
    return arrows, len(rows) != limit

"""Active entities as a catalog would declare them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from nexus.contract import Entity, ExportedEntry
from nexus.domain.entity import CATALOG_SYSTEM
from nexus.store.reading import Query, among, read_entities

_CATALOGS = (
    "WITH RECURSIVE each(name) AS ("
    "SELECT min(external_id) FROM external_reference WHERE system = ?1"
    " UNION ALL SELECT (SELECT min(external_id) FROM external_reference"
    " WHERE system = ?1 AND external_id >= substr(name, 1, instr(name, ':') - 1) || ';')"
    " FROM each WHERE name IS NOT NULL"
    ") SELECT substr(name, 1, instr(name, ':') - 1) AS name FROM each WHERE name IS NOT NULL"
)
"""The name of every catalog, from one to the next through the index; `;` follows `:`."""


def ids_of_catalog(
    query: Query, catalog: str, entity_type: str | None, after: str, limit: int
) -> list[str]:
    """Active entities that a catalog declares, in the order of their ids."""
    rows = query(
        "SELECT DISTINCT entity.entity_id, entity.type FROM external_reference AS declared"
        " JOIN entity AS named USING (entity_id)"
        " JOIN entity ON entity.entity_id = coalesce(named.successor, named.entity_id)"
        " WHERE system = ?1 AND external_id >= ?2 || ':' AND external_id < ?2 || ';'"
        " AND declared.withdrawn_by IS NULL AND entity.status = 'active'"
        " AND entity.entity_id > ?3"
        " AND (?4 IS NULL OR entity.type = ?4 OR entity.type LIKE ?4 || '.%')"
        " ORDER BY entity.entity_id LIMIT ?5",
        (CATALOG_SYSTEM, catalog, after, entity_type, limit),
    )
    return [row["entity_id"] for row in rows]


def export(
    query: Query,
    ids: Sequence[str],
    is_wanted: Callable[[str], bool],
    catalog: str | None = None,
) -> list[ExportedEntry]:
    """These entities as entries.

    A suggested alias stays out, since an entry vouches for its aliases.

    Args:
        query: reads the tables.
        ids: active entities.
        is_wanted: whether entities of this type are exported, so that a relation may lead there.
        catalog: the one whose keys they bear; None lets each bear its first catalog's.
    """
    entities = read_entities(query, ids)
    far = {related.entity_id for entity in entities for related in entity.relations}
    others = read_entities(query, far - set(ids))
    keys = _keys(query, [*entities, *others], catalog)
    exported = {
        entity.entity_id
        for entity in (*entities, *others)
        if entity.status == "active" and is_wanted(entity.type)
    }
    return [_entry(entity, keys, exported) for entity in entities]


def _entry(entity: Entity, keys: dict[str, str], exported: set[str]) -> ExportedEntry:
    relations: dict[str, list[str]] = {}
    for related in entity.relations:
        if related.entity_id in exported:
            relations.setdefault(related.predicate, []).append(keys[related.entity_id])
    external: dict[str, str] = {}
    for each in entity.external:
        if each.system != CATALOG_SYSTEM:
            external.setdefault(each.system, each.external_id)
    return ExportedEntry(
        key=keys[entity.entity_id],
        type=entity.type,
        names=entity.names,
        aliases=[alias.text for alias in entity.aliases if alias.origin != "suggested"],
        description=entity.description,
        attributes=entity.attributes,
        external=external,
        relations=relations,
    )


def _keys(query: Query, entities: Iterable[Entity], catalog: str | None) -> dict[str, str]:
    """The key of each: its first catalog's, unless another catalog means something else by it."""
    start = "" if catalog is None else f"{catalog}:"
    catalogs = [row["name"] for row in query(_CATALOGS, [CATALOG_SYSTEM])]
    wanted = {
        entity.entity_id: next(
            (
                each.external_id.partition(":")[2]
                for each in entity.external
                if each.system == CATALOG_SYSTEM and each.external_id.startswith(start)
            ),
            None,
        )
        for entity in entities
    }
    owners: dict[str, set[str]] = {}
    for row in query(
        "SELECT external_id, coalesce(successor, entity_id) AS owner FROM external_reference"
        " JOIN entity USING (entity_id)"
        " WHERE system = ? AND external_id IN (SELECT value FROM json_each(?))",
        (
            CATALOG_SYSTEM,
            among(f"{catalog}:{key}" for key in wanted.values() if key for catalog in catalogs),
        ),
    ):
        owners.setdefault(row["external_id"].partition(":")[2], set()).add(row["owner"])
    if catalog is not None:
        return {each: key or each.partition("_")[2] for each, key in wanted.items()}
    return {
        entity_id: key if key and owners.get(key) == {entity_id} else entity_id.partition("_")[2]
        for entity_id, key in wanted.items()
    }

-- What was said of an entity stays with it when it is merged into another: the other shows it as
-- its own through `successor`, and a split has nothing to give back.

ALTER TABLE entity ADD COLUMN attributes TEXT NOT NULL DEFAULT '{}';
ALTER TABLE entity ADD COLUMN merged_into TEXT REFERENCES entity
    CHECK ((status = 'merged') = (merged_into IS NOT NULL));
-- The end of the chain of `merged_into`: the entity that answers for this one.
ALTER TABLE entity ADD COLUMN successor TEXT REFERENCES entity
    CHECK ((merged_into IS NULL) = (successor IS NULL));
-- The catalog that archived it because it declares it no more, and may take it back into use.
ALTER TABLE entity ADD COLUMN pruned_by TEXT;
CREATE INDEX entity_merged_into ON entity (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX entity_successor ON entity (successor) WHERE successor IS NOT NULL;
CREATE INDEX entity_of_kind ON entity (type, status, entity_id);

-- `withdrawn_by`, here and below: the successor of which this was taken back while it answered;
-- a split forgets it.
ALTER TABLE entity_name ADD COLUMN withdrawn_by TEXT REFERENCES entity;
CREATE INDEX entity_name_text ON entity_name (text);

CREATE TABLE alias_by_origin (
    entity_id    TEXT NOT NULL REFERENCES entity,
    text         TEXT NOT NULL,
    origin       TEXT NOT NULL
                 CHECK (origin IN ('declared', 'imported', 'confirmed', 'suggested')),
    language     TEXT NOT NULL,
    state        TEXT NOT NULL CHECK (state IN ('active', 'rejected')),
    requester    TEXT NOT NULL, -- who added or rejected it last, and when
    at           TEXT NOT NULL,
    catalog      TEXT, -- the catalog that lists it, which may also take it away
    withdrawn_by TEXT REFERENCES entity,
    PRIMARY KEY (entity_id, text, origin)
) STRICT, WITHOUT ROWID;
INSERT INTO alias_by_origin
SELECT alias.entity_id, alias.text, alias.origin, alias.language, 'active',
       coalesce(first.requester, ''), coalesce(first.at, ''), alias.catalog, NULL
FROM alias LEFT JOIN history AS first ON first.cursor = (
    SELECT min(history.cursor) FROM history, json_each(history.after, '$.aliases') AS said
    WHERE history.entity_id = alias.entity_id
      AND json_extract(said.value, '$.text') = alias.text
      AND json_extract(said.value, '$.origin') = alias.origin
);
DROP TABLE alias;
ALTER TABLE alias_by_origin RENAME TO alias;

ALTER TABLE external_reference ADD COLUMN origin TEXT NOT NULL DEFAULT 'declared'
    CHECK (origin IN ('declared', 'imported', 'confirmed', 'suggested'));
ALTER TABLE external_reference ADD COLUMN confidence REAL NOT NULL DEFAULT 1.0;
ALTER TABLE external_reference ADD COLUMN requester TEXT NOT NULL DEFAULT '';
ALTER TABLE external_reference ADD COLUMN at TEXT NOT NULL DEFAULT '';
ALTER TABLE external_reference ADD COLUMN withdrawn_by TEXT REFERENCES entity;
UPDATE external_reference SET origin = 'imported' WHERE catalog IS NOT NULL;
UPDATE external_reference SET (requester, at) = (
    SELECT requester, at FROM history
    WHERE history.entity_id = external_reference.entity_id ORDER BY cursor LIMIT 1
) WHERE entity_id IN (SELECT entity_id FROM history);

ALTER TABLE relation ADD COLUMN origin TEXT NOT NULL DEFAULT 'declared'
    CHECK (origin IN ('declared', 'imported', 'confirmed', 'suggested'));
ALTER TABLE relation ADD COLUMN requester TEXT NOT NULL DEFAULT '';
ALTER TABLE relation ADD COLUMN at TEXT NOT NULL DEFAULT '';
ALTER TABLE relation ADD COLUMN withdrawn_by TEXT REFERENCES entity;
UPDATE relation SET origin = 'imported' WHERE catalog IS NOT NULL;

ALTER TABLE history ADD COLUMN why TEXT NOT NULL DEFAULT '';

CREATE TABLE proposal (
    proposal_id TEXT PRIMARY KEY,
    system      TEXT NOT NULL,
    external_id TEXT NOT NULL,
    type        TEXT NOT NULL,
    names       TEXT NOT NULL,
    aliases     TEXT NOT NULL,
    description TEXT NOT NULL,
    evidence    TEXT NOT NULL,
    state       TEXT NOT NULL CHECK (state IN ('pending', 'accepted', 'rejected')),
    proposed_at TEXT NOT NULL,
    proposed_by TEXT NOT NULL,
    entity_id   TEXT REFERENCES entity, -- what it became
    decided_at  TEXT,
    decided_by  TEXT,
    why         TEXT NOT NULL DEFAULT '',
    UNIQUE (system, external_id),
    CHECK ((state = 'pending') = (decided_at IS NULL)),
    CHECK ((state = 'accepted') = (entity_id IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX proposal_in_state ON proposal (state, proposal_id);
CREATE INDEX proposal_of_system ON proposal (system, state, proposal_id);

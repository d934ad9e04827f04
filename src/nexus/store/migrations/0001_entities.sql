CREATE TABLE entity (
    entity_id   TEXT PRIMARY KEY,
    type        TEXT NOT NULL,
    status      TEXT NOT NULL CHECK (status IN ('active', 'archived', 'merged')),
    description TEXT NOT NULL,
    revision    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE entity_name (
    entity_id TEXT NOT NULL REFERENCES entity,
    language  TEXT NOT NULL,
    text      TEXT NOT NULL,
    PRIMARY KEY (entity_id, language)
) STRICT, WITHOUT ROWID;

CREATE TABLE alias (
    entity_id TEXT NOT NULL REFERENCES entity,
    text      TEXT NOT NULL,
    language  TEXT NOT NULL,
    origin    TEXT NOT NULL CHECK (origin IN ('declared', 'imported', 'confirmed', 'suggested')),
    catalog   TEXT, -- the catalog that lists it, which may also take it away
    PRIMARY KEY (entity_id, text)
) STRICT, WITHOUT ROWID;

CREATE TABLE external_reference (
    system      TEXT NOT NULL,
    external_id TEXT NOT NULL,
    entity_id   TEXT NOT NULL REFERENCES entity,
    catalog     TEXT,
    PRIMARY KEY (system, external_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX external_reference_of ON external_reference (entity_id);

CREATE TABLE relation (
    subject   TEXT NOT NULL REFERENCES entity,
    predicate TEXT NOT NULL,
    object    TEXT NOT NULL REFERENCES entity,
    catalog   TEXT,
    PRIMARY KEY (subject, predicate, object)
) STRICT, WITHOUT ROWID;
CREATE INDEX relation_to ON relation (object, predicate);

CREATE TABLE history (
    cursor         INTEGER PRIMARY KEY,
    at             TEXT NOT NULL,
    entity_id      TEXT NOT NULL,
    operation      TEXT NOT NULL,
    requester      TEXT NOT NULL,
    principal      TEXT NOT NULL,
    correlation_id TEXT NOT NULL,
    before         TEXT,
    after          TEXT
) STRICT;
CREATE INDEX history_of ON history (entity_id, cursor);

CREATE TRIGGER history_is_never_changed BEFORE UPDATE ON history
BEGIN SELECT RAISE(ABORT, 'history is append-only'); END;
CREATE TRIGGER history_is_never_shortened BEFORE DELETE ON history
BEGIN SELECT RAISE(ABORT, 'history is append-only'); END;

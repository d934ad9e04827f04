CREATE TABLE source (
    source              TEXT PRIMARY KEY,
    kind                TEXT NOT NULL,
    entity_id           TEXT,
    expected_every_s    REAL NOT NULL,
    health_check        TEXT,
    registered_at       TEXT NOT NULL,
    last_observed_at    TEXT,
    last_state          TEXT,
    last_severity       TEXT,
    last_change_at      TEXT,
    instance_id         TEXT,
    instance_started_at TEXT,
    is_stale            INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE item (
    item_id      TEXT PRIMARY KEY,
    source       TEXT NOT NULL,
    key          TEXT NOT NULL,
    base         TEXT NOT NULL, -- what its pruned observations came to
    facts        TEXT NOT NULL, -- the fold of all its observations
    evidence     TEXT NOT NULL, -- the newest of them, for showing
    version      INTEGER NOT NULL,
    stale        INTEGER NOT NULL DEFAULT 0,
    -- what follows from the above, for the indexes
    kind         TEXT NOT NULL,
    entity_id    TEXT,
    episodes     INTEGER NOT NULL,
    operational  TEXT NOT NULL,
    attention    TEXT NOT NULL,
    awaiting     TEXT,
    lapses_at    TEXT, -- when waiting ends in vain, until it has
    recovered_at TEXT,
    first_seen   TEXT,
    last_seen    TEXT,
    listed       INTEGER NOT NULL,
    rank         INTEGER NOT NULL,
    UNIQUE (source, key)
) STRICT;

CREATE INDEX item_attention ON item (rank, first_seen, item_id) WHERE listed = 1;
CREATE INDEX item_newest ON item (last_seen) WHERE episodes > 0;
CREATE INDEX item_entity ON item (entity_id, operational);
CREATE INDEX item_lapse ON item (lapses_at) WHERE lapses_at IS NOT NULL;

CREATE TABLE observation (
    observation_id TEXT PRIMARY KEY,
    item_id        TEXT NOT NULL REFERENCES item (item_id),
    event_id       TEXT NOT NULL,
    kind           TEXT NOT NULL,
    state          TEXT NOT NULL,
    severity       TEXT NOT NULL,
    summary        TEXT NOT NULL,
    details        TEXT NOT NULL,
    entity_id      TEXT,
    observed_at    TEXT NOT NULL,
    received_at    TEXT NOT NULL
) STRICT;

CREATE INDEX observation_item ON observation (item_id, observed_at);
CREATE INDEX observation_healthy ON observation (entity_id, observed_at)
    WHERE kind = 'health' AND state = 'ok';

CREATE TABLE received ( -- outlives the observation, so that a duplicate is known later too
    source         TEXT NOT NULL,
    event_id       TEXT NOT NULL,
    observation_id TEXT NOT NULL,
    item_id        TEXT NOT NULL,
    at             TEXT NOT NULL,
    PRIMARY KEY (source, event_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX received_at ON received (at);

CREATE TABLE decision ( -- what people decided; never touched by an observation
    sequence  INTEGER PRIMARY KEY AUTOINCREMENT,
    item_id   TEXT NOT NULL REFERENCES item (item_id),
    attention TEXT NOT NULL,
    at        TEXT NOT NULL,
    basis     TEXT NOT NULL,
    severity  TEXT NOT NULL,
    requester TEXT NOT NULL,
    channel   TEXT NOT NULL,
    note      TEXT NOT NULL
) STRICT;

CREATE INDEX decision_item ON decision (item_id, sequence);

CREATE TABLE execution (
    execution_id     TEXT NOT NULL,
    state            TEXT NOT NULL,
    at               TEXT NOT NULL,
    capability_id    TEXT NOT NULL,
    action           TEXT NOT NULL,
    entity_id        TEXT NOT NULL,
    requester        TEXT NOT NULL,
    recover_by       TEXT, -- present: after this its entity must be seen healthy
    healthy_at       TEXT, -- the first time after `at` that it was
    PRIMARY KEY (execution_id, state)
) STRICT, WITHOUT ROWID;

CREATE INDEX execution_remedy ON execution (entity_id, at) WHERE recover_by IS NOT NULL;

CREATE TABLE item_execution (
    item_id      TEXT NOT NULL REFERENCES item (item_id),
    execution_id TEXT NOT NULL,
    awaited      INTEGER NOT NULL,
    PRIMARY KEY (item_id, execution_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX item_execution_of ON item_execution (execution_id);

CREATE TABLE change (
    cursor       INTEGER PRIMARY KEY AUTOINCREMENT,
    at           TEXT NOT NULL,
    what         TEXT NOT NULL,
    item_id      TEXT,
    entity_id    TEXT,
    source       TEXT,
    execution_id TEXT,
    actor        TEXT NOT NULL,
    details      TEXT NOT NULL
) STRICT;

CREATE INDEX change_entity ON change (entity_id, cursor);
CREATE INDEX change_at ON change (at);

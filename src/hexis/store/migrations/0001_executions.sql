CREATE TABLE execution (
    execution_id       TEXT PRIMARY KEY,
    state              TEXT NOT NULL,
    capability_id      TEXT NOT NULL,
    capability_version TEXT NOT NULL,
    definition_digest  TEXT NOT NULL,
    action             TEXT NOT NULL,
    title              TEXT NOT NULL, -- JSON, per language
    entity_id          TEXT NOT NULL,
    target             TEXT NOT NULL, -- JSON, as Nexus described it
    system             TEXT NOT NULL,
    external_id        TEXT NOT NULL,
    host_id            TEXT NOT NULL,
    arguments          TEXT NOT NULL, -- JSON, normalised
    requester          TEXT NOT NULL,
    principal          TEXT NOT NULL,
    correlation_id     TEXT NOT NULL,
    risk               TEXT NOT NULL,
    delegated          INTEGER NOT NULL DEFAULT 0,
    expects_recovery   INTEGER NOT NULL,
    created_at         TEXT NOT NULL,
    started_at         TEXT,
    finished_at        TEXT,
    output             TEXT NOT NULL DEFAULT '',
    data               TEXT NOT NULL DEFAULT '{}',
    reason             TEXT
) STRICT;

CREATE UNIQUE INDEX execution_one_mutation ON execution (entity_id)
    WHERE risk <> 'read' AND state IN ('queued', 'running');
CREATE INDEX execution_unfinished ON execution (state) WHERE state IN ('queued', 'running');
CREATE INDEX execution_by_entity ON execution (entity_id, execution_id);
CREATE INDEX execution_by_requester ON execution (requester, execution_id);

CREATE TABLE confirmation (
    confirmation_id TEXT PRIMARY KEY,
    execution_id    TEXT NOT NULL UNIQUE REFERENCES execution (execution_id),
    state           TEXT NOT NULL,
    issued_at       TEXT NOT NULL,
    expires_at      TEXT NOT NULL,
    asked_turn      TEXT NOT NULL,
    asked_word      TEXT NOT NULL,
    seal            BLOB NOT NULL, -- MAC over the challenge
    decided_at      TEXT
) STRICT;

CREATE INDEX confirmation_pending ON confirmation (expires_at) WHERE state = 'pending';

-- A turn says yes once, to one confirmation.
CREATE TABLE consumed_turn (
    channel         TEXT NOT NULL,
    turn_id         TEXT NOT NULL,
    confirmation_id TEXT NOT NULL,
    at              TEXT NOT NULL,
    PRIMARY KEY (channel, turn_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
    sequence        INTEGER PRIMARY KEY AUTOINCREMENT,
    at              TEXT NOT NULL,
    principal       TEXT NOT NULL,
    requester       TEXT NOT NULL,
    correlation_id  TEXT NOT NULL,
    causation_id    TEXT NOT NULL,
    operation       TEXT NOT NULL,
    decision        TEXT NOT NULL,
    reason          TEXT NOT NULL,
    execution_id    TEXT NOT NULL,
    confirmation_id TEXT NOT NULL,
    capability_id   TEXT NOT NULL,
    entity_id       TEXT NOT NULL,
    details         TEXT NOT NULL
) STRICT;

CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
CREATE TRIGGER audit_is_not_shortened BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;

CREATE TABLE outbox (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    key      TEXT NOT NULL UNIQUE,
    payload  BLOB NOT NULL,
    at       TEXT NOT NULL,
    refused  TEXT
) STRICT;

CREATE TABLE item_whole (
    number       INTEGER PRIMARY KEY,
    item_id      TEXT NOT NULL UNIQUE,
    source       TEXT NOT NULL,
    key          TEXT NOT NULL,
    base         TEXT, -- what its pruned observations came to, once some were
    facts        TEXT NOT NULL, -- the fold of all its observations
    standing     TEXT NOT NULL, -- what people decided; written by nothing else
    observations INTEGER NOT NULL, -- how many are kept
    version      INTEGER NOT NULL,
    stale        INTEGER NOT NULL DEFAULT 0,
    mapped_id    TEXT, -- the entity Nexus knows by its subject
    mapped_at    TEXT, -- when Nexus was asked about the subject
    -- what follows from the above, for the indexes
    kind         TEXT NOT NULL,
    entity_id    TEXT,
    cause        TEXT, -- what puts it on one line with others
    subject      TEXT NOT NULL,
    episodes     INTEGER NOT NULL,
    operational  TEXT NOT NULL,
    attention    TEXT NOT NULL,
    awaiting     TEXT,
    due_at       TEXT, -- when time alone will change it
    recovered_at TEXT,
    first_seen   TEXT,
    last_seen    TEXT,
    listed       INTEGER NOT NULL,
    aside        INTEGER NOT NULL, -- goes on, and a person set it aside
    rank         INTEGER NOT NULL,
    UNIQUE (source, key)
) STRICT;

INSERT INTO item_whole
SELECT NULL, item_id, source, key, base, facts,
    json_patch('{}', json_object(
        'decision', json((SELECT json_object('attention', attention, 'at', at, 'basis', basis,
            'severity', severity) FROM decision WHERE decision.item_id = item.item_id
            ORDER BY sequence DESC LIMIT 1)),
        'was_resolved', json(iif(EXISTS (SELECT 1 FROM decision
            WHERE decision.item_id = item.item_id AND attention = 'resolved'), 'true', 'false')))),
    (SELECT count(*) FROM observation WHERE observation.item_id = item.item_id),
    version, stale, NULL, NULL, kind, entity_id, entity_id, '', episodes, operational, attention,
    awaiting, lapses_at, recovered_at, first_seen, last_seen, listed,
    operational = 'active' AND attention = 'resolved' AND awaiting IS NULL, rank
FROM item;

CREATE TABLE observation_whole (
    sequence       INTEGER PRIMARY KEY,
    observation_id TEXT NOT NULL,
    item_id        TEXT NOT NULL REFERENCES item (item_id),
    event_id       TEXT NOT NULL,
    kind           TEXT NOT NULL,
    state          TEXT NOT NULL,
    severity       TEXT NOT NULL,
    summary        TEXT NOT NULL,
    details        TEXT NOT NULL,
    entity_id      TEXT,
    observed_at    TEXT NOT NULL,
    received_at    TEXT NOT NULL,
    is_look        INTEGER NOT NULL, -- Praxis looked by itself
    more           TEXT -- subject, group, link and weight, where there are any
) STRICT;

INSERT INTO observation_whole (observation_id, item_id, event_id, kind, state, severity, summary,
    details, entity_id, observed_at, received_at, is_look)
SELECT observation_id, item_id, event_id, kind, state, severity, summary, details, entity_id,
    observed_at, received_at, is_look
FROM observation ORDER BY received_at;

DROP TABLE observation;
DROP TABLE item;
ALTER TABLE item_whole RENAME TO item;
ALTER TABLE observation_whole RENAME TO observation;

CREATE INDEX item_attention ON item (rank, first_seen, item_id) WHERE listed = 1;
CREATE INDEX item_aside ON item (last_seen) WHERE aside = 1;
CREATE INDEX item_newest ON item (last_seen) WHERE episodes > 0;
CREATE INDEX item_entity ON item (entity_id, operational) WHERE entity_id IS NOT NULL;
CREATE INDEX item_due ON item (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX item_unmapped ON item (mapped_at) WHERE entity_id IS NULL AND subject > '';
CREATE INDEX observation_item ON observation (item_id, observed_at);
CREATE INDEX observation_healthy ON observation (entity_id, observed_at)
    WHERE kind = 'health' AND state = 'ok';

ALTER TABLE decision RENAME COLUMN attention TO verb;
ALTER TABLE decision ADD COLUMN ends TEXT; -- of an ignoring
ALTER TABLE decision ADD COLUMN until TEXT;
UPDATE decision SET verb = CASE verb WHEN 'surfaced' THEN 'surface'
    WHEN 'acknowledged' THEN 'acknowledge' ELSE 'resolve' END;

CREATE TABLE change_whole ( -- the newest row is never let go, so that no cursor comes back
    cursor       INTEGER PRIMARY KEY,
    at           TEXT NOT NULL,
    what         TEXT NOT NULL,
    item_id      TEXT,
    entity_id    TEXT,
    source       TEXT,
    execution_id TEXT,
    actor        TEXT NOT NULL,
    details      TEXT NOT NULL
) STRICT;

INSERT INTO change_whole SELECT * FROM change;
DROP TABLE change;
ALTER TABLE change_whole RENAME TO change;
CREATE INDEX change_entity ON change (entity_id, cursor) WHERE entity_id IS NOT NULL;
CREATE INDEX change_milestone ON change (at, cursor) WHERE cursor % 64 = 0;

DROP INDEX received_at; -- what is remembered is gone through instead, a little at a time

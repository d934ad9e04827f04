CREATE TABLE source_known (
    source              TEXT PRIMARY KEY,
    kind                TEXT NOT NULL,
    entity_id           TEXT,
    expected_every_s    REAL, -- absent: it was only heard of, and promised nothing
    health_check        TEXT,
    registered_at       TEXT NOT NULL,
    last_observed_at    TEXT,
    last_state          TEXT,
    last_severity       TEXT,
    last_change_at      TEXT,
    instance_id         TEXT,
    instance_started_at TEXT,
    is_stale            INTEGER NOT NULL DEFAULT 0,
    named_entity_id     TEXT  -- the entity its newest observation named
) STRICT, WITHOUT ROWID;

INSERT INTO source_known SELECT *, NULL FROM source;
DROP TABLE source;
ALTER TABLE source_known RENAME TO source;
CREATE INDEX source_entity ON source (entity_id);

ALTER TABLE observation ADD COLUMN is_look INTEGER NOT NULL DEFAULT 0; -- Praxis looked by itself

-- What Praxis sees itself takes the entity of its source, whatever that is now.
UPDATE observation SET is_look = 1, entity_id = NULL
    WHERE item_id IN (SELECT item_id FROM item JOIN source USING (source)
        WHERE source.health_check IS NOT NULL);
UPDATE observation SET entity_id = NULL
    WHERE item_id IN (SELECT item_id FROM item WHERE source = 'praxis');
UPDATE item SET base = json_set(base, '$.facts.entity_id', json('null'))
    WHERE source = 'praxis'
    OR source IN (SELECT source FROM source WHERE health_check IS NOT NULL);

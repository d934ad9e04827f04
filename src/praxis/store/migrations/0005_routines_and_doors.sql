CREATE TABLE routine (
    routine       TEXT PRIMARY KEY,
    source        TEXT NOT NULL,
    key           TEXT NOT NULL,
    title         TEXT NOT NULL,
    every_s       REAL,
    cron          TEXT,
    calendar      TEXT,
    zone          TEXT NOT NULL,
    grace_s       REAL NOT NULL,
    severity      TEXT NOT NULL,
    entity_id     TEXT,
    registered_at TEXT NOT NULL,
    is_late       INTEGER NOT NULL DEFAULT 0 -- an item says so
) STRICT, WITHOUT ROWID;

CREATE TABLE door ( -- where a source delivers in its own dialect
    source  TEXT PRIMARY KEY,
    dialect TEXT NOT NULL,
    token   TEXT NOT NULL UNIQUE, -- in the path; whoever has it may tell, and no more
    secret  TEXT, -- what its deliveries are signed with
    zone    TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE rejected (
    rejected_id TEXT PRIMARY KEY,
    source      TEXT NOT NULL,
    dialect     TEXT NOT NULL,
    at          TEXT NOT NULL,
    why         TEXT NOT NULL,
    field       TEXT NOT NULL,
    method      TEXT NOT NULL,
    path        TEXT NOT NULL,
    query       TEXT NOT NULL,
    headers     TEXT NOT NULL,
    body        BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX rejected_at ON rejected (at);

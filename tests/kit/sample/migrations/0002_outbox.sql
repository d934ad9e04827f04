CREATE TABLE outbox (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    key      TEXT NOT NULL UNIQUE,
    payload  BLOB NOT NULL,
    at       TEXT NOT NULL,
    refused  TEXT
) STRICT;

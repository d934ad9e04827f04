CREATE TABLE turn (
    turn_id         TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL,
    requester       TEXT NOT NULL,
    channel         TEXT NOT NULL,
    at              TEXT NOT NULL,
    duration_ms     REAL NOT NULL,
    text            TEXT NOT NULL,
    digest          BLOB NOT NULL,
    answer          BLOB NOT NULL
) STRICT;
CREATE INDEX turn_newest ON turn (requester, at);
CREATE INDEX turn_of_conversation ON turn (requester, conversation_id, at);
CREATE INDEX turn_at ON turn (at);

CREATE TABLE trace (
    turn_id          TEXT NOT NULL,
    sequence         INTEGER NOT NULL,
    correlation_id   TEXT NOT NULL,
    causation_id     TEXT NOT NULL,
    stage            TEXT NOT NULL,
    service          TEXT NOT NULL,
    operation        TEXT NOT NULL,
    started_at       TEXT NOT NULL,
    duration_ms      REAL NOT NULL,
    status           TEXT NOT NULL,
    contract_version TEXT NOT NULL,
    request_summary  TEXT NOT NULL,
    response_summary TEXT NOT NULL,
    fallback_reason  TEXT,
    error_code       TEXT,
    PRIMARY KEY (turn_id, sequence)
) STRICT, WITHOUT ROWID;
CREATE INDEX trace_started ON trace (started_at);

CREATE TABLE dialogue (
    requester       TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    state           BLOB NOT NULL,
    at              TEXT NOT NULL,
    PRIMARY KEY (requester, conversation_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE watch (
    execution_id    TEXT PRIMARY KEY,
    requester       TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    turn_id         TEXT NOT NULL,
    correlation_id  TEXT NOT NULL,
    language        TEXT NOT NULL,
    action          TEXT NOT NULL,
    target          BLOB NOT NULL,
    expects_recovery INTEGER NOT NULL,
    created_at      TEXT NOT NULL,
    give_up_at      TEXT NOT NULL,
    told            TEXT,
    closed          TEXT
) STRICT;
CREATE INDEX watch_open ON watch (created_at) WHERE closed IS NULL;
CREATE INDEX watch_of_requester ON watch (requester, created_at);

CREATE TABLE follower (
    name   TEXT PRIMARY KEY,
    cursor INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE notification (
    cursor          INTEGER PRIMARY KEY AUTOINCREMENT,
    notification_id TEXT NOT NULL UNIQUE,
    requester       TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    at              TEXT NOT NULL,
    kind            TEXT NOT NULL,
    text            TEXT NOT NULL,
    language        TEXT NOT NULL,
    item_ids        TEXT NOT NULL,
    execution_id    TEXT,
    surfaced_at     TEXT,
    UNIQUE (execution_id, kind)
) STRICT;
CREATE INDEX notification_of_requester ON notification (requester, cursor);
CREATE INDEX notification_at ON notification (at);

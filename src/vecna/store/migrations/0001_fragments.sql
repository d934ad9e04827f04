CREATE TABLE fragment (
    sequence      INTEGER PRIMARY KEY,
    fragment_id   TEXT NOT NULL UNIQUE,
    topic         TEXT NOT NULL,
    sub_topic     TEXT,
    content       TEXT NOT NULL,
    source_agent  TEXT NOT NULL,
    importance    INTEGER NOT NULL CHECK (importance BETWEEN 1 AND 5),
    linear_ref    TEXT,
    is_deprecated INTEGER NOT NULL DEFAULT 0,
    created_at    TEXT NOT NULL,
    said          BLOB NOT NULL -- digest of topic, agent and content, for deduplication
) STRICT;

CREATE INDEX fragment_recall ON fragment (topic, importance, created_at, sequence)
    WHERE is_deprecated = 0;
CREATE INDEX fragment_recall_ticket ON fragment (topic, linear_ref, importance, created_at, sequence)
    WHERE is_deprecated = 0;
CREATE INDEX fragment_said ON fragment (said, created_at) WHERE is_deprecated = 0;

CREATE TABLE known_entity (
    entity_id TEXT PRIMARY KEY,
    names     TEXT NOT NULL,
    type      TEXT NOT NULL,
    at        TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX known_entity_at ON known_entity (at);
CREATE INDEX notification_of_conversation ON notification (requester, conversation_id, at);

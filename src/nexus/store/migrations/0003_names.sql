-- The names of entities and the keys they are found by: made from the entities, and made
-- anew when the rules they are made by have changed.

CREATE TABLE name (
    name_id   INTEGER PRIMARY KEY,
    entity_id TEXT NOT NULL,
    type      TEXT NOT NULL,
    text      TEXT NOT NULL,
    words     TEXT NOT NULL, -- folded, in order, with a space between
    standing  INTEGER NOT NULL -- -1 of what is archived, 0 suggested, 1 vouched for, 2 confirmed
) STRICT;
CREATE INDEX name_of ON name (entity_id);
CREATE INDEX name_words ON name (words);

CREATE TABLE name_key (
    key     TEXT NOT NULL,
    name_id INTEGER NOT NULL,
    PRIMARY KEY (key, name_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE lexeme (
    lexeme_id INTEGER PRIMARY KEY,
    word      TEXT NOT NULL UNIQUE,
    sounds    TEXT NOT NULL,
    forms     TEXT NOT NULL, -- its case forms, with a space between
    names     INTEGER NOT NULL -- how many names hold it
) STRICT;
CREATE INDEX lexeme_sounds ON lexeme (sounds);

CREATE TABLE lexeme_key (
    key       TEXT NOT NULL,
    lexeme_id INTEGER NOT NULL,
    sound     TEXT NOT NULL, -- of the word, for a key that only leads near it
    PRIMARY KEY (key, lexeme_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE name_word (
    lexeme_id INTEGER NOT NULL,
    name_id   INTEGER NOT NULL,
    PRIMARY KEY (lexeme_id, name_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX external_reference_by_id ON external_reference (external_id);

CREATE TABLE name_rules (
    version INTEGER NOT NULL -- of the rules by which the keys were made
) STRICT;
INSERT INTO name_rules VALUES (0);

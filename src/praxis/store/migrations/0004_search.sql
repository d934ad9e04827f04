CREATE VIRTUAL TABLE item_text USING fts5(title, evidence, tokenize = "unicode61 remove_diacritics 2");

CREATE TABLE searchable ( -- observations up to here can be found
    sequence INTEGER NOT NULL
) STRICT;

INSERT INTO searchable VALUES (0);

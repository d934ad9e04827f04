"""Write the names of an entity and the keys they are found by, in the transaction of its change."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Self

from nexus.contract import Entity
from nexus.domain.ear import said_in_english
from nexus.domain.keys import Lexeme, keys_of_lexeme, keys_of_name
from nexus.domain.names import Words, readings
from nexus.domain.spelling import sounds
from nexus.morphology import case_forms
from nexus.store.reading import Query, on, read_each

RULES = 1
"""Grows whenever other keys are made of the same names; the keys are then made anew."""
RETIRED, SUGGESTED, VOUCHED, CONFIRMED = range(-1, 3)
"""Who stands for a name; a retired one is that of an archived entity."""
_BATCH = 5000
"""New words whose keys are held back at most."""
_STANDING = {"suggested": SUGGESTED, "confirmed": CONFIRMED}


class NameWriter:
    """Keeps names level with the entities of one transaction; keys are written on leaving it.

    Keys come in the order of their table, which costs half of what they cost in any other.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._new_names: dict[int, Words] = {}
        self._new_lexemes: dict[int, Lexeme] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, failure: object, *_: object) -> None:
        if failure is None:
            self._write_keys()

    def put(self, entity: Entity) -> None:
        """Know the names of this entity as they are now; one that is merged has none."""
        wanted = dict(_names_of(entity)) if entity.status != "merged" else {}
        kept: set[tuple[str, str, str, int]] = set()
        for row in self._connection.execute(
            "SELECT name_id, type, text, words, standing FROM name WHERE entity_id = ?",
            (entity.entity_id,),
        ).fetchall():
            known = (row["type"], row["text"], row["words"], row["standing"])
            if wanted.get((row["text"], row["words"])) == row["standing"] and (
                row["type"] == entity.type
            ):
                kept.add(known)
            else:
                self._remove(row["name_id"], row["words"].split())
        for (text, words), standing in wanted.items():
            if (entity.type, text, words, standing) not in kept:
                self._add(entity, text, words, standing)
        if len(self._new_lexemes) >= _BATCH:
            self._write_keys()

    def _add(self, entity: Entity, text: str, folded: str, standing: int) -> None:
        run = self._connection.execute
        words: Words = tuple(folded.split())
        name_id: int = run(
            "INSERT INTO name (entity_id, type, text, words, standing) VALUES (?, ?, ?, ?, ?)"
            " RETURNING name_id",
            (entity.entity_id, entity.type, text, folded, standing),
        ).fetchone()[0]
        self._new_names[name_id] = words
        for word in dict.fromkeys(words):
            run("INSERT INTO name_word VALUES (?, ?)", (self._lexeme(word), name_id))

    def _lexeme(self, word: str) -> int:
        run = self._connection.execute
        row = run(
            "UPDATE lexeme SET names = names + 1 WHERE word = ? RETURNING lexeme_id", (word,)
        ).fetchone()
        if row is not None:
            return row[0]
        forms = case_forms(word)
        lexeme = Lexeme(word, tuple(sorted(forms)))
        lexeme_id: int = run(
            "INSERT INTO lexeme (word, sounds, forms, names) VALUES (?, ?, ?, 1)"
            " RETURNING lexeme_id",
            (word, " ".join(_sounds_of(word)), " ".join(lexeme.forms)),
        ).fetchone()[0]
        self._new_lexemes[lexeme_id] = lexeme
        return lexeme_id

    def _remove(self, name_id: int, words: list[str]) -> None:
        run = self._connection.execute
        if self._new_names.pop(name_id, None) is None:
            self._connection.executemany(
                "DELETE FROM name_key WHERE key = ? AND name_id = ?",
                [(key, name_id) for key in keys_of_name(tuple(words))],
            )
        run("DELETE FROM name WHERE name_id = ?", (name_id,))
        for word in dict.fromkeys(words):
            row = run(
                "UPDATE lexeme SET names = names - 1 WHERE word = ?"
                " RETURNING lexeme_id, forms, names",
                (word,),
            ).fetchone()
            run(
                "DELETE FROM name_word WHERE lexeme_id = ? AND name_id = ?",
                (row["lexeme_id"], name_id),
            )
            if row["names"] == 0:
                self._forget(row["lexeme_id"], Lexeme(word, tuple(row["forms"].split())))

    def _forget(self, lexeme_id: int, lexeme: Lexeme) -> None:
        if self._new_lexemes.pop(lexeme_id, None) is None:
            self._connection.executemany(
                "DELETE FROM lexeme_key WHERE key = ? AND lexeme_id = ?",
                [(key, lexeme_id) for key in keys_of_lexeme(lexeme)],
            )
        self._connection.execute("DELETE FROM lexeme WHERE lexeme_id = ?", (lexeme_id,))

    def _write_keys(self) -> None:
        names = [(key, at) for at, words in self._new_names.items() for key in keys_of_name(words)]
        self._connection.executemany("INSERT INTO name_key VALUES (?, ?)", sorted(names))
        lexemes = [
            (key, at, sound)
            for at, lexeme in self._new_lexemes.items()
            for key, sound in keys_of_lexeme(lexeme).items()
        ]
        self._connection.executemany("INSERT INTO lexeme_key VALUES (?, ?, ?)", sorted(lexemes))
        self._new_names.clear()
        self._new_lexemes.clear()


def are_current(query: Query) -> bool:
    """Whether the keys of names are made by the rules of this program."""
    return query("SELECT version FROM name_rules", ())[0]["version"] == RULES


def renew(connection: sqlite3.Connection) -> None:
    """Make the keys of every name anew, by the rules of this program."""
    for table in ("name", "name_key", "name_word", "lexeme", "lexeme_key"):
        connection.execute(f"DELETE FROM {table}")  # noqa: S608 - the tables are named above
    ids = [row["entity_id"] for row in connection.execute("SELECT entity_id FROM entity")]
    with NameWriter(connection) as names:
        for entity in read_each(on(connection), ids):
            names.put(entity)
    connection.execute("UPDATE name_rules SET version = ?", (RULES,))


def _sounds_of(word: str) -> list[str]:
    by_ear = said_in_english(word)
    heard = sorted(sounds(word))
    return heard if by_ear is None or by_ear in heard else [*heard, by_ear]


def _names_of(entity: Entity) -> Iterator[tuple[tuple[str, str], int]]:
    """Each way to read each name, with the best standing anything gives it last."""
    standing: dict[str, int] = {}
    for alias in entity.aliases:
        standing[alias.text] = _STANDING.get(alias.origin, VOUCHED)
    for text in entity.names.values():
        standing[text] = max(VOUCHED, standing.get(text, VOUCHED))
    for text, vouched in standing.items():
        for words in readings(text):
            yield (text, " ".join(words)), vouched if entity.status == "active" else RETIRED

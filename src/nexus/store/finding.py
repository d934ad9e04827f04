"""Read names by their keys: a handful of indexed reads for each question."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

import msgspec

from kit.store import Store
from nexus.domain.keys import WORD
from nexus.domain.match import Known
from nexus.domain.names import Words

_PREFIX = "ent_"
_FARTHEST = "\U0010ffff"


class Name(NamedTuple):
    """A name of an entity."""

    name_id: int
    entity_id: str
    type: str
    text: str
    words: Words
    standing: int


class Found(NamedTuple):
    """A word of names, and the key it was found by."""

    key: str
    lexeme_id: int
    word: str
    sounds: tuple[str, ...]
    forms: tuple[str, ...]
    names: int
    """How many names hold it."""


class NameReader:
    """What the tables of names say; nothing here writes."""

    def __init__(self, store: Store) -> None:
        self._read: Callable[[str, Sequence[Any]], list[Any]] = store.read
        self.snapshot = store.snapshot

    def lexemes(self, keys: Collection[str], limit: int) -> list[Found]:
        """Words of names under any of these keys."""
        if not keys:
            return []
        rows = self._read(
            "SELECT lexeme_key.key, lexeme_id, word, sounds, forms, names"
            " FROM json_each(?) AS asked CROSS JOIN lexeme_key ON lexeme_key.key = asked.value"
            " CROSS JOIN lexeme USING (lexeme_id) LIMIT ?",
            (_json(sorted(keys)), limit),
        )
        return [
            Found(key, lexeme_id, word, tuple(sounds.split()), tuple(forms.split()), names)
            for key, lexeme_id, word, sounds, forms, names in rows
        ]

    def sounding_near(self, keys: Collection[str], limit: int) -> dict[tuple[int, str], None]:
        """Words under any of these keys and how they sound, those of the longest keys first."""
        if not keys:
            return {}
        asked = sorted(keys, key=lambda key: (-len(key), key))
        rows = self._read(
            "SELECT lexeme_id, sound FROM json_each(?) AS asked"
            " CROSS JOIN lexeme_key ON lexeme_key.key = asked.value LIMIT ?",
            (_json(asked), limit),
        )
        return dict.fromkeys((lexeme_id, sound) for lexeme_id, sound in rows)

    def these(self, lexeme_ids: Collection[int]) -> list[Found]:
        """These words of names."""
        return [
            Found("", lexeme_id, word, tuple(sounds.split()), tuple(forms.split()), names)
            for lexeme_id, word, sounds, forms, names in self._read(
                "SELECT lexeme_id, word, sounds, forms, names FROM json_each(?) AS asked"
                " CROSS JOIN lexeme ON lexeme_id = asked.value",
                (_json(sorted(lexeme_ids)),),
            )
        ]

    def exactly(self, word: str) -> list[Found]:
        """The word itself, if any name holds it."""
        return self.lexemes([WORD + word], 1)

    def beginning(self, start: str, limit: int) -> list[Found]:
        """Words of names that begin so, by letters or by sound."""
        rows = self._read(
            "SELECT '', lexeme_id, word, sounds, forms, names FROM lexeme"
            " WHERE word > ? AND word < ? LIMIT ?",
            (start, start + _FARTHEST, limit),
        )
        return [
            Found(key, lexeme_id, word, tuple(sounds.split()), tuple(forms.split()), names)
            for key, lexeme_id, word, sounds, forms, names in rows
        ]

    def sounding(self, start: str, limit: int) -> list[Found]:
        """Words of names whose sound begins so."""
        rows = self._read(
            "SELECT '', lexeme_id, word, sounds, forms, names FROM lexeme"
            " WHERE sounds > ? AND sounds < ? LIMIT ?",
            (start, start + _FARTHEST, limit),
        )
        return [
            Found(key, lexeme_id, word, tuple(sounds.split()), tuple(forms.split()), names)
            for key, lexeme_id, word, sounds, forms, names in rows
        ]

    def named(self, keys: Collection[str], limit: int) -> list[tuple[str, Name]]:
        """Whole names under any of these keys."""
        if not keys:
            return []
        rows = self._read(
            "SELECT name_key.key, name_id, entity_id, name.type, text, words, standing"
            " FROM json_each(?) AS asked CROSS JOIN name_key ON name_key.key = asked.value"
            " CROSS JOIN name USING (name_id) LIMIT ?",
            (_json(sorted(keys)), limit),
        )
        return [
            (key, Name(name_id, entity_id, kind, text, tuple(words.split()), standing))
            for key, name_id, entity_id, kind, text, words, standing in rows
        ]

    def holding(self, lexeme_ids: Collection[int], limit: int) -> list[Name]:
        """Names that hold any of these words."""
        if not lexeme_ids:
            return []
        rows = self._read(
            "SELECT name_id, entity_id, name.type, text, words, standing FROM json_each(?) AS asked"
            " CROSS JOIN name_word ON lexeme_id = asked.value CROSS JOIN name USING (name_id)"
            " LIMIT ?",
            (_json(lexeme_ids), limit),
        )
        return [
            Name(name_id, entity_id, kind, text, tuple(words.split()), standing)
            for name_id, entity_id, kind, text, words, standing in rows
        ]

    def holding_most(
        self, worth: Sequence[tuple[int, float]], most: int, postings: int
    ) -> list[Name]:
        """The names that hold words of the most worth together.

        Args:
            worth: words, and what each adds to a name that holds it.
            most: how many names.
            postings: places of words in names to look at.
        """
        rows = self._read(
            "WITH met AS (SELECT name_id, asked.value ->> 1 AS worth FROM json_each(?) AS asked"
            " CROSS JOIN name_word ON lexeme_id = asked.value ->> 0 LIMIT ?),"
            " best AS (SELECT name_id, sum(worth) AS held FROM met GROUP BY name_id"
            " ORDER BY held DESC, name_id LIMIT ?)"
            " SELECT name_id, entity_id, type, text, words, standing FROM best"
            " CROSS JOIN name USING (name_id) WHERE standing >= 0"
            " ORDER BY held - length(text) * 0.002 DESC, name_id",
            (_json(worth), postings, most),
        )
        return [
            Name(name_id, entity_id, kind, text, tuple(words.split()), standing)
            for name_id, entity_id, kind, text, words, standing in rows
        ]

    def starting(self, words: str, limit: int) -> list[Name]:
        """Names that begin with these folded words, the last of them perhaps unfinished."""
        rows = self._read(
            "SELECT name_id, entity_id, type, text, words, standing FROM name"
            " WHERE words >= ? AND words < ? LIMIT ?",
            (words, words + _FARTHEST, limit),
        )
        return [
            Name(name_id, entity_id, kind, text, tuple(held.split()), standing)
            for name_id, entity_id, kind, text, held, standing in rows
        ]

    def display_names(self, entity_ids: Sequence[str]) -> dict[str, dict[str, str]]:
        """What these entities are called, per language."""
        names: dict[str, dict[str, str]] = {}
        for entity_id, language, text in self._read(
            "SELECT entity_id, language, text FROM json_each(?) AS asked"
            " CROSS JOIN entity_name ON entity_id = asked.value ORDER BY language",
            (_json(entity_ids),),
        ):
            names.setdefault(entity_id, {})[language] = text
        return names

    def known(self, entity_ids: Sequence[str]) -> dict[str, Known]:
        """What an answer says of these entities."""
        if not entity_ids:
            return {}
        known: dict[str, Known] = {}
        for entity_id, kind, status, revision, language, text in self._read(
            "SELECT entity_id, entity.type, status, revision, language, text"
            " FROM json_each(?) AS asked CROSS JOIN entity ON entity_id = asked.value"
            " CROSS JOIN entity_name USING (entity_id) ORDER BY language",
            (_json(entity_ids),),
        ):
            if entity_id in known:
                known[entity_id].names[language] = text
            else:
                known[entity_id] = Known(
                    entity_id, kind, {language: text}, revision, status == "active"
                )
        return known

    def by_id(self, text: str) -> list[tuple[str, str, bool]]:
        """The entity that answers for this id, its type and whether it is in use."""
        if not text.startswith(_PREFIX):
            return []
        rows = self._read(
            "SELECT entity.entity_id, entity.type, entity.status FROM entity AS asked"
            " JOIN entity ON entity.entity_id = coalesce(asked.successor, asked.entity_id)"
            " WHERE asked.entity_id = ?",
            (text,),
        )
        return [(entity_id, kind, status == "active") for entity_id, kind, status in rows]

    def by_external(self, text: str) -> list[tuple[str, str, bool, bool]]:
        """Entities that some system calls so: id, type, in use, and whether the system is named."""
        system, _, external_id = text.partition(":")
        rows = self._read(
            "WITH mapped AS (SELECT entity_id AS owner, 1 AS is_full FROM external_reference"
            " WHERE system = ?1 AND external_id = ?2 AND withdrawn_by IS NULL"
            " UNION ALL SELECT entity_id, 0 FROM external_reference"
            " WHERE external_id = ?3 AND withdrawn_by IS NULL)"
            " SELECT DISTINCT entity.entity_id, entity.type, entity.status, is_full FROM mapped"
            " JOIN entity AS named ON named.entity_id = owner"
            " JOIN entity ON entity.entity_id = coalesce(named.successor, named.entity_id)",
            (system, external_id, text),
        )
        return [(known, kind, status == "active", full == 1) for known, kind, status, full in rows]

    def count(self) -> int:
        """About how many names there are."""
        return self._read("SELECT coalesce(max(name_id), 0) FROM name", ())[0][0]


def _json(values: Collection[Any]) -> str:
    """The values as one parameter, for `json_each`."""
    return msgspec.json.encode(list(values)).decode()

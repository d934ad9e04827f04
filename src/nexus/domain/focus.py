"""Words that point at what the conversation is about: "it", "that service", «он», «этот сервис»."""

from __future__ import annotations

from nexus.domain.lexicon import Concept, concept_of
from nexus.domain.names import readings

_POINTING = frozenset(
    [
        "it",
        "its",
        "this",
        "that",
        "these",
        "those",
        "they",
        "them",
        "he",
        "she",
        "him",
        "her",
        "one",
        "same",
        "он",
        "она",
        "оно",
        "они",
        "его",
        "ее",
        "их",
        "ему",
        "ей",
        "им",
        "ими",
        "него",
        "нее",
        "них",
        "нему",
        "ней",
        "ним",
        "ними",
        "нем",
        "это",
        "этот",
        "эта",
        "эти",
        "этого",
        "этой",
        "этому",
        "этим",
        "этом",
        "эту",
        "тот",
        "та",
        "те",
        "того",
        "той",
        "тому",
        "тем",
        "том",
        "ту",
    ]
)
_MOST_WORDS = 4


def pointing_at(text: str) -> list[Concept] | None:
    """The kinds of thing that a text which only points demands; None where it names something."""
    for words in readings(text)[:1]:
        kinds = {word: concept_of(word) for word in words if word not in _POINTING}
        if len(words) > _MOST_WORDS or len(kinds) == len(set(words)):
            return None
        concepts = [concept for concept in kinds.values() if concept is not None]
        if len(concepts) == len(kinds):
            return concepts
    return None

"""What tells candidates apart, for a question a person can answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from nexus.domain.names import fold, join, readings


def distinguish(
    labels: Sequence[str], types: Sequence[str], places: Sequence[str], ids: Sequence[str]
) -> list[str]:
    """For each candidate the shortest mark no other has: own words, else type, place or id."""
    if len(labels) < 2:
        return [""] * len(labels)
    marks = _own_words(labels)
    for further in (types, places, ids):
        count = Counter(marks)
        if all(mark and count[mark] == 1 for mark in marks):
            break
        marks = [
            mark if mark and count[mark] == 1 else ", ".join(filter(None, [mark, more]))
            for mark, more in zip(marks, _if_telling(marks, further), strict=True)
        ]
    return marks


def _own_words(labels: Sequence[str]) -> list[str]:
    """Of each label the words that not all labels have; the whole of it if those are none."""
    divided = [label.split() for label in labels]
    folded = [[_key(word) for word in words] for words in divided]
    shared = set(folded[0]).intersection(*folded[1:])
    count = Counter(map(tuple, folded))
    marks = [" ".join(word for word in words if _key(word) not in shared) for words in divided]
    return [
        mark or (label if count[tuple(keys)] == 1 else "")
        for mark, label, keys in zip(marks, labels, folded, strict=True)
    ]


def _if_telling(marks: Sequence[str], further: Sequence[str]) -> list[str]:
    """The further marks, where they differ among candidates that are still alike."""
    alike: dict[str, set[str]] = {}
    for mark, more in zip(marks, further, strict=True):
        alike.setdefault(mark, set()).add(more)
    return [more if len(alike[mark]) > 1 else "" for mark, more in zip(marks, further, strict=True)]


def _key(word: str) -> str:
    found = readings(word)
    return join(found[0]) if found else fold(word)

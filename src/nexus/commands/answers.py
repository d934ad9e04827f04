"""What Nexus answered about a name, said to a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from kit.visible import visible_line
from nexus.contract import (
    Ambiguous,
    BatchResolution,
    Candidate,
    Candidates,
    Grade,
    NotFound,
    Resolution,
    Resolved,
)

AMBIGUOUS, NOT_FOUND = 3, 4
_MATCHED: dict[Grade, str] = {
    "id": "its id",
    "external": "its id in another system",
    "confirmed": "a name a person confirmed",
    "exact": "the name itself",
    "inflected": "the name, inflected",
    "transliterated": "the name in the other alphabet",
    "reordered": "the name, its words in another order",
    "focus": "what is talked about",
    "partial": "a part of the name",
    "acronym": "the initials of the name",
    "layout": "the name in the other keyboard layout",
    "sound": "a name that sounds so",
    "typo": "the name but for a typing error",
}


def exit_status(resolution: Resolution) -> int:
    """What a script is told: one thing, several, or none."""
    match resolution:
        case Resolved():
            return 0
        case Ambiguous():
            return AMBIGUOUS
        case NotFound():
            return NOT_FOUND
        case _:
            assert_never(resolution)


def exit_status_of_batch(batch: BatchResolution) -> int:
    """The most open of the answers: one that was not found, else one that is ambiguous, else 0."""
    return max(map(exit_status, batch.answers), default=0)


def names_of(names: Mapping[str, str]) -> str:
    """The display names in every language, each once."""
    return visible_line(" / ".join(dict.fromkeys(names.values())))


def said(resolution: Resolution) -> str:
    """A resolution in a few lines: what it is, or what is to be done."""
    match resolution:
        case Resolved():
            head = f"{names_of(resolution.names)}  ({resolution.type})"
            return "\n".join(
                [
                    head,
                    f"   {resolution.entity_id}",
                    f"   by {_evidence(resolution)}, {resolution.confidence:.0%} sure",
                ]
            )
        case Ambiguous():
            return "\n".join(
                [
                    "It may be one of these:",
                    *_numbered(resolution.candidates),
                    "Ask with more of the name, or go on with the id.",
                ]
            )
        case NotFound():
            known = ["Similar:", *_numbered(resolution.suggestions)]
            return "\n".join(
                [
                    "Nothing is called so.",
                    *(known if resolution.suggestions else ()),
                    *_ways_out(resolution.suggestions),
                ]
            )
        case _:
            assert_never(resolution)


def listed(candidates: Candidates) -> str:
    """Candidates of a search, the likeliest first."""
    return "\n".join(_numbered(candidates.candidates)) or "Nothing is called so."


def said_of_batch(texts: Sequence[str], batch: BatchResolution) -> str:
    """One line for each text: what it means, or what it may mean."""
    lines: list[str] = []
    for text, answer in zip(texts, batch.answers, strict=True):
        match answer:
            case Resolved():
                found = f"{names_of(answer.names)}  ({answer.type})  {answer.entity_id}"
            case Ambiguous():
                labels = ", ".join(visible_line(each.label) for each in answer.candidates[:5])
                more = len(answer.candidates) - 5
                found = f"ambiguous: {labels}{f' and {more} more' if more > 0 else ''}"
            case NotFound():
                found = "not found"
        lines.append(f"{visible_line(text)}: {found}")
    return "\n".join(lines)


def _ways_out(suggestions: Sequence[Candidate]) -> Iterator[str]:
    if suggestions:
        yield "If it is one of these: nexus add-alias ENTITY_ID NAME"
    yield "If it is something new: nexus create-entity --type TYPE --names en=NAME --names ru=ИМЯ"


def _numbered(candidates: Sequence[Candidate]) -> Iterator[str]:
    for number, each in enumerate(candidates, 1):
        apart = f": {visible_line(each.distinguished_by)}" if each.distinguished_by else ""
        yield f"{number}. {names_of(each.names)}  ({each.type}){apart}"
        yield f"   {each.entity_id}  by {_evidence(each)}"


def _evidence(found: Resolved | Candidate) -> str:
    how = _MATCHED.get(found.grade, found.grade)
    name = f" “{visible_line(found.evidence)}”" if found.evidence else ""
    return f"{how}{name}"

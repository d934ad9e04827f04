"""What Nexus answered about a name, said to a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from kit.visible import visible_line
from nexus.commands.texts import matched, say
from nexus.contract import (
    Ambiguous,
    BatchResolution,
    Candidate,
    Candidates,
    NotFound,
    Resolution,
    Resolved,
)

AMBIGUOUS, NOT_FOUND = 3, 4


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
            how = say("resolved", how=_how(resolution), sure=f"{int(resolution.confidence * 100)}%")
            head = f"{names_of(resolution.names)}  ({resolution.type})"
            return "\n".join([head, f"   {resolution.entity_id}", f"   {how}"])
        case Ambiguous():
            return "\n".join([say("ambiguous"), *_numbered(resolution.candidates), say("ask_more")])
        case NotFound():
            similar = resolution.suggestions
            shown = [say("similar"), *_numbered(similar), say("one_of_these")] if similar else []
            return "\n".join([say("not_found"), *shown, say("something_new")])
        case _:
            assert_never(resolution)


def listed(candidates: Candidates) -> str:
    """Candidates of a search, the likeliest first."""
    return "\n".join(_numbered(candidates.candidates)) or say("not_found")


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
                found = say("batch_ambiguous", labels=labels)
                found += say("and_more", count=more) if more > 0 else ""
            case NotFound():
                found = say("batch_not_found")
        lines.append(f"{visible_line(text)}: {found}")
    return "\n".join(lines)


def _numbered(candidates: Sequence[Candidate]) -> Iterator[str]:
    for number, each in enumerate(candidates, 1):
        apart = f": {visible_line(each.distinguished_by)}" if each.distinguished_by else ""
        yield f"{number}. {names_of(each.names)}  ({each.type}){apart}"
        yield f"   {each.entity_id}  {say('candidate', how=_how(each))}"


def _how(found: Resolved | Candidate) -> str:
    """The rule and the name that matched."""
    name = f" “{visible_line(found.evidence)}”" if found.evidence else ""
    return f"{matched(found.grade)}{name}"

"""Which thing a text means: the question, and one of three answers."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from kit.contract import Id, Reply, Request
from nexus.contract.things import EntityType, Language

Purpose = Literal["read", "mutate"]
"""`mutate` lets only a verified name come back as resolved."""
Grade = Literal[
    "id",
    "external",
    "confirmed",
    "exact",
    "inflected",
    "transliterated",
    "reordered",
    "focus",
    "partial",
    "acronym",
    "layout",
    "sound",
    "typo",
]
"""By which rule a name matched; from `focus` on they never resolve for `mutate`."""
AskedText = Annotated[str, Meta(min_length=1, max_length=10_000)]
AskedTypes = Annotated[list[EntityType], Meta(max_length=50)]
Focus = Annotated[list[Id], Meta(max_length=20)]


class Candidate(Reply):
    """One thing a name may mean."""

    entity_id: Id
    type: EntityType
    names: dict[str, str]
    label: str
    """The display name in the language of the question."""
    grade: Grade
    evidence: str
    """Which alias matched."""
    confidence: float
    """How likely this is the thing meant, from 0 to 1, as measured on labelled questions."""
    distinguished_by: str = ""
    """What tells it from the other candidates: its own words, type or host."""


class Resolved(Reply, tag_field="status", tag="resolved"):
    """The name means exactly this entity."""

    entity_id: Id
    type: EntityType
    names: dict[str, str]
    label: str
    grade: Grade
    evidence: str
    confidence: float
    revision: int


class Ambiguous(Reply, tag_field="status", tag="ambiguous"):
    """The name may mean several entities, or one that is not certain enough; ask."""

    candidates: list[Candidate]


class NotFound(Reply, tag_field="status", tag="not_found"):
    """No entity has this name."""

    suggestions: list[Candidate] = []
    """Below the bar; for showing, never for acting."""


Resolution = Resolved | Ambiguous | NotFound


class Resolve(Request):
    """Which entity does this text mean?"""

    text: AskedText
    types: AskedTypes = []
    """Only entities of these types, by prefix; empty means any."""
    language: Language | None = None
    """The language of the question, for labels."""
    purpose: Purpose = "read"
    focus: Focus = []
    """Entities the conversation is about; they order unlike candidates, they never decide."""


class ResolveBatch(Request):
    """Which entity does each of these texts mean?"""

    questions: Annotated[list[Resolve], Meta(min_length=1, max_length=500)]


class BatchResolution(Reply):
    """One answer for each question, in their order."""

    answers: list[Resolution]


class Search(Request):
    """Show entities that a text may be about, the likeliest first; it decides nothing."""

    text: AskedText
    types: AskedTypes = []
    language: Language | None = None
    limit: Annotated[int, Meta(ge=1, le=50)] = 20


class Suggest(Request):
    """Complete what somebody has begun to type."""

    prefix: AskedText
    types: AskedTypes = []
    language: Language | None = None
    limit: Annotated[int, Meta(ge=1, le=50)] = 10


class Candidates(Reply):
    """Entities, the likeliest first."""

    candidates: list[Candidate]

"""A turn: the value that passes through the stages, each adding what it found."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import TypeVar

from maven.contract import Answer
from maven.domain.closed import Said
from maven.domain.dialogue import Dialogue, Known
from maven.domain.fastpath import Match, Several, Tie
from maven.domain.outcome import Dropped, Outcome
from maven.domain.route import Route
from maven.domain.snapshot import Snapshot
from maven.domain.utterance import Language, Utterance

T = TypeVar("T")


class OutOfOrder(RuntimeError):
    """A stage ran before the one it builds on."""


def made(value: T | None) -> T:
    """What an earlier stage has put there.

    Raises:
        OutOfOrder: It has not run.
    """
    if value is None:
        raise OutOfOrder
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One exchange on its way from what was said to what is answered."""

    turn_id: str
    conversation_id: str
    requester: str
    channel: str
    has_assertion: bool
    """The channel swore that the person spoke, so a yes can be passed on."""
    at: datetime
    zone: tzinfo
    text: str
    answering: str | None = None
    """The confirmation that the channel shows to the person, where it says so."""
    asked_language: Language | None = None
    """What the channel asked to be answered in, where the text does not tell."""
    default_language: Language = "en"
    dialogue: Dialogue = field(default_factory=Dialogue)

    utterance: Utterance | None = None
    language: Language = "en"
    said: Said = field(default_factory=Said)
    """What it means as an answer to a question of Maven's."""
    found: Match | Tie | Several | None = None
    snapshot: Snapshot | None = None
    route: Route | None = None
    target: Known | None = None
    outcome: Outcome | None = None
    dropped: Dropped | None = None
    answer: Answer | None = None
    delivered: str = ""
    degraded: frozenset[str] = field(default=frozenset())
    """Parts that could not be asked in this turn."""
    fallback: str | None = None
    """Why the last stage took another way than its first choice."""

    @property
    def only_told(self) -> bool:
        """Nothing was asked for, decided or asked back, so that nothing is lost with the turn."""
        is_change = self.route is not None and self.route.kind in {"change", "dialogue"}
        return not is_change and self.dropped is None

"""The world as it was when a turn was routed: small, immutable, honest about what is missing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

TOKENS_PER_CHARACTER = 0.4
"""A cautious estimate for text in two alphabets."""
BUDGET = 120
"""Tokens of one fragment at most."""
PATIENCE_S = 0.2
"""How long one provider may take."""


@dataclass(frozen=True, slots=True)
class Fragment:
    """What one provider contributes."""

    name: str
    source: str
    """Where it comes from: `clock`, `dialogue`, or a part's operation."""
    captured_at: datetime
    lines: tuple[str, ...]
    degraded: str | None = None
    """The code of the failure, when it could not be asked."""

    @property
    def tokens(self) -> int:
        """About how much of a model's prompt it takes."""
        return round(sum(len(line) for line in self.lines) * TOKENS_PER_CHARACTER)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All fragments of one moment."""

    captured_at: datetime
    fragments: tuple[Fragment, ...]

    @property
    def degraded(self) -> tuple[str, ...]:
        """Parts that could not be asked."""
        return tuple(fragment.name for fragment in self.fragments if fragment.degraded)


def within_budget(lines: list[str]) -> tuple[str, ...]:
    """As many lines as the budget of a fragment holds; what is left out is counted."""
    kept: list[str] = []
    used = 0.0
    for number, line in enumerate(lines):
        used += len(line) * TOKENS_PER_CHARACTER
        if used > BUDGET:
            return (*kept, f"… {len(lines) - number} more")
        kept.append(line)
    return tuple(kept)

"""When a thing that falls ill and gets well over and over counts as flapping, and until when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from msgspec.structs import replace

from praxis.domain.item import Facts


@dataclass(frozen=True, slots=True, kw_only=True)
class Damping:
    """How much turning to and fro is told as it comes."""

    most_turns: int = 3
    """More turns than this within the window are flapping."""
    window: timedelta = timedelta(minutes=5)
    quiet: timedelta = timedelta(minutes=2)
    """How long it must be well before a recovery is believed of what flaps."""


DAMPED = Damping()


def turned(facts: Facts, at: datetime, damping: Damping) -> Facts:
    """It has become ill or well once more."""
    if facts.state == "waiting":
        return facts
    recent = (each for each in facts.turns if at - each <= damping.window)
    turns = (*recent, at)[-damping.most_turns - 1 :]
    if facts.is_flapping:
        return replace(facts, turns=turns, flaps=facts.flaps + 1)
    if len(turns) > damping.most_turns:
        return replace(facts, turns=turns, is_flapping=True, flaps=len(turns))
    return replace(facts, turns=turns)


def calmed(facts: Facts, now: datetime) -> Facts:
    """The facts once it has been well for long enough by `now`; unchanged before."""
    at = facts.calm_at
    if at is None or at > now:
        return facts
    return replace(
        facts,
        operational="recovered",
        recovered_at=at,
        is_flapping=False,
        calm_at=None,
        turns=(),
        weight=0,
    )

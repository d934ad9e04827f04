"""When a thing that falls ill and gets well over and over counts as flapping, and until when."""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec.structs import replace

from praxis.domain.item import Facts

WINDOW = timedelta(minutes=5)
MOST_TURNS = 3
"""More turns than this within the window are flapping."""
QUIET = timedelta(minutes=2)
"""How long it must be well before a recovery is believed of what flaps."""


def turned(facts: Facts, at: datetime) -> Facts:
    """It has become ill or well once more."""
    if facts.state == "waiting":
        return facts
    turns = (*(each for each in facts.turns if at - each <= WINDOW), at)[-MOST_TURNS - 1 :]
    if facts.is_flapping:
        return replace(facts, turns=turns, flaps=facts.flaps + 1)
    if len(turns) > MOST_TURNS:
        return replace(facts, turns=turns, is_flapping=True, flaps=len(turns))
    return replace(facts, turns=turns)


def calms_at(facts: Facts) -> datetime | None:
    """When a recovery will be believed, if nothing else is heard of it."""
    return None if facts.well_since is None else facts.well_since + QUIET


def calmed(facts: Facts, now: datetime) -> Facts:
    """The facts once it has been well for long enough by `now`; unchanged before."""
    at = calms_at(facts)
    if at is None or at > now:
        return facts
    return replace(
        facts,
        operational="recovered",
        recovered_at=at,
        is_flapping=False,
        well_since=None,
        turns=(),
        weight=0,
    )

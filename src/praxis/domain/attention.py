"""In which order items need a person, and why; nothing here depends on the present time."""

from __future__ import annotations

from praxis.contract import Attention
from praxis.domain.item import Facts
from praxis.domain.observation import SEVERITIES, gravity


def is_listed(facts: Facts, attention: Attention, *, ignored: bool = False) -> bool:
    """Whether the item belongs in the list of what needs attention."""
    is_open = attention != "resolved" or facts.awaiting is not None
    return facts.is_active and is_open and not ignored


def rank(facts: Facts, attention: Attention, *, stale: bool, pinned: bool = False) -> int:
    """Where the item stands, the lowest first; equal ones stand in the order of `first_seen`."""
    digits = (
        not pinned,
        attention in {"acknowledged", "resolved"},
        len(SEVERITIES) - 1 - gravity(facts.shown_severity),
        facts.lapsed_at is None,
        facts.state != "waiting",
        facts.awaiting is not None and facts.lapsed_at is None,
        stale,
        not facts.is_flapping,
    )
    number = 0
    for digit in digits:
        number = number * 10 + digit
    return number


def because(
    facts: Facts,
    attention: Attention,
    *,
    stale: bool,
    was_resolved: bool = False,
    pinned: bool = False,
) -> list[str]:
    """The reasons for its place, the weightiest first.

    Args:
        facts: what was observed.
        attention: where it stands with people.
        stale: its source has gone quiet.
        was_resolved: a person called it resolved once.
        pinned: a person wants it on top.
    """
    reasons = ["pinned"] if pinned else []
    reasons.append(f"severity:{facts.shown_severity}")
    if facts.lapsed_at is not None:
        reasons.append("not_recovered")
    elif facts.awaiting is not None:
        reasons.append("awaiting_recovery")
    if facts.state == "waiting":
        reasons.append("waiting")
    if facts.is_flapping:
        reasons.append("flapping")
    if stale:
        reasons.append("stale")
    if facts.episodes > 1 or (was_resolved and attention != "resolved"):
        reasons.append("reopened")
    return [*reasons, attention]

"""Where an item stands with people: what they decided, kept apart from what is observed.

The two meet only here, so no later observation wipes a decision and no decision hides a fact.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec
from msgspec.structs import replace

from praxis.contract import Attention, IgnoreEnd, Severity
from praxis.domain.item import Facts
from praxis.domain.observation import gravity

Verb = Literal[
    "surface",
    "acknowledge",
    "unacknowledge",
    "resolve",
    "reopen",
    "ignore",
    "unignore",
    "pin",
    "unpin",
]
"""What is decided."""

LEADS_TO: dict[Verb, Attention] = {
    "surface": "surfaced",
    "acknowledge": "acknowledged",
    "unacknowledge": "surfaced",
    "resolve": "resolved",
    "reopen": "surfaced",
}
LEGAL: dict[Verb, frozenset[Attention]] = {
    "surface": frozenset({"new"}),
    "acknowledge": frozenset({"new", "surfaced"}),
    "unacknowledge": frozenset({"acknowledged"}),
    "resolve": frozenset({"new", "surfaced", "acknowledged"}),
    "reopen": frozenset({"resolved"}),
}
"""From which attention states a person may decide so."""


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """A person's last word on its attention, and what of it they could know then."""

    attention: Attention
    at: datetime
    basis: datetime
    """What was observed up to here does not undo it."""
    severity: Severity
    """What was observed later does, once it is graver than this."""


class Ignored(msgspec.Struct, frozen=True, kw_only=True):
    """A person does not want to hear of it for now."""

    at: datetime
    basis: datetime
    severity: Severity
    ends: IgnoreEnd
    until: datetime | None = None


class Standing(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that people decided of one item and that still counts."""

    decision: Decision | None = None
    ignored: Ignored | None = None
    is_pinned: bool = False
    was_resolved: bool = False
    """A person called it resolved once."""


def decide(standing: Standing, attention: Attention, facts: Facts, now: datetime) -> Standing:
    """A decision about an item as it stands.

    A resolution also covers what is reported late: an event from before it does not reopen.
    """
    seen = facts.through or now
    decision = Decision(
        attention=attention,
        at=now,
        basis=max(seen, now) if attention == "resolved" else seen,
        severity=facts.shown_severity,
    )
    was_resolved = standing.was_resolved or attention == "resolved"
    return replace(standing, decision=decision, was_resolved=was_resolved)


def ignore(
    standing: Standing, facts: Facts, now: datetime, ends: IgnoreEnd, until: datetime | None
) -> Standing:
    """Ignored from now on, until what ends it."""
    ignored = Ignored(
        at=now, basis=facts.through or now, severity=facts.shown_severity, ends=ends, until=until
    )
    return replace(standing, ignored=ignored)


def ended(ignored: Ignored, facts: Facts, now: datetime) -> str | None:
    """Why the ignoring is over: `time`, `worse` or `change`; None while it is not."""
    if ignored.until is not None and now >= ignored.until:
        return "time"
    if ignored.ends == "time":
        return None
    if _is_worse(facts, ignored.basis, ignored.at, ignored.severity):
        return "worse"
    if ignored.ends == "change" and _is_changed(facts, ignored):
        return "change"
    return None


def attention_of(facts: Facts, standing: Standing) -> Attention:
    """The attention state: the last decision for as long as it covers what is known."""
    decision = standing.decision
    return decision.attention if decision is not None and _covers(decision, facts) else "new"


def is_told_again(facts: Facts, decision: Decision | None) -> bool:
    """Whether a source told of it anew after a person called it resolved."""
    return (
        decision is not None
        and decision.attention == "resolved"
        and facts.told_at is not None
        and facts.told_at > decision.basis
    )


def _covers(decision: Decision, facts: Facts) -> bool:
    return (
        (facts.episode_at is None or facts.episode_at <= decision.basis)
        and not _is_worse(facts, decision.basis, decision.at, decision.severity)
        and not is_told_again(facts, decision)
    )


def _is_worse(facts: Facts, basis: datetime, at: datetime, severity: Severity) -> bool:
    """Whether it was called graver after that moment, or a remedy failed."""
    if facts.lapsed_at is not None and facts.lapsed_at > at:
        return True
    if len(facts.severities) < 2 and gravity(facts.severity) <= gravity(severity):
        return False
    return any(
        told > basis and gravity(each) > gravity(severity)
        for each, told in facts.severities.items()
    )


def _is_changed(facts: Facts, ignored: Ignored) -> bool:
    is_newer = facts.episode_at is not None and facts.episode_at > ignored.basis
    is_well = facts.recovered_at is not None and facts.recovered_at > ignored.basis
    return is_newer or is_well or facts.shown_severity != ignored.severity

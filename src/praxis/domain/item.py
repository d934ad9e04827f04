"""An item: what its observations say, what a person decided, and what follows from the two.

The two are kept apart, so no later observation wipes a decision and no decision hides a fact.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from praxis.contract import Attention, ObservedState, Operational, Severity
from praxis.domain.observation import gravity

LEGAL: dict[Attention, frozenset[Attention]] = {
    "surfaced": frozenset({"new"}),
    "acknowledged": frozenset({"new", "surfaced"}),
    "resolved": frozenset({"new", "surfaced", "acknowledged"}),
}
"""From which attention states a person may move an item to another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the observations of one (source, key) come to, in the order they were observed."""

    kind: str = ""
    entity_id: str | None = None
    """The one its observations named; without it, the item follows its source's."""
    title: str = ""
    operational: Operational = "recovered"
    state: ObservedState = "ok"
    severity: Severity = "info"
    """As the source last put it; `shown_severity` is what counts."""
    severities: dict[Severity, datetime] = field(default_factory=dict["Severity", datetime])
    """When each severity was last reported in this episode."""
    first_seen: datetime | None = None
    last_seen: datetime | None = None
    told_at: datetime | None = None
    """When a source last told of it unasked."""
    count: int = 0
    episodes: int = 0
    """How many times it became active; at 0 it is no item yet."""
    episode_at: datetime | None = None
    recovered_at: datetime | None = None
    recovered_after: str | None = None
    """The execution after which it was seen healthy."""
    awaiting: str | None = None
    """The execution whose effect has not been seen yet."""
    recover_by: datetime | None = None
    lapsed_at: datetime | None = None
    """When waiting for recovery ended in vain."""
    through: datetime | None = None
    """The newest moment anything here speaks of."""

    @property
    def is_active(self) -> bool:
        """Whether it goes on, as far as is known."""
        return self.operational == "active"

    @property
    def shown_severity(self) -> Severity:
        """The source's word, and at least `error` once a remedy is seen not to have helped."""
        if self.lapsed_at is not None and gravity(self.severity) < gravity("error"):
            return "error"
        return self.severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a person last did about an item, and what of it they could know then."""

    attention: Attention
    at: datetime
    basis: datetime
    """What was observed up to here does not undo it."""
    severity: Severity
    """What was observed later does, once it is graver than this."""


def decide(attention: Attention, facts: Facts, now: datetime) -> Decision:
    """A decision about an item as it stands.

    A resolution also covers what is reported late: an event from before it does not reopen.
    """
    seen = facts.through or now
    return Decision(
        attention=attention,
        at=now,
        basis=max(seen, now) if attention == "resolved" else seen,
        severity=facts.shown_severity,
    )


def attention_of(facts: Facts, decision: Decision | None) -> Attention:
    """The attention state: the last decision for as long as it covers what is known."""
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
    same_episode = facts.episode_at is None or facts.episode_at <= decision.basis
    no_worse = all(
        at <= decision.basis
        for severity, at in facts.severities.items()
        if gravity(severity) > gravity(decision.severity)
    )
    no_lapse = facts.lapsed_at is None or facts.lapsed_at <= decision.at
    return same_episode and no_worse and no_lapse and not is_told_again(facts, decision)

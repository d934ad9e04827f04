"""Fold observations and remedies into an item, in the order things happened, not as they arrived.

Whatever the order of arrival, the same reports give the same item: they are sorted by when they
were observed and folded from a base that holds what was too old to keep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import partial

import msgspec
from msgspec.structs import replace

from praxis.domain.flapping import DAMPED, Damping, calmed, turned
from praxis.domain.item import Facts
from praxis.domain.observation import Observation, Remedy

Step = Callable[[Facts], Facts]
_Entry = tuple[datetime, int, str, Step]
_OBSERVED, _DONE, _VAIN, _HEALTHY = range(4)
"""What an entry is; of the same moment, they count in this order."""


class Base(msgspec.Struct, frozen=True):
    """What was folded for good, and up to when."""

    facts: Facts
    cut: datetime | None = None
    """Reports from up to here no longer change anything but the count."""


class Folded(msgspec.Struct, frozen=True):
    """The facts, and the remedies that met the item active."""

    facts: Facts
    awaited: frozenset[str]


def fold(
    base: Base,
    observations: Iterable[Observation],
    remedies: Iterable[Remedy],
    horizon: datetime,
    damping: Damping = DAMPED,
) -> Folded:
    """What all of it comes to, when nothing after `horizon` could have been seen."""
    awaited: set[str] = set()
    entries: list[_Entry] = [
        (
            each.observed_at,
            _OBSERVED,
            each.event_id,
            partial(_observe, observation=each, damping=damping),
        )
        for each in observations
        if base.cut is None or each.observed_at > base.cut
    ]
    for remedy in remedies:
        entries += _entries_of(remedy, base.cut, horizon, awaited)
    facts = base.facts
    for at, kind, _, step in sorted(entries, key=lambda entry: entry[:3]):
        before, facts = facts, step(facts)
        if kind == _OBSERVED or facts != before:
            facts = replace(facts, through=max(at, facts.through or at))
    return Folded(calmed(facts, horizon), frozenset(awaited))


def advance(facts: Facts, observation: Observation, damping: Damping = DAMPED) -> Facts:
    """The facts after one more observation, newer than all they speak of."""
    return replace(_observe(facts, observation, damping), through=observation.observed_at)


def settle(
    base: Base,
    observations: Iterable[Observation],
    remedies: Iterable[Remedy],
    horizon: datetime,
    cut: datetime,
    damping: Damping = DAMPED,
) -> Base:
    """Fold everything up to `cut` into the base, so that its observations need not be kept."""
    old = [each for each in observations if each.observed_at <= cut]
    past = [_as_known_at(each, cut) for each in remedies if each.at <= cut]
    return Base(fold(base, old, past, min(horizon, cut), damping).facts, cut)


def belated(base: Base, observation: Observation) -> Base:
    """The base with one more report from a time it has already settled."""
    if observation.state not in {"problem", "waiting"}:
        return base
    facts = base.facts
    first = min(facts.first_seen or observation.observed_at, observation.observed_at)
    return replace(base, facts=replace(facts, count=facts.count + 1, first_seen=first))


def _as_known_at(remedy: Remedy, cut: datetime) -> Remedy:
    if remedy.healthy_at is None or remedy.healthy_at <= cut:
        return remedy
    return Remedy(execution_id=remedy.execution_id, at=remedy.at, recover_by=remedy.recover_by)


def _entries_of(
    remedy: Remedy, cut: datetime | None, horizon: datetime, awaited: set[str]
) -> Iterable[_Entry]:
    """A remedy begins a wait; seeing the entity healthy ends it, or else its time runs out."""
    name = remedy.execution_id
    healthy_at, recover_by = remedy.healthy_at, remedy.recover_by
    if cut is None or remedy.at > cut:
        yield remedy.at, _DONE, name, partial(_await, remedy=remedy, awaited=awaited)
    if recover_by <= horizon and (healthy_at is None or healthy_at > recover_by):
        yield max(recover_by, cut or recover_by), _VAIN, name, partial(_lapse, remedy=remedy)
    if healthy_at is not None:
        yield max(healthy_at, cut or healthy_at), _HEALTHY, name, partial(_heal, remedy=remedy)


def _observe(facts: Facts, observation: Observation, damping: Damping) -> Facts:
    at = observation.observed_at
    facts = calmed(facts, at)
    if observation.entity_id is not None and observation.entity_id != facts.entity_id:
        facts = replace(facts, entity_id=observation.entity_id)
    match observation.state:
        case "problem" | "waiting":
            return _go_on(facts, observation, damping)
        case "ok":
            return _get_well(facts, at, damping)
        case "progress" if facts.state == "waiting" and facts.kind == observation.kind:
            return _get_well(facts, at, damping)
        case _:
            return facts


def _go_on(facts: Facts, observation: Observation, damping: Damping) -> Facts:
    at, severity = observation.observed_at, observation.severity
    if not facts.is_active:
        facts = replace(
            facts,
            operational="active",
            state=observation.state,
            episodes=facts.episodes + 1,
            episode_at=at,
            severities={},
            weight=observation.weight,
            recovered_at=None,
            recovered_after=None,
        )
        facts = turned(facts, at, damping)
    elif facts.calm_at is not None:
        facts = replace(turned(facts, at, damping), calm_at=None)
    facts = replace(
        facts,
        first_seen=facts.first_seen or at,
        last_seen=at,
        told_at=facts.told_at if observation.is_look else at,
        count=facts.count + 1,
    )
    if observation.weight < facts.weight:
        return facts
    return replace(
        facts,
        kind=observation.kind,
        state=observation.state,
        title=observation.summary,
        subject=observation.subject or facts.subject,
        group=observation.group or facts.group,
        link=observation.link or facts.link,
        severity=severity,
        severities={**facts.severities, severity: at},
        weight=observation.weight,
    )


def _get_well(facts: Facts, at: datetime, damping: Damping) -> Facts:
    """Its source calls it well, which is not believed at once of what flaps."""
    if not facts.is_active or facts.calm_at is not None:
        return facts
    facts = turned(facts, at, damping)
    if facts.is_flapping:
        return replace(facts, calm_at=at + damping.quiet)
    return _recover(facts, at, None)


def _recover(facts: Facts, at: datetime, after: str | None) -> Facts:
    if not facts.is_active:
        return facts
    return replace(
        facts,
        operational="recovered",
        recovered_at=at,
        recovered_after=after or facts.awaiting,
        awaiting=None,
        recover_by=None,
        lapsed_at=None,
        is_flapping=False,
        calm_at=None,
        weight=0,
    )


def _await(facts: Facts, remedy: Remedy, awaited: set[str]) -> Facts:
    if not facts.is_active:
        return facts
    awaited.add(remedy.execution_id)
    return replace(
        facts, awaiting=remedy.execution_id, recover_by=remedy.recover_by, lapsed_at=None
    )


def _lapse(facts: Facts, remedy: Remedy) -> Facts:
    if facts.awaiting != remedy.execution_id or facts.lapsed_at is not None:
        return facts
    return replace(facts, lapsed_at=remedy.recover_by)


def _heal(facts: Facts, remedy: Remedy) -> Facts:
    if facts.awaiting != remedy.execution_id or remedy.healthy_at is None:
        return facts
    return _recover(facts, remedy.healthy_at, remedy.execution_id)

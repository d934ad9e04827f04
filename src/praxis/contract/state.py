"""The words Praxis speaks in: states, items, sources and changes, as its replies show them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from kit.contract import Id, Reply, Time

SourceName = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_.:-]*$(?!\n)", max_length=80)]
"""Which source, such as `health:vecna`."""
Key = Annotated[str, Meta(min_length=1, max_length=200)]
"""Same key from the same source means the same item."""
Kind = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_.]*$(?!\n)", max_length=60)]
"""What sort of thing is reported: `health`, `source`, `recovery`, …"""

Severity = Literal["info", "warning", "error", "critical"]
ObservedState = Literal["problem", "ok", "waiting", "progress", "info"]
Operational = Literal["active", "recovered"]
Attention = Literal["new", "surfaced", "acknowledged", "resolved"]
IgnoreEnd = Literal["worse", "change", "time"]
"""What ends an ignoring before its time: that it gets worse; that anything changes; nothing."""
Freshness = Literal["fresh", "stale", "never"]
ExecutionState = Literal[
    "queued", "running", "succeeded", "failed", "timed_out", "refused", "cancelled", "unknown"
]


class Evidence(Reply):
    """One observation kept with an item, bounded."""

    at: Time
    state: ObservedState
    summary: str
    details: dict[str, str] = {}


class Ignoring(Reply):
    """A person does not want to hear of an item for now; it goes on being counted."""

    since: Time
    ends: IgnoreEnd
    until: Time | None = None
    """None: until what `ends` names."""


class LinkedExecution(Reply):
    """An execution Hexis reported about the item's entity."""

    execution_id: Id
    capability_id: str
    action: str
    """What was done: `restart`, `status`, …"""
    state: ExecutionState
    requester: str
    at: Time
    """When it reached this state."""


class Item(Reply):
    """One thing a person may have to handle."""

    item_id: Id
    source: str
    key: str
    kind: str
    entity_id: Id | None
    severity: Severity
    title: str
    """The newest summary of what is wrong, in the words of the source."""
    operational: Operational
    attention: Attention
    first_seen: Time
    """When it was first seen ever; `active_since` tells of the present episode."""
    last_seen: Time
    count: int
    """How many observations told of it."""
    version: int
    """Grows with every change; transitions carry the one they saw."""
    stale: bool = False
    """Its source has gone quiet, so nothing newer is known."""
    awaiting_recovery: bool = False
    """Something was done about it and succeeded; it has not been seen healthy since."""
    recover_by: Time | None = None
    """When waiting for recovery ends and the item becomes attention again."""
    recovered_at: Time | None = None
    active_since: Time | None = None
    """When the present episode began; none while it is recovered."""
    episodes: int = 1
    """How many times it became active."""
    subject: str = ""
    """What it is about in the words of its source, where Nexus may not know it yet."""
    group: str = ""
    """What items of one cause have in common, as their source says."""
    link: str = ""
    """Where the source shows more: text, never followed by Praxis."""
    ignored: Ignoring | None = None
    pinned: bool = False
    flapping: bool = False
    """It falls ill and gets well over and over; a recovery is believed after a quiet time."""
    flaps: int = 0
    """How often it turned since it began to flap."""
    evidence: list[Evidence] = []
    """The newest reports, oldest first: the latest few in a list, more of a single item."""
    executions: list[LinkedExecution] = []


class Ranked(Reply):
    """An item in the order of attention, and why it stands there."""

    item: Item
    because: list[str]
    """Stable words: `pinned`, `severity:error`, `waiting`, `flapping`, `stale`, `reopened`, …"""
    alike: int = 1
    """How many listed items this line stands for, where lines of one cause are put together."""


class SourceState(Reply):
    """One source and how fresh its news is."""

    source: str
    kind: str
    entity_id: Id | None
    """Its own, or else the one its observations named."""
    freshness: Freshness
    expected_every_s: float | None
    """None: nobody registered it, so its silence means nothing."""
    last_observed_at: Time | None
    last_state: ObservedState | None
    last_change_at: Time | None
    """When its state last became another one."""
    instance_started_at: Time | None = None
    """When the observed thing says it started."""
    dialect: str | None = None
    """The one it delivers in, where it has a door."""
    door: str | None = None
    """The path of its door; told to whoever opens it, and to nobody else."""


class AttentionList(Reply):
    """What needs attention, and what Praxis can see at all."""

    items: list[Ranked]
    total: int
    sources: list[SourceState]
    """The reason to believe an empty list: every source that was registered."""
    set_aside: list[Item] = []
    """What a person called resolved, or ignores, though it goes on: not in the list, and not
    hidden either."""


What = Literal[
    "item_opened",
    "item_worsened",
    "item_recovered",
    "item_reopened",
    "item_surfaced",
    "item_acknowledged",
    "item_unacknowledged",
    "item_resolved",
    "item_ignored",
    "item_unignored",
    "item_pinned",
    "item_unpinned",
    "item_flapping",
    "item_mapped",
    "item_awaiting_recovery",
    "item_not_recovered",
    "execution_reported",
    "instance_changed",
    "source_stale",
    "source_fresh",
]
"""A step of the change feed."""


class Change(Reply):
    """One step in the feed of everything that changed."""

    cursor: int
    at: Time
    what: What
    item_id: Id | None = None
    entity_id: Id | None = None
    source: str | None = None
    execution_id: Id | None = None
    actor: str = ""
    """The requester behind a person's transition, else the source."""
    details: dict[str, str] = {}
    """Bounded facts of this step: `state`, `kind`, `action`, `severity`, `started_at`, …

    `item_reopened` with `reason` `reported_again`: a person had called it resolved; with
    `by_person`: a person took that back. `item_unignored` with `reason` `time`, `worse` or
    `change`: it ended by itself.
    """


class ChangeList(Reply):
    """A page of the feed."""

    changes: list[Change]
    next_after: int
    """Pass it as `after` to go on without a gap and without a repeat."""

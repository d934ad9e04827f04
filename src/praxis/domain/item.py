"""What the observations of one thing come to; what people decided of it stands in `standing`."""

from __future__ import annotations

from datetime import datetime

import msgspec

from praxis.contract import ObservedState, Operational, Severity
from praxis.domain.observation import gravity


class Facts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the observations of one (source, key) come to, in the order they were observed."""

    kind: str = ""
    entity_id: str | None = None
    """The one its observations named; without it, the item follows its source's."""
    title: str = ""
    subject: str = ""
    group: str = ""
    link: str = ""
    operational: Operational = "recovered"
    state: ObservedState = "ok"
    severity: Severity = "info"
    """As the source last put it; `shown_severity` is what counts."""
    severities: dict[Severity, datetime] = {}
    """When each severity was last reported in this episode."""
    weight: int = 0
    """How much the signal proves that the present episode rests on."""
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
    turns: tuple[datetime, ...] = ()
    """When it last became ill or well, the latest few."""
    is_flapping: bool = False
    flaps: int = 0
    """How often it has turned since it began to flap."""
    calm_at: datetime | None = None
    """While it flaps and its source calls it well: when that will be believed."""
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


def is_more_of_the_same(before: Facts, after: Facts) -> bool:
    """Whether nothing became of it but that it was told once more."""
    return before.is_active and after == msgspec.structs.replace(
        before,
        title=after.title,
        link=after.link,
        severities=after.severities,
        last_seen=after.last_seen,
        told_at=after.told_at,
        count=after.count,
        through=after.through,
    )

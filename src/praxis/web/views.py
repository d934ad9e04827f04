"""What the pages show, made of what Praxis answered: sections, filters, what may be decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from praxis.contract import Item, Ranked, RoutineStanding, RoutineState, SourceState
from praxis.web.texts.table import Verb

_NOTED = frozenset({"acknowledged", "resolved"})
_PAST = {"recovered", "resolved"}
UNDO: dict[Verb, Verb] = {
    "acknowledge": "unacknowledge",
    "resolve": "reopen",
    "ignore": "unignore",
    "pin": "unpin",
    "unpin": "pin",
}
"""How a decision is taken back, where that takes nothing but a button."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Which items a person wants to see; empty means any."""

    severity: str = ""
    source: str = ""
    entity: str = ""
    state: str = ""
    cause: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> Filter:
        """The filter that a query asks for."""
        names = [field.name for field in fields(cls)]
        return cls(**{name: query.get(name, "").strip()[:200] for name in names})

    @property
    def is_set(self) -> bool:
        """Whether it asks for anything."""
        return any((self.severity, self.source, self.entity, self.state, self.cause))

    @property
    def is_of_the_past(self) -> bool:
        """Whether it asks for items that need nobody any more."""
        return self.state in _PAST

    def fits(self, ranked: Ranked) -> bool:
        """Whether an item is one of those."""
        item = ranked.item
        state = self.state in {"", item.attention, item.operational, *ranked.because}
        return (
            state
            and self.severity in {"", item.severity}
            and self.source in {"", item.source}
            and self.cause in {"", item.group}
        )


@dataclass(frozen=True, slots=True)
class Section:
    """Lines that stand under one heading."""

    name: str
    """`pinned`, `needs`, `noted` or `past`."""
    lines: list[Ranked]


def sections_of(ranked: Sequence[Ranked]) -> list[Section]:
    """The lines under their headings, in the order Praxis gave them."""
    made: list[Section] = []
    for line in ranked:
        name = "needs"
        if line.item.pinned:
            name = "pinned"
        elif line.item.attention in _NOTED:
            name = "noted"
        if not made or made[-1].name != name:
            made.append(Section(name, []))
        made[-1].lines.append(line)
    return made


def past(items: Sequence[Item]) -> list[Section]:
    """Items that need nobody any more, as one section."""
    lines = [Ranked(item, [item.operational, item.attention]) for item in items]
    return [Section("past", lines)] if lines else []


def reasons_of(ranked: Ranked) -> list[str]:
    """Why a line stands where it does, but for what its section and its mark say already."""
    plain = {"pinned", *_NOTED, "new", "surfaced"}
    return [each for each in ranked.because if each not in plain and ":" not in each]


def verbs_of(item: Item) -> list[Verb]:
    """What a person may decide about an item now, the likeliest first."""
    verbs: list[Verb] = [] if item.ignored is None else ["unignore"]
    match item.attention:
        case "new" | "surfaced":
            verbs.extend(("acknowledge", "resolve"))
        case "acknowledged":
            verbs.extend(("resolve", "unacknowledge"))
        case "resolved":
            verbs.append("reopen")
    if item.ignored is None and item.operational == "active":
        verbs.append("ignore")
    verbs.append("unpin" if item.pinned else "pin")
    return verbs


@dataclass(frozen=True, slots=True)
class Sight:
    """What the list rests on: which sources are heard and which are silent."""

    fresh: list[SourceState]
    silent: list[SourceState]

    @classmethod
    def of(cls, sources: Sequence[SourceState]) -> Sight:
        """The sources of an answer, told apart."""
        fresh = [each for each in sources if each.freshness == "fresh"]
        return cls(fresh, [each for each in sources if each.freshness != "fresh"])

    @property
    def kind(self) -> str:
        """Whether an empty list is `believed`, `silent` in part, or rests on `nothing`."""
        if self.silent:
            return "silent"
        return "believed" if self.fresh else "nothing"


def by_freshness(sources: Sequence[SourceState]) -> list[SourceState]:
    """Sources, those that need a look first."""
    order = {"stale": 0, "never": 1, "fresh": 2}
    return sorted(sources, key=lambda each: (order[each.freshness], each.source))


def by_standing(routines: Sequence[RoutineState]) -> list[RoutineState]:
    """Routines, those that need a look first."""
    order: list[RoutineStanding] = ["late", "failed", "grace", "started", "new", "up"]
    return sorted(routines, key=lambda each: (order.index(each.standing), each.routine))

"""The story of an item: its reports, what people decided and what was done, the newest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from praxis.client import PraxisClient
from praxis.contract import Change, Evidence, Item, LinkedExecution, ListChanges

_PAGE = 500
_PAGES = 12
"""Pages of the feed looked through for one item."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the story; exactly one of the three is set."""

    at: datetime
    order: int
    evidence: Evidence | None = None
    change: Change | None = None
    execution: LinkedExecution | None = None


@dataclass(frozen=True, slots=True)
class Story:
    """The lines, the newest first, and whether older steps are left out."""

    entries: list[Entry]
    is_cut: bool


async def steps_of(
    praxis: PraxisClient, item: Item, *, after: int | None = None
) -> tuple[list[Change], bool]:
    """The steps of an item in the change feed, and whether some may be missing.

    Args:
        praxis: where the feed is.
        item: whose steps.
        after: only those beyond this cursor; None means from when it was first seen.
    """
    found: list[Change] = []
    request = ListChanges(after=after, limit=_PAGE)
    if after is None:
        request = ListChanges(since=item.first_seen, limit=_PAGE)
    for _ in range(_PAGES):
        page = await praxis.list_changes(request)
        found += [change for change in page.changes if change.item_id == item.item_id]
        if len(page.changes) < _PAGE:
            return found, False
        request = ListChanges(after=page.next_after, limit=_PAGE)
    return found, True


def story_of(item: Item, changes: Sequence[Change], *, is_cut: bool) -> Story:
    """The reports, steps and executions of an item in one line of time."""
    entries = [
        *(Entry(each.at, 0, evidence=each) for each in item.evidence),
        *(Entry(each.at, each.cursor, change=each) for each in changes),
        *(Entry(each.at, 1, execution=each) for each in item.executions),
    ]
    told = {(each.execution_id, each.state) for each in item.executions}
    kept = [entry for entry in entries if not _is_told(entry.change, told)]
    return Story(sorted(kept, key=lambda each: (each.at, each.order), reverse=True), is_cut)


def _is_told(change: Change | None, told: set[tuple[str, str]]) -> bool:
    """Whether a step says what the list of executions says already."""
    if change is None or change.what != "execution_reported" or change.execution_id is None:
        return False
    return (change.execution_id, change.details.get("state", "")) in told
